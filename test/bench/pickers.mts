import assert from 'node:assert/strict';

import { openCatalogue } from '../../host/api/catalogue.mts';
import { ACTION } from '../../host/n8n/names.mts';
import { CALL_PAGES, PER_PAGE } from './largeAccount.mts';
import { counted, measureList } from './lists.mts';
import { withProbes } from './n8nProbes.mts';
import { atMost, atMostMore, atMostTimes, type Subject } from './results.mts';
import type { Round } from './round.mts';
import { LATENCY_MS } from './serviceClient.mts';

const AT_ONCE = 10;

/** Opening a list takes one request, and half a second at most for all the rest. */
const OPENED = atMost(LATENCY_MS / 1000 + 0.5);
/** HTTP Request reads the pages one after the other. */
const SEVERAL_PAGES_AT_ONCE = atMostTimes(0.6);

const METHODS = {
	assistantId: 'searchAssistants',
	callId: 'searchCalls',
};

/** A list that a user opens or searches, the IDs that it shows, and how many requests that takes. */
type Picking = [
	work: string,
	parameter: keyof typeof METHODS,
	values: string[],
	requests: number,
	filter?: string,
];

/** Measures the lists of the editor for a large account, one at a time and ten at the same moment. */
export async function pickers(round: Round): Promise<void> {
	const { results, quick } = round;
	const account = { assistants: quick ? 1_000 : 10_000, calls: quick ? 3_000 : 10_000 };
	const assistants = `${counted(account.assistants)} assistants`;
	const calls = `${counted(account.calls)} calls`;
	const oldestCall = String(account.calls - CALL_PAGES * PER_PAGE + 1);
	const requests = account.assistants / PER_PAGE;
	const callSearch = `search for the last of the calls that are read of ${calls}`;
	const last = String(account.assistants);
	const ofCalls: Picking[] = [
		[`picker of ${calls}`, 'callId', ids(account.calls, PER_PAGE, -1), 1],
		[callSearch, 'callId', [oldestCall], CALL_PAGES, oldestCall],
	];
	const opened: Picking = [`picker of ${assistants}`, 'assistantId', ids(1, PER_PAGE), 1];
	const search: Picking = [
		`search for the last of ${assistants}`,
		'assistantId',
		[last],
		requests,
		`assistant ${last}`,
	];

	const callList = await measureList(round, 'HTTP Request', 'calls', CALL_PAGES * PER_PAGE);
	const assistantList = await measureList(round, 'HTTP Request', 'assistants', account.assistants);
	for (const picking of [...ofCalls, opened, search]) {
		const [work, , , requestCount] = picking;
		const subject = await pickAtOnce(round, account, work, [picking]);
		const beside = ofCalls.includes(picking) ? callList : assistantList;
		const bound = requestCount === 1 ? OPENED : SEVERAL_PAGES_AT_ONCE;
		results.expect('time', subject, bound, beside);
		results.expect('silence', subject, atMostMore(0.2), assistantList);
	}
	const many = Array.from({ length: AT_ONCE }, () => search);
	const work = `${AT_ONCE} searches of ${assistants}, at the same moment`;
	const together = await pickAtOnce(round, account, work, many);
	// Ten read ten times the pages of the list.
	results.expect('time', together, atMostTimes(3), assistantList);
	results.expect('silence', together, atMostMore(0.2), assistantList);
}

/** Ids as a list shows them: from the first to the last, in steps of 1 or -1. */
const ids = (first: number, count: number, step = 1): string[] =>
	Array.from({ length: count }, (_, index) => String(first + index * step));

/** Measures pickings at the same moment, from the request of the editor to the response of n8n. */
async function pickAtOnce(
	{ environment, results, check }: Round,
	account: { assistants: number; calls: number },
	work: string,
	pickings: Picking[],
): Promise<Subject> {
	const { editor, service, credential, n8n } = environment;
	const catalogue = openCatalogue(editor.rest);
	const subject = { work, by: 'the editor' };
	await check(`${work}: the entries are right, and no page is read twice`, async () => {
		await service.reset(account);
		await withProbes(n8n(), async (between) => {
			const from = Date.now();
			const lists = await Promise.all(
				pickings.map(async ([, parameter, , , filter]) => {
					const method = METHODS[parameter];
					const target = { node: ACTION, parameter, method, credential };
					return await catalogue.search(target, filter);
				}),
			);
			const to = Date.now();
			const { requests } = await service.counts();
			assert.deepEqual(
				lists.map((entries) => entries.map(({ value }) => value)),
				pickings.map(([, , values]) => values),
			);
			assert.equal(
				requests,
				pickings.reduce((sum, [, , , count]) => sum + count, 0),
			);
			results.record(subject, { time: (to - from) / 1000, requests, ...between(from, to) });
		});
	});
	return subject;
}
