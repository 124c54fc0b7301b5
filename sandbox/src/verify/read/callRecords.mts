import { asAssumed, differs, notChecked, readCheck, type Check } from '../check.mts';
import { isObject, safeNames, typeName } from '../describe.mts';
import { IMPOSSIBLE_ID } from '../refused/impossible.mts';
import type { Run } from '../run.mts';
import { calls, CALLS_PATH } from './lists.mts';
import { orderCheck } from './order.mts';
import { isRefused, requirePage, type Row } from './page.mts';
import { readTimestamp } from './timestamps.mts';

const NO_CALLS = 'The account has no calls.';

const callOrder: Check = orderCheck({
	key: 'call-order',
	assumed: 'newest-first',
	rows: calls,
	isBefore: (one, other) =>
		readTimestamp(one['created_at']).at - readTimestamp(other['created_at']).at,
	advice: 'The poll trigger reads the whole list of the last days in another order.',
});

const filtered = async (run: Run, query: { [name: string]: string | number }) =>
	requirePage(await run.client.get(CALLS_PATH, query), 'filtered calls').rows;

const callFilters = readCheck(
	'call-filters',
	'all filters must match; an unknown assistant has no calls',
	async (run, expected) => {
		const all = await calls(run);
		const [call] = all;
		if (typeof call?.['status'] !== 'string' || typeof call['type'] !== 'string') {
			return notChecked(expected, NO_CALLS);
		}
		const { status, type } = call;
		const rows = await filtered(run, { status, type });
		const unknown = await run.client.get(CALLS_PATH, { assistant_id: IMPOSSIBLE_ID });
		if (isRefused(unknown)) {
			return differs(expected, `status ${unknown.status} for an unknown assistant`, {
				advice: 'Call → Get Many fails when its assistant is deleted.',
			});
		}
		const advice =
			'Call → Get Many gives more calls than its filters say: filter once more in the workflow.';
		if (requirePage(unknown, 'filtered calls').rows.length > 0)
			return differs(expected, 'the filter by assistant is ignored', { advice });
		if (rows.length === 0) return differs(expected, 'a filter by status and type finds nothing');
		const isMatch = (row: Row) => row['status'] === status && row['type'] === type;
		if (!rows.every(isMatch)) return differs(expected, 'other calls too', { advice });
		return asAssumed(expected, expected, all.every(isMatch) ? 'likely' : 'certain');
	},
);

const dateRange = readCheck(
	'date-range',
	'whole days, both included, in the time zone of the timestamps',
	async (run, expected) => {
		const all = await calls(run);
		const [call] = all;
		if (!call) return notChecked(expected, NO_CALLS);
		const { day } = readTimestamp(call['created_at']);
		if (day === undefined) return notChecked(expected, 'The timestamps name no day.');
		const rows = await filtered(run, { date_from: day, date_to: day });
		const days = new Set(rows.map((row) => readTimestamp(row['created_at']).day));
		if (days.size === 1 && days.has(day)) {
			const isCompared = all.some((each) => readTimestamp(each['created_at']).day !== day);
			return isCompared
				? asAssumed(expected)
				: notChecked(expected, 'All calls of the first page are of one day.');
		}
		const seen = rows.length === 0 ? 'the day of a call has no calls' : 'calls of other days too';
		const advice = 'Ask Call → Get Many for one day more on each side, and filter in the workflow.';
		return differs(expected, seen, { advice });
	},
);

const callEvaluation = readCheck('call-evaluation', 'an open object', async (run, expected) => {
	const values = fieldOf(await calls(run), 'evaluation').filter((value) => !isEmpty(value));
	if (values.length === 0) return notChecked(expected, 'No call has an evaluation.');
	const other = values.find((value) => !isObject(value));
	return other === undefined ? asAssumed(expected) : differs(expected, typeName(other));
});

const WEBHOOK_RESPONSE_NAMES = ['status', 'body', 'error'];

const webhookResponse = readCheck(
	'webhook-response',
	'`status` and `body`, or `error`',
	async (run, expected) => {
		const values = fieldOf(await calls(run), 'webhook_response').filter((value) => !isEmpty(value));
		if (values.length === 0) return notChecked(expected, 'No call has an answer of a webhook.');
		const other = values.find((value) => !isObject(value));
		if (other !== undefined) return differs(expected, typeName(other));
		const names = new Set(values.filter(isObject).flatMap((value) => Object.keys(value)));
		const known = WEBHOOK_RESPONSE_NAMES.filter((name) => names.has(name));
		if (known.length === names.size) return asAssumed(expected, safeNames(known));
		// What a user's own server has answered has the user's own names.
		const seen = [...known, `${names.size - known.length} other fields`].join(', ');
		return differs(expected, seen, { advice: 'The nodes pass it on as it is.' });
	},
);

const fieldOf = (rows: Row[], field: string): unknown[] =>
	rows.flatMap((row) => (field in row ? [row[field]] : []));

const isEmpty = (value: unknown): boolean =>
	value === null || (typeof value === 'object' && Object.keys(value).length === 0);

export const CALL_RECORD_CHECKS = [
	callOrder,
	callFilters,
	dateRange,
	callEvaluation,
	webhookResponse,
];
