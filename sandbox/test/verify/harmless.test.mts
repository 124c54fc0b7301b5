import { describe, expect, it } from '@jest/globals';

import { listenOnLoopback } from '../../../test/support/loopback.mts';
import { IMPOSSIBLE_ID } from '../../src/verify/refused.mts';
import { exitStatus } from '../../src/verify/verify.mts';
import { startReceiver } from '../support/receiver.mts';
import { newAssistant, newTool } from '../support/seed.mts';
import { account, TOKEN } from './support/account.mts';
import { startProvider, verifyAt } from './support/measure.mts';
import { startProxy, type ForwardedRequest } from './support/proxy.mts';
import { onlyInFull } from '../../../test/support/sample.mts';

type Provider = Awaited<ReturnType<typeof startProvider>>;

/** All that an account has. */
const records = async ({ control }: Provider) =>
	await Promise.all(
		['assistants', 'campaigns', 'leads', 'tools', 'calls', 'messages'].map(
			async (kind) => (await control.request('GET', `/records/${kind}`)).body,
		),
	);

const writes = async ({ control }: Provider) =>
	(await control.requests()).filter(({ method }) => method !== 'GET');

describe('what is sent', () => {
	onlyInFull(it)('a dozen GETs, and their number does not depend on the account', async () => {
		await using provider = await startProvider(account({ calls: 2000, assistants: 200 }));
		const { requests } = await verifyAt(provider.url, { withRefused: false });
		expect(await provider.control.requests()).toHaveLength(requests);
		expect(await writes(provider)).toEqual([]);
		expect(requests).toBeLessThanOrEqual(13);
	});

	it.each([1, IMPOSSIBLE_ID])(
		'writes that are refused, and nothing changes, also where records have the ID %i',
		async (id) => {
			const own = {
				token: TOKEN,
				voices: [{ id: 1, name: 'Anna' }],
				phone_numbers: [{ id, phone_number: '+4915112345601' }],
				tools: [{ ...newTool, id }],
				assistants: [{ ...newAssistant, id: 1 }],
				campaigns: [{ id, name: 'Spring', assistant_id: 1 }],
				leads: [{ id, campaign_id: id, phone_number: '+4915112345611' }],
			};
			await using provider = await startProvider({ users: [own] });
			// The lists would say that the ID exists.
			await using proxy = await startProxy(provider.url, {
				before: ({ method, path }) =>
					method === 'GET' && !path.includes('calls') ? 404 : undefined,
			});
			const before = await records(provider);
			expect((await verifyAt(proxy.url)).stopped).toBeUndefined();
			const sent = await writes(provider);
			expect(sent).toHaveLength(12);
			expect(sent.filter(({ status }) => status === null || status < 400)).toEqual([]);
			expect(await records(provider)).toEqual(before);
		},
	);

	it('no write, when a list shows that the ID exists', async () => {
		const assistants = [{ ...newAssistant, id: IMPOSSIBLE_ID }];
		await using provider = await startProvider({ users: [{ token: TOKEN, assistants }] });
		const { stopped } = await verifyAt(provider.url);
		expect(stopped).toBe(
			`The account has a record with the ID ${IMPOSSIBLE_ID}. No write was sent.`,
		);
		expect(await writes(provider)).toEqual([]);
	});

	it('nothing after a write that is accepted, and the message says what may be there now', async () => {
		await using provider = await startProvider();
		const body = { message: 'Lead created successfully', data: { id: 77, name: 'Jane' } };
		await provider.control.fault({ operation: 'createLead', status: 200, body });
		const result = await verifyAt(provider.url);
		expect(await writes(provider)).toHaveLength(1);
		expect(result.stopped).toBe(
			'The service accepted POST /user/lead, which it should refuse (200). It may have created or changed the record 77. No further request was sent.',
		);
		expect(exitStatus(result)).toBe(2);
	});
});

describe('where it is sent', () => {
	it('to no other host: not where a redirect leads', async () => {
		await using provider = await startProvider();
		const other = await startReceiver();
		for (const operation of ['listAssistants', 'createLead']) {
			const fault = { operation, status: 307, headers: { Location: other.url }, body: '' };
			await provider.control.fault(fault);
		}
		await verifyAt(provider.url);
		await other.close();
		expect(other.arrivals).toEqual([]);
	});

	it('the token is only in the header, and not in the first request', async () => {
		await using provider = await startProvider();
		const seen: ForwardedRequest[] = [];
		await using proxy = await startProxy(provider.url, {
			before: (request) => void seen.push(request),
		});
		await verifyAt(proxy.url);
		expect(seen.filter(({ rest }) => rest.includes(TOKEN))).toEqual([]);
		const [first, ...others] = new Set(seen.map(({ authorization }) => authorization));
		expect([first, others]).toEqual([undefined, [`Bearer ${TOKEN}`]]);
	});
});

describe('a Base URL at which there is no API', () => {
	it.each<[string, number, { [name: string]: string }, string]>([
		['a page', 200, {}, 'There is no API at'],
		['a page that says 404', 404, {}, 'There is no API at'],
		['a redirect to a login page', 302, { Location: '/login' }, 'There is no API at'],
		[
			'another host',
			301,
			{ Location: 'https://voice.invalid/api' },
			'leads to https://voice.invalid.',
		],
		['a service that fails', 503, {}, 'The service fails (status 503).'],
		[
			'a service that refuses the token',
			403,
			{},
			'The service refuses the API token (status 403).',
		],
	])('%s: the token does not go there, or is refused', async (_, status, headers, message) => {
		const tokens: unknown[] = [];
		await using server = await listenOnLoopback((request, response) => {
			tokens.push(request.headers.authorization);
			response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<p>Welcome</p>');
		});
		const result = await verifyAt(`${server.origin}/api`);
		expect(result.stopped).toContain(message);
		expect(exitStatus(result)).toBe(2);
		expect(tokens).toEqual(status === 403 ? [undefined, `Bearer ${TOKEN}`] : [undefined]);
	});
});
