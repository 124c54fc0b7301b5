import { describe, expect, it } from '@jest/globals';
import { A_CALL, completeCall, enableWebhook, newestCall, startCall } from './support/calls.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { closedAddress, type Receiver } from './support/receiver.mts';
import { expectResponse } from './support/responses.mts';
import { type Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { serviceAndReceiver, getWebhooks } from './support/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { paths, only } = getWebhooks(service, receiver);
const disable = ({ alice }: Service) =>
	alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });

/** Starts a sandbox with other assumptions, in which an assistant with a webhook makes a call. */
const withAssumptions = async (assumptions: JsonObject, proof: (own: Service) => Promise<void>) => {
	await using own = await startOwnService({ assume: assumptions });
	await enableWebhook(own.alice, 1, receiver.url);
	await startCall(own);
	await proof(own);
};

describe('the result of a delivery, in webhook_response', () => {
	type Responder = Parameters<Receiver['respondWith']>[0];
	const resultFrom = async (url: string) => {
		await enableWebhook(service.alice, 1, url);
		return asObject((await completeCall(service)).webhook_response, 'webhook_response');
	};

	type Row = [what: string, status: number, headers: Record<string, string>, body: string];
	it.each<Row>([
		...[200, 201, 400, 404, 500, 503].map((status): Row => [
			'JSON',
			status,
			{ 'Content-Type': 'application/json' },
			'{"seen":"yes"}',
		]),
		['an empty answer', 204, {}, ''],
		['an HTML page', 502, { 'Content-Type': 'text/html' }, '<h1>'],
		...[301, 302, 307, 308].map((status): Row => [
			'a redirect, which is not followed',
			status,
			{ Location: '/elsewhere' },
			'',
		]),
	])('of %s with status %d', async (_what, status, headers, body) => {
		receiver.respond(status, body, headers);
		expect(await resultFrom(receiver.url)).toMatchObject({ status, ...(body && { body }) });
		expect(paths()).toEqual(['/']);
	});

	it('of a connection that is refused or breaks off is an error in words', async () => {
		receiver.respondWith((_arrival, response) => response.destroy());
		for (const url of [await closedAddress(), receiver.url]) {
			expect(await resultFrom(url)).toEqual({ error: expect.stringMatching(/\w/) });
		}
	});

	it.each<[string, Responder]>([
		['does not answer in time', () => undefined],
		['never finishes its answer', (_arrival, response) => response.writeHead(200).write('{')],
	])('of a receiver that %s is an error in words', async (_what, responder) => {
		receiver.respondWith(responder);
		await withAssumptions({ 'webhook-timeout': 'PT0.2S' }, async (own) => {
			expect((await newestCall(own.alice)).webhook_response).toEqual({});
			await own.control.advance(A_CALL);
			expect((await newestCall(own.alice)).webhook_response).toEqual({
				error: expect.stringMatching(/\w/),
			});
		});
	});
});

describe('the list of deliveries', () => {
	const deliver = async (url: string) => {
		await enableWebhook(service.alice, 1, url);
		await completeCall(service);
		return service.control.deliveries();
	};

	it('shows each webhook: where to, what, and how it ended', async () => {
		const deliveries = await deliver(`${receiver.url}/hook`);
		expect(deliveries).toEqual([
			{
				id: expect.any(Number),
				event: 'postCall',
				call_id: (await newestCall(service.alice)).id,
				assistant_id: 1,
				url: `${receiver.url}/hook`,
				body: only().body,
				attempts: [{ at: expect.any(String), cause: 'first', status: 200, error: null }],
				state: 'delivered',
				next_attempt_at: null,
				next_cause: null,
			},
		]);
	});

	describe('sends one again', () => {
		const expectNewestEvent = async (words: RegExp) =>
			expect((await service.control.events({ limit: 1 }))[0]?.text).toMatch(words);
		const replay = (id: unknown, body: unknown = {}) =>
			service.control.request('POST', `/deliveries/${String(id)}/replay`, body);

		it('as a new attempt with the same body, and answers when it is done', async () => {
			receiver.respond(503);
			const [failed] = await deliver(receiver.url);
			expect(failed).toMatchObject({ state: 'failed' });
			receiver.respond(202, 'better');
			const response = await replay(failed?.id);
			expectResponse(response, 200, {
				...failed,
				state: 'delivered',
				attempts: [
					expect.objectContaining({ status: 503 }),
					expect.objectContaining({ cause: 'replay', status: 202, error: null }),
				],
			});
			const [first, ...others] = receiver.arrivals.map(({ text }) => text);
			expect(others).toEqual([first]);
			expect((await newestCall(service.alice)).webhook_response).toEqual({
				status: 202,
				body: 'better',
			});
			await expectNewestEvent(/^The webhook of call \d+ was sent again and delivered to /);
		});

		it('to the URL that is set now, and to none, without losing its outcome, when disabled', async () => {
			const [delivery] = await deliver(`${receiver.url}/old`);
			await enableWebhook(service.alice, 1, `${receiver.url}/new`);
			expect((await replay(delivery?.id)).body).toMatchObject({ state: 'delivered' });
			await disable(service);
			expect((await replay(delivery?.id)).body).toMatchObject({ state: 'delivered' });
			expect(paths()).toEqual(['/old', '/new']);
			await expectNewestEvent(/was not sent again/);
			await enableWebhook(service.alice, 1, receiver.url);
			receiver.respond(503);
			expect((await replay(delivery?.id)).body).toMatchObject({ state: 'failed' });
			await expectNewestEvent(/was sent again and failed: the receiver answered 503\./);
			await disable(service);
			expect((await replay(delivery?.id)).body).toMatchObject({ state: 'failed' });
		});

		it('but not one that is not there, or has not been made yet', async () => {
			for (const id of [1, 0, 'x']) expect((await replay(id)).status).toBe(404);
			await withAssumptions({ 'webhook-delay': 'PT1H' }, async (own) => {
				await own.control.advance(A_CALL);
				const response = await own.control.request('POST', '/deliveries/1/replay', {});
				expect(response.status).toBe(422);
				expect(receiver.arrivals).toEqual([]);
			});
			const [delivery] = await deliver(receiver.url);
			expect((await replay(delivery?.id, { times: 2 })).status).toBe(422);
		});
	});
});

describe('what is off by default can be switched on', () => {
	it('repetition: ends when the webhook is disabled meanwhile', async () => {
		receiver.respond(500);
		await withAssumptions({ 'webhook-retries': ['PT1H'] }, async (own) => {
			await own.control.advance(A_CALL);
			expect(await own.control.deliveries()).toMatchObject([{ state: 'pending' }]);
			await disable(own);
			await own.control.advance('P1D');
			expect(receiver.arrivals).toHaveLength(1);
			expect(await own.control.deliveries()).toMatchObject([{ state: 'cancelled' }]);
		});
	});
});
