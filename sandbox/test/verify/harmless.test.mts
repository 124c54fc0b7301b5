import { describe, expect, it } from '@jest/globals';
import { exitStatus } from '../../src/verify/verify.mts';
import { IMPOSSIBLE_ID } from '../../src/verify/refused/impossible.mts';
import { newAssistant, newTool } from '../support/seed.mts';
import { startReceiver } from '../support/receiver.mts';
import { account, TOKEN } from './support/account.mts';
import { startProvider, verifyAt } from './support/measure.mts';
import { startProxy } from './support/proxy.mts';

/** So many GETs has a verification of a service as assumed. */
const READS = 18;

describe('what is sent', () => {
	it('with --read: some GETs, and their number does not depend on the account', async () => {
		const counts: number[] = [];
		for (const size of [{}, { calls: 10_000, assistants: 1000 }]) {
			await using provider = await startProvider({ seed: account(size) });
			const { requests } = await verifyAt(provider.url, { levels: ['address', 'read'] });
			const received = await provider.control.requests();
			expect(received).toHaveLength(requests);
			expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['GET']));
			counts.push(requests);
		}
		expect(counts[0]).toBeLessThanOrEqual(READS);
		expect(counts[1]).toBe(counts[0]);
	});

	it('with --refused: writes that are all refused, and nothing is created or changed', async () => {
		await using provider = await startProvider();
		const before = await records(provider);
		await verifyAt(provider.url);
		const writes = (await provider.control.requests()).filter(({ method }) => method !== 'GET');
		expect(writes.length).toBeGreaterThan(20);
		expect(writes.filter(({ status }) => status === null || status < 400)).toEqual([]);
		expect(await records(provider)).toEqual(before);
	});

	it('each write is refused for another reason too, if its ID exists after all', async () => {
		const id = IMPOSSIBLE_ID;
		const [user = {}] = account().users;
		const own = {
			...user,
			voices: [
				{ id: 1, name: 'Anna' },
				{ id, name: 'Ben' },
			],
			phone_numbers: [{ id, phone_number: '+4915112345601' }],
			tools: [
				{ ...newTool, id: 1 },
				{ ...newTool, id },
			],
			campaigns: [
				{ id: 1, name: 'Spring', assistant_id: 1 },
				{ id, name: 'Autumn', assistant_id: 1 },
			],
			leads: [{ id, campaign_id: id, phone_number: '+4915112345611' }],
		};
		const assume = { 'unknown-request-fields': 'ignored' };
		await using provider = await startProvider({ seed: { users: [own] }, assume });
		const before = await records(provider);
		const { stopped } = await verifyAt(provider.url);
		expect(stopped).toBeUndefined();
		expect(await records(provider)).toEqual(before);
	});

	it('no write is sent when a list shows that the ID exists', async () => {
		const [user = {}] = account().users;
		const assistants = [{ ...newAssistant, id: IMPOSSIBLE_ID }];
		await using provider = await startProvider({
			seed: { users: [{ ...user, assistants, calls: [], campaigns: [] }] },
		});
		const { stopped } = await verifyAt(provider.url);
		expect(stopped).toBe(
			`The account has a record with the ID ${IMPOSSIBLE_ID}. No write was sent.`,
		);
		const methods = (await provider.control.requests()).map(({ method }) => method);
		expect(new Set(methods)).toEqual(new Set(['GET']));
	});

	it('a write that is accepted ends everything, and the message says what may be there now', async () => {
		await using provider = await startProvider();
		const body = { message: 'Lead created successfully', data: { id: 77, name: 'Jane' } };
		await provider.control.fault({ operation: 'createLead', status: 200, body });
		const result = await verifyAt(provider.url);
		const writes = (await provider.control.requests()).filter(({ method }) => method !== 'GET');
		expect(writes).toHaveLength(1);
		expect(result.stopped).toBe(
			'The service accepted POST /user/lead, which it should refuse (200). It may have created or changed the record 77. No further request was sent.',
		);
		expect(exitStatus(result)).toBe(2);
		const refused = result.findings.filter(({ level }) => level === 'refused');
		expect(new Set(refused.map(({ seen }) => seen))).toEqual(
			new Set(['The run ended before this check.']),
		);
	});
});

describe('where it is sent', () => {
	it('to no other host: not where a redirect or a link leads', async () => {
		await using provider = await startProvider();
		const other = await startReceiver();
		try {
			const headers = { Location: other.url };
			await provider.control.fault({ operation: 'listAssistants', status: 302, headers, body: '' });
			const body = {
				data: [{ id: 1, recording_url: other.url, status: 'completed' }],
				next_page_url: `${other.url}?page=2`,
				per_page: 100,
			};
			await provider.control.fault({ operation: 'listCalls', times: 50, status: 200, body });
			await verifyAt(provider.url);
			expect(other.arrivals).toEqual([]);
		} finally {
			await other.close();
		}
	});

	it('the token is only in the header of requests, and not in those that try none or another one', async () => {
		await using provider = await startProvider();
		const seen: Array<{ authorization?: string | undefined; rest: string }> = [];
		await using proxy = await startProxy(provider.url, {
			before: ({ headers, path, text }) => {
				const { authorization, ...others } = headers;
				seen.push({ authorization, rest: JSON.stringify([others, path, text]) });
				return undefined;
			},
		});
		await verifyAt(proxy.url);
		expect(seen.filter(({ rest }) => rest.includes(TOKEN))).toEqual([]);
		const others = seen.filter(({ authorization }) => authorization !== `Bearer ${TOKEN}`);
		// Without a token: the address, and the list of calls. With a wrong one: that list, and a lead.
		expect(others.map(({ authorization }) => authorization)).toEqual([
			undefined,
			'Bearer not-a-token-of-this-service',
			'Bearer not-a-token-of-this-service',
		]);
	});

	it('with --refused: what the service did not answer is not taken for checked', async () => {
		await using provider = await startProvider();
		await using proxy = await startProxy(provider.url, {
			before: ({ method }) => (method === 'GET' ? undefined : 500),
		});
		const result = await verifyAt(proxy.url);
		const failed = result.findings.filter(({ level }) => level === 'refused');
		expect(failed.filter((each) => each.outcome !== 'not checked' || !each.failed)).toEqual([]);
		expect(exitStatus(result)).toBe(2);
	});
});

/** All that an account has. */
async function records({ control }: Awaited<ReturnType<typeof startProvider>>) {
	const kinds = ['assistants', 'campaigns', 'leads', 'tools', 'calls', 'messages'];
	return Promise.all(
		kinds.map(async (kind) => (await control.request('GET', `/records/${kind}`)).body),
	);
}
