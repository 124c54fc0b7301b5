import { afterAll, afterEach, beforeEach } from '@jest/globals';
import { n8nWith } from './n8n.mts';
import { useRealTime } from './time.mts';
import { startService } from '../../../sandbox/test/support/service.mts';
import { ALICE, twoUsers } from '../../../sandbox/test/support/seed.mts';
import type { JsonObject } from '../../../sandbox/test/support/contract.mts';

/** A request of the node in the sandbox's journal. */
interface JournalEntry {
	method: string;
	path: string;
	query: unknown;
	body: unknown;
	/** How many requests were in progress when it arrived, itself included. */
	inFlight: number;
	/** Null if the connection was dropped. */
	status: number | null;
}

const call = (id: number, fields: JsonObject = {}): JsonObject => ({
	id,
	assistant_id: 1,
	campaign_id: 1,
	type: 'outbound',
	status: 'completed',
	client_phone_number: '+4915112345611',
	recording_url: '/recordings/call-1.wav',
	created_at: '2026-02-10 09:00:00',
	...fields,
});

/** Calls of the past. The newest has the id 1. */
export const callsOfThePast = (count: number): JsonObject[] =>
	Array.from({ length: count }, (_, index) => {
		const minutes = count - index;
		const created = new Date(Date.UTC(2026, 1, 10, 9, minutes)).toJSON();
		return call(index + 1, { created_at: created.slice(0, 19).replace('T', ' ') });
	});

/** The seed of two users, with other records for Alice. */
export function seedWith(fields: JsonObject): { users: JsonObject[] } {
	const [alice, ...others] = twoUsers().users;
	return { users: [{ ...alice, calls: [call(1)], ...fields }, ...others] };
}

/**
 * Starts a sandbox, and an n8n whose credential is Alice's (sandbox/test/support/seed.mts), for the tests of
 * a file. Before each test they are as new.
 *
 * @param fields further records of Alice, as in a seed file
 */
export async function startTestEnvironment(fields: JsonObject = {}) {
	const service = await startService({ seed: seedWith(fields) });
	const { control } = service;
	// Restoring a snapshot is faster than a reset, which loads the seed again.
	await control.saveSnapshot('initial');
	beforeEach(() => control.restoreSnapshot('initial'));
	afterAll(() => service.close());
	const n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE });
	afterEach(() => {
		useRealTime();
		n8n.credential = { baseUrl: service.url, apiToken: ALICE };
	});
	return {
		service,
		n8n,
		/** Lets the next requests fail; see the sandbox's README. */
		fault: async (rule: JsonObject): Promise<void> => {
			await service.control.fault(rule);
		},
		/** The body of the response to the last request of an operation of the contract. */
		lastResponse: async (operationId: string): Promise<unknown> => {
			const requests = await service.control.requests();
			const last = requests.findLast(({ operation }) => operation === operationId);
			return last && (await service.control.responseTo(last));
		},
		/** The requests that reached the service in this test, oldest first; of one operation of the contract. */
		sent: async (operationId?: string): Promise<JournalEntry[]> => {
			const entries = await service.control.requests();
			const wanted = entries.filter(({ operation }) => !operationId || operation === operationId);
			return wanted.map(({ method, path, query, body, in_flight, status }) => ({
				method,
				path,
				query,
				body: body ?? undefined,
				inFlight: in_flight,
				status,
			}));
		},
	};
}
