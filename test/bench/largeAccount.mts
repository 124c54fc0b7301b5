import { pageResponse } from '../../sandbox/src/domain/page.mts';
import { A_CALL, assistantRecord, getCalls } from '../../sandbox/test/support/calls.mts';
import { getData } from '../../sandbox/test/support/client.mts';
import { startService } from '../../sandbox/test/support/service.mts';

/** The most records of a page (contract: Limits). */
export const PER_PAGE = 100;

/** The most pages that the node, and its picker, read to find a call. */
export const CALL_PAGES = 20;

/** How many different voices and phone numbers the assistants have. */
const VOICES = 50;
const PHONE_NUMBERS = 200;

const FIRST_CALL = Date.parse('2026-03-02T09:00:00Z');
/** A call begins this long after the one before it. */
const CALL_INTERVAL_MS = 8_000;

/** A prompt of usual length, about 2.5 KB. */
const PROMPT =
	'When the caller wants to move an appointment, ask for the name and the day, and repeat both.\n'.repeat(
		27,
	);

/** A page of a list. @param total how many records the list has */
type Page = (url: URL, total: number) => unknown;

/**
 * Makes the lists of a large account, of records that nobody stores. All are like an assistant, a call
 * with a conversation, and a new lead of a sandbox.
 */
export async function createLargeAccount(): Promise<{
	assistants: Page;
	calls: Page;
	lead: object;
}> {
	const service = await startService();
	const { alice, control } = service;
	await alice.put('/user/assistant/1', { system_prompt: PROMPT, tool_ids: [] });
	await control.outbound({ assistant_id: 1, to: '+4915112345611', lead_id: 1 });
	await control.advance(A_CALL);
	const variables = { customer_name: 'Jane', email: 'jane@example.com', city: 'Bonn' };
	const newLead = { campaign_id: 1, phone_number: '+4915112345612', variables };
	const lead = getData(await alice.post('/user/lead', newLead));
	const assistant = await assistantRecord(alice, 1);
	const [call] = await getCalls(alice);
	await service.close();
	return {
		lead,
		/** By ID. */
		assistants: (url, total) =>
			listPage(url, total, (place) => ({
				...assistant,
				id: place + 1,
				name: `Assistant ${place + 1}`,
				voice_id: 1 + (place % VOICES),
				phone_number_id: 1 + (place % PHONE_NUMBERS),
			})),
		/** The newest first. */
		calls: (url, total) =>
			listPage(url, total, (place) => {
				const id = total - place;
				const createdAt = new Date(FIRST_CALL + id * CALL_INTERVAL_MS).toISOString();
				const created_at = createdAt.slice(0, 19).replace('T', ' ');
				return { ...call, id, created_at, updated_at: created_at };
			}),
	};
}

/** Makes a page as the sandbox does. @param recordAt makes the record at a place, which count from 0 */
function listPage(url: URL, total: number, recordAt: (place: number) => { id: number }): unknown {
	const givenQuery = Object.fromEntries(url.searchParams);
	const { page = 1, per_page: perPage = 15 } = givenQuery;
	return pageResponse({
		table: {
			select: (_conditions, section) => {
				const { limit = total, offset = 0 } = section ?? {};
				const length = Math.max(0, Math.min(limit, total - offset));
				return Array.from({ length }, (_, index) => recordAt(offset + index));
			},
			count: () => total,
		},
		conditions: [],
		query: { page: Number(page), per_page: Number(perPage) },
		path: url.origin + url.pathname,
		givenQuery,
		show: (record) => record,
	}).body;
}
