import type { Client } from './client.mts';
import { mismatches } from './contractFit.mts';
import { CannotCheck, finding, isObject, Stop, type Finding } from './finding.mts';

/** No record has this ID: services count up from 1, and this is the largest that many can store. */
export const IMPOSSIBLE_ID = 2_147_483_647;
/** No country has this code, and no number is that short. */
const IMPOSSIBLE_NUMBER = '+999000';
const NO_TOOL = { name: 'Not A Valid Name', endpoint: 'no-url' };
const NO_ASSISTANT = { assistant_id: 'none', webhook_url: 'no-url' };

/** Without any field: the service names those that an assistant needs. */
const NEW_ASSISTANT: Write = ['POST', '/user/assistant', {}];

type Write = [method: string, path: string, body: object];

/** None can be carried out, for two reasons or more, such as an impossible number and an unknown ID. */
const WRITES: Write[] = [
	['POST', '/user/lead', { phone_number: IMPOSSIBLE_NUMBER, campaign_id: IMPOSSIBLE_ID }],
	['PUT', `/user/leads/${IMPOSSIBLE_ID}`, { phone_number: IMPOSSIBLE_NUMBER }],
	['PUT', `/user/leads/${IMPOSSIBLE_ID}`, { status: 'no-such-status' }],
	['POST', '/user/campaigns/update-status', { campaign_id: IMPOSSIBLE_ID, action: 'none' }],
	NEW_ASSISTANT,
	['PUT', `/user/assistant/${IMPOSSIBLE_ID}`, { speech_speed: 9 }],
	['POST', '/user/assistants/disable-webhook', { assistant_id: 'none' }],
	['POST', '/user/assistants/enable-inbound-webhook', NO_ASSISTANT],
	['POST', '/user/assistants/disable-inbound-webhook', { assistant_id: 'none' }],
	['POST', '/user/tools', NO_TOOL],
	['PUT', `/user/tools/${IMPOSSIBLE_ID}`, NO_TOOL],
	['POST', '/user/sms', { from: IMPOSSIBLE_ID, to: IMPOSSIBLE_NUMBER, body: 'x'.repeat(301) }],
];

/**
 * Sends requests that the service has to refuse.
 *
 * @param rows all records that were read
 * @throws {Stop} when one is accepted, or a record has the impossible ID
 */
export async function* sendRefused(client: Client, rows: unknown[]): AsyncGenerator<Finding> {
	if (rows.some((row) => isObject(row) && Number(row['id']) === IMPOSSIBLE_ID)) {
		throw new Stop(`The account has a record with the ID ${IMPOSSIBLE_ID}. No write was sent.`);
	}
	const topic = 'Refusals';
	const paths: string[] = [];
	for (const write of WRITES) {
		const [method, path] = write;
		try {
			const { status, body } = await client.refused(...write);
			if (status === 429 || status >= 500) throw new CannotCheck(`It answered ${status}.`);
			const found = mismatches(status === 422 ? 'ValidationError' : 'Error', body);
			paths.push(...found.map(({ text }) => `${method} ${path} (${status}) ${text}`));
			if (write === NEW_ASSISTANT) yield fieldNames(body);
		} catch (error) {
			if (!(error instanceof CannotCheck)) throw error;
			yield finding('failed', topic, `${method} ${path}: ${error.message}`);
		}
	}
	const unfit = 'some do not fit the contract, so the nodes may not say what is wrong:';
	if (paths.length > 0) yield finding('note', topic, unfit, paths);
	else yield finding('ok', topic, 'those that came fit the contract.');
}

/** The names that only one generation has (public-service.md, "Assistant: fields of create and update"). */
const OLDER = ['assistant_name', 'calls_direction', 'engine_type'];
const NEWER = ['name', 'type', 'mode'];

/** Which generation it is, by what create assistant refuses (public-service.md, POST /user/assistant). */
function fieldNames(body: unknown): Finding {
	const topic = 'Names of fields';
	const errors = isObject(body) && isObject(body['errors']) ? body['errors'] : {};
	const [older, newer] = [OLDER, NEWER].map((names) => names.filter((name) => name in errors));
	const seen = (names: string[] = []) => `(${names.join(', ')})`;
	if (older?.length && !newer?.length) {
		return finding('ok', topic, `the older ones, as in the contract ${seen(older)}.`);
	}
	if (newer?.length && !older?.length) {
		const text = `the newer ones ${seen(newer)}. Voice Assistant → Create and Update send them.`;
		return finding('ok', topic, text);
	}
	const text =
		'the service does not say which fields an assistant needs. Voice Assistant → Update refuses fields that have two names.';
	return finding('open', topic, text);
}
