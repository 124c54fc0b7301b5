import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../../sandbox/src/base/apiError.mts';
import { RateLimiter } from '../../../../sandbox/src/http/rateLimit.mts';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../../support/n8n/stubServer.mts';
import { n8nAt, pageIn } from '../../../support/n8n/stubService.mts';
import { skipWaits, useRealTime } from '../../../support/n8n/time.mts';

const startServer = stubServersPerTest();
afterEach(useRealTime);

type Settings = ConstructorParameters<typeof RateLimiter>[0];
type Form = Settings['rate-limit-headers']['form'];

const PER_MS = 3_000;

/**
 * Starts a service with the rate limit of the sandbox, by the clock of the test. Each token is another
 * account. How fast a run is, requestBudget.test.mts says: here the clock does not wait for responses.
 */
async function startLimited(
	requests: number,
	form: Form,
	respond: (url: string, body: unknown) => unknown,
) {
	const limiter = new RateLimiter({
		'rate-limit': { requests, per: PER_MS },
		'rate-limit-headers': { form, windows: 'first-request' },
	});
	const statuses: number[] = [];
	const tokens: string[] = [];
	const server = await startServer(({ authorization = '', url, body }): StubResponse => {
		const token = tokens.includes(authorization) ? authorization : '';
		if (token === '') tokens.push(authorization);
		const user = tokens.indexOf(authorization);
		const now = Date.now();
		try {
			limiter.count(user, now);
			statuses.push(200);
			return { headers: limiter.headers(user, now), body: respond(url, body) };
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { status, headers, body: refusal } = error.response;
			statuses.push(status);
			return { status, headers: { ...headers, ...limiter.headers(user, now) }, body: refusal };
		}
	});
	const refused = () => statuses.filter((status) => status === 429).length;
	/** The bodies of the requests that were carried out. */
	const accepted = () => server.requests.filter((_, index) => statuses[index] === 200);
	return { server, refused, accepted };
}

const phoneIn = (body: unknown) => (body as { phone_number: string }).phone_number;

const createLead = (_url: string, body: unknown) => ({
	message: 'Lead created successfully',
	data: { phone_number: phoneIn(body) },
});

const phonesOf = (items: Array<{ phone: string }>) => items.map(({ phone }) => phone);

describe('at a service that announces its limit, a run alone', () => {
	it.each<[number, number, Form]>([
		[60, 20, 'x-seconds'],
		[60, 20, 'x-fraction'],
		[60, 20, 'x-time'],
		[60, 20, 'x-time-ms'],
		[60, 20, 'ietf-three'],
		[60, 20, 'ietf-one'],
		[60, 20, 'ietf-policy'],
		[1_000, 100, 'x-fraction'],
	])(
		'of %i leads, %i in 3 s, as %s, gets no 429',
		async (count, requests, form) => {
			skipWaits();
			const { server, refused, accepted } = await startLimited(requests, form, createLead);
			const items = people(count);
			const { output, error } = await n8nAt(server).runNode({ parameters: leadPerItem, items });
			expect(error).toBeUndefined();
			expect(refused()).toBe(0);
			expect(output[0].map(({ json }) => json.phone_number)).toEqual(phonesOf(items));
			expect(
				accepted()
					.map(({ body }) => phoneIn(body))
					.sort(),
			).toEqual(phonesOf(items).sort());
		},
		60_000,
	);

	it('reads all pages of a list', async () => {
		skipWaits();
		const { server, refused } = await startLimited(10, 'x-fraction', (url) => {
			const page = pageIn(url);
			const data = Array.from({ length: 100 }, (_, index) => ({ id: page * 100 + index }));
			return { data, current_page: page, last_page: 40, per_page: 100, total: 4_000 };
		});
		const parameters = { resource: 'call', operation: 'getAll', returnAll: true };
		const { output, error } = await n8nAt(server).runNode({ parameters, items: [{}] });
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(4_000);
		expect(refused()).toBe(0);
	});

	it('of several accounts has the limit of each', async () => {
		skipWaits();
		const { server, refused } = await startLimited(20, 'x-fraction', createLead);
		const items = people(200).map((person, index) => ({ ...person, token: `T${index % 2}` }));
		const n8n = n8nAt(server, '={{ $json.token }}');
		const { output, error } = await n8n.runNode({ parameters: leadPerItem, items });
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json.phone_number)).toEqual(phonesOf(items));
		expect(refused()).toBe(0);
	});
});

it('at a service that announces nothing, the run learns of the limit from refusals', async () => {
	skipWaits();
	const { server, refused } = await startLimited(20, 'none', createLead);
	const { output } = await n8nAt(server).runNode({ parameters: leadPerItem, items: people(60) });
	expect(output[0]).toHaveLength(60);
	expect(refused()).toBeGreaterThan(0);
});

it('two runs at once are refused at times, but lose nothing and send nothing twice', async () => {
	skipWaits();
	const { server, accepted } = await startLimited(20, 'x-fraction', createLead);
	const requestOptions = { maxConcurrentRequests: 5 };
	const parameters = { ...leadPerItem, requestOptions };
	const halves = [people(100).slice(0, 50), people(100).slice(50)];
	const runs = await Promise.all(
		halves.map(async (items) => await n8nAt(server).runNode({ parameters, items })),
	);
	expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
	expect(
		accepted()
			.map(({ body }) => phoneIn(body))
			.sort(),
	).toEqual(phonesOf(people(100)));
});
