import { describe, expect, it } from '@jest/globals';
import {
	assistantRecord,
	completeCall,
	enableWebhook,
	newestCall,
	setCampaign,
	startCall,
} from './support/calls.mts';
import { sendRequest } from './support/client.mts';
import { startReceiver } from './support/receiver.mts';
import { runningCampaign } from './support/seed.mts';
import { startService, type SandboxOptions, type Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { onlyInFull } from '../../test/support/sample.mts';

/** Alice's assistant 1 is recorded and evaluated. */
const evaluated = () =>
	runningCampaign([], { assistant: { record_call: true, post_call_evaluation: true } });

const weatherOf = async ({ control }: Service): Promise<Array<string[] | undefined>> =>
	(await control.requests()).map(({ weather }) => weather);

const events = async ({ control }: Service, kind = 'weather'): Promise<string[]> =>
	(await control.events({ kind })).map(({ text }) => text).reverse();

/** How long something takes, in milliseconds. */
async function timeOf(work: Promise<unknown>): Promise<number> {
	const begin = performance.now();
	await work;
	return performance.now() - begin;
}

async function receiverForTest() {
	const receiver = await startReceiver();
	return { ...receiver, [Symbol.asyncDispose]: () => receiver.close() };
}

describe('each part alone', () => {
	it('read-time: a read takes longer in real time, a change does not, and a refused token neither', async () => {
		await using own = await startOwnService({
			assume: { 'read-time': { from: 'PT0.2S', to: 'PT0.3S' } },
		});
		const time = await timeOf(own.alice.get('/user/calls'));
		expect(time).toBeGreaterThanOrEqual(199);
		await setCampaign(own, 'start');
		await own.as('unknown').get('/user/calls');
		expect(await weatherOf(own)).toEqual([
			[expect.stringMatching(/^The weather delayed it by 0\.[23]\d* s\.$/)],
			undefined,
			undefined,
		]);
	});

	onlyInFull(it)(
		'change-time: a change takes longer, and is made only then; some are slow',
		async () => {
			const slow = { one_in: 2, time: 'PT0.4S' };
			await using own = await startOwnService({
				assume: { 'change-time': { from: 'PT0.1S', to: 'PT0.2S', slow } },
			});
			for (let count = 0; count < 10; count++) await setCampaign(own, 'stop');
			const times = (await weatherOf(own)).map((said) =>
				Number(/by (.+) s/.exec(String(said))?.[1]),
			);
			const slowOnes = times.filter((time) => time === 0.4);
			expect(slowOnes.length).toBeGreaterThan(0);
			expect(slowOnes.length).toBeLessThan(10);
			for (const time of times.filter((each) => each !== 0.4)) {
				expect(time).toBeGreaterThanOrEqual(0.1);
				expect(time).toBeLessThanOrEqual(0.2);
			}
			const change = enableWebhook(own.alice, 1, 'https://one.example/');
			expect(await assistantRecord(own.alice, 1)).toMatchObject({ webhook_url: null });
			await change;
			expect(await assistantRecord(own.alice, 1)).toMatchObject({
				webhook_url: 'https://one.example/',
			});
		},
	);

	it('rate-limit: unannounced, and a window also ends while the clock of the sandbox stands still', async () => {
		await using own = await startOwnService({
			assume: { 'rate-limit': { requests: 10, per: 'PT1S' } },
		});
		const get = () => own.alice.get('/user/calls');
		const responses = await Promise.all(Array.from({ length: 12 }, get));
		const refused = responses.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(2);
		for (const { headers } of responses) expect(headers.get('x-ratelimit-limit')).toBeNull();
		for (const { headers } of refused) expect(headers.get('retry-after')).toBe('1');
		await waitUntil(async () => (await get()).status === 200);
	});

	it('gateway-timeouts: a change that is carried out is answered 408 with a page, a refused one and a read are not', async () => {
		await using own = await startOwnService({ assume: { 'gateway-timeouts': 1 } });
		const json = { campaign_id: 1, phone_number: '+4915112345699' };
		const send = () => own.alice.request('POST', '/user/lead', { json, ignoreContract: true });
		const { status, headers, text } = await send();
		expect([status, headers.get('content-type')]).toEqual([408, 'text/html; charset=utf-8']);
		expect(text).toMatch(/^<!doctype html>/);
		// The lead is there: the same number is a duplicate.
		expect((await send()).status).toBe(422);
		expect((await own.alice.get('/user/calls')).status).toBe(200);
		expect((await weatherOf(own))[0]).toEqual([
			'The weather answered 408, although it was carried out.',
		]);
		expect((await events(own, 'request-refused'))[0]).toBe(
			'POST /api/user/lead for +4915112345699 was answered 408. The weather answered 408, although it was carried out.',
		);
	});

	it('call-result-time: a call has no result at its end, and its webhook comes with the result', async () => {
		await using receiver = await receiverForTest();
		await using own = await startOwnService({
			seed: evaluated(),
			assume: { 'call-result-time': { from: 'PT2S', to: 'PT6S' } },
		});
		await enableWebhook(own.alice, 1, receiver.url, { include_recording_in_webhook: true });
		const { id } = await startCall(own);
		await own.control.advance('PT69S');
		const ended = await newestCall(own.alice);
		expect(ended).toMatchObject({
			...{ status: 'completed', duration: 60, transcript: '', evaluation: {} },
			answered_by: 'human',
		});
		expect(ended).not.toHaveProperty('recording_url');
		const address = new URL(`/recordings/call-${id}.wav`, own.url);
		expect((await sendRequest(address)).status).toBe(404);
		expect(receiver.arrivals).toEqual([]);

		// Until the result is there, which the file may not be.
		let call = ended;
		for (let second = 0; second < 6 && call.transcript === ''; second++) {
			await own.control.advance('PT1S');
			call = await newestCall(own.alice);
		}
		expect(call).toMatchObject({
			transcript: expect.stringMatching(/^Assistant: /),
			evaluation: { score: expect.any(Number) },
			recording_url: address.href,
			updated_at: ended.updated_at,
		});
		expect(receiver.arrivals).toMatchObject([
			{ body: { transcript: call.transcript, recording_url: address.href } },
		]);
		expect((await events(own))[0]).toMatch(
			/^The transcript of call 1 to \S+ came [2-6](\.\d+)? s /,
		);
		await own.control.advance('PT5S');
		expect((await sendRequest(address)).status).toBe(200);
	});

	it('call-result-time: a recording whose address is known can be missing still', async () => {
		await using own = await startOwnService({
			seed: evaluated(),
			assume: { 'call-result-time': { from: 'PT0S', to: 'PT10M' } },
		});
		await startCall(own);
		await own.control.advance('PT69S');
		let recording: unknown;
		for (let minute = 0; minute < 10 && recording === undefined; minute++) {
			await own.control.advance('PT59S');
			recording = (await newestCall(own.alice)).recording_url;
		}
		expect((await sendRequest(String(recording))).status).toBe(404);
		await own.control.advance('PT10M');
		expect((await sendRequest(String(recording))).status).toBe(200);
	});

	it('call-result-time: a call that nobody answered is complete at its end', async () => {
		await using receiver = await receiverForTest();
		await using own = await startOwnService({
			assume: { 'call-result-time': { from: 'PT1H', to: 'PT1H' } },
		});
		await enableWebhook(own.alice, 1, receiver.url);
		await completeCall(own, { scenario: 'busy' });
		expect(receiver.arrivals).toMatchObject([{ body: { status: 'busy' } }]);
	});
});

describe('ordinary weather', () => {
	/** What the same requests meet. */
	async function meet(options: SandboxOptions) {
		await using own = await startOwnService(options);
		for (let count = 0; count < 4; count++) {
			await own.alice.get('/user/calls');
			await own.alice.request('POST', '/user/campaigns/update-status', {
				json: { campaign_id: 1, action: 'stop' },
				ignoreContract: true,
			});
		}
		return await weatherOf(own);
	}
	const delays = (met: Array<string[] | undefined>) =>
		met.map((said) => Number(/by (.+) s/.exec(String(said))?.[1]));

	it('has all parts, in the scale that is given, and the same for the same seed', async () => {
		const met = await meet({ weather: { scale: 0.01, seed: 7 } });
		for (const [index, delay] of delays(met).entries()) {
			const isRead = index % 2 === 0;
			expect(delay).toBeGreaterThanOrEqual(isRead ? 0.001 : 0.005);
			expect(delay).toBeLessThanOrEqual(isRead ? 0.01 : 0.08);
		}
		expect(await meet({ weather: { scale: 0.01, seed: 7 } })).toEqual(met);
		expect(await meet({ weather: { scale: 0.01, seed: 8 } })).not.toEqual(met);
	});

	it('yields to a file and to values that are assumed', async () => {
		const weather = { scale: 0.01 };
		const assume = { 'read-time': null, 'rate-limit': null, 'gateway-timeouts': null };
		await using own = await startOwnService({ weather, assume });
		const get = () => own.alice.get('/user/calls');
		const responses = await Promise.all(Array.from({ length: 20 }, get));
		expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
		expect(new Set(await weatherOf(own))).toEqual(new Set([undefined]));
	});

	it('begins and ends while the sandbox runs, and a reset goes back to that of the start', async () => {
		await using own = await startOwnService();
		const weather = async () =>
			((await own.control.request('GET', '/health')).body as { weather: string }).weather;
		const get = async () => {
			await own.alice.get('/user/calls');
			return (await weatherOf(own)).at(-1);
		};
		expect([await weather(), await get()]).toEqual(['fair', undefined]);
		await own.control.setWeather('ordinary', 0.01);
		expect([await weather(), await get()]).toEqual([
			'ordinary',
			[expect.stringMatching(/^The weather delayed it by 0\.0\d* s\.$/)],
		]);
		await own.control.setWeather('fair');
		expect([await weather(), await get()]).toEqual(['fair', undefined]);
		await own.control.setWeather('ordinary');
		expect(await events(own, 'sandbox')).toEqual([
			'The weather is ordinary now.',
			'The weather is fair now.',
			'The weather is ordinary now.',
		]);
		await own.reset();
		expect(await weather()).toBe('fair');
	});

	it('the same requests meet the same weather after a reset', async () => {
		await using own = await startOwnService({ weather: { scale: 0.01 } });
		const meetAgain = async () => {
			for (let count = 0; count < 3; count++) await own.alice.get('/user/calls');
			return await weatherOf(own);
		};
		const met = await meetAgain();
		await own.reset();
		expect(await meetAgain()).toEqual(met);
	});

	it('a request in its delay does not hold up the end of the sandbox, and changes nothing', async () => {
		const own = await startService({
			assume: { 'change-time': { from: 'PT1M', to: 'PT1M' } },
		});
		const change = setCampaign(own, 'start').catch((error: unknown) => error);
		await waitUntil(async () => (await own.control.requests()).length === 1);
		const time = await timeOf(own.close());
		expect(time).toBeLessThan(5_000);
		expect(await change).toBeInstanceOf(Error);
	});

	it.each([0, -1, 101])('the scale %d is refused', async (scale) => {
		await expect(startService({ weather: { scale } })).rejects.toThrow(
			'The scale of the weather must be above 0, at most 100.',
		);
	});
});

/** Looks again until something is so. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
	const end = performance.now() + 10_000;
	while (!(await isSo())) {
		if (performance.now() > end) throw new Error('It did not become so within ten seconds.');
	}
}
