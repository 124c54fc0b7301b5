import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { A_CALL, callsOf, enableWebhook } from '../support/sandbox/calls.mts';
import { asObject, type JsonObject } from '../support/sandbox/contract.mts';
import { type Receiver } from '../support/sandbox/receiver.mts';
import { expectResponse } from '../support/sandbox/responses.mts';
import { type Service } from '../support/sandbox/service.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import {
	UNFINISHED_STATUSES,
	LEAD_PHONE_NUMBER,
	serviceAndReceiver,
	webhooksOf,
} from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { outbound, inbound, enableInbound, newestCall, paths, only } = webhooksOf(service, receiver);

/** Starts a sandbox with other assumptions, in which an assistant with a webhook makes a call. */
const withAssumptions = async (assumptions: JsonObject, proof: (own: Service) => Promise<void>) => {
	await using own = await startOwnService({ assume: assumptions });
	await enableWebhook(own.alice, 1, receiver.url);
	await own.control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER });
	await proof(own);
};

describe('the result of a delivery, in webhook_response', () => {
	const resultFrom = async (url: string) => {
		await enableWebhook(service.alice, 1, url);
		await outbound();
		await service.control.advance(A_CALL);
		return asObject((await newestCall()).webhook_response, 'webhook_response');
	};

	it.each([200, 201, 400, 404, 500, 503])(
		'of an answer %d is its status and its body',
		async (status) => {
			receiver.respondWith((_arrival, response) =>
				response
					.writeHead(status, { 'Content-Type': 'application/json' })
					.end('{"seen":"by the receiver"}'),
			);
			const result = await resultFrom(receiver.url);
			expect(result.status).toBe(status);
			expect(JSON.stringify(result.body)).toContain('by the receiver');
			expect(receiver.arrivals).toHaveLength(1);
		},
	);

	it('of an empty answer', async () => {
		receiver.respondWith((_arrival, response) => response.writeHead(204).end());
		expect(await resultFrom(receiver.url)).toMatchObject({ status: 204 });
	});

	it('of an HTML page', async () => {
		receiver.respondWith((_arrival, response) =>
			response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>'),
		);
		expect(await resultFrom(receiver.url)).toMatchObject({
			status: 502,
			body: '<h1>Bad gateway</h1>',
		});
	});

	it.each([301, 302, 307, 308])('of a redirect %d, which is not followed', async (status) => {
		receiver.respondWith(({ path }, response) =>
			path === '/elsewhere'
				? response.writeHead(200).end()
				: response.writeHead(status, { Location: `${receiver.url}/elsewhere` }).end(),
		);
		expect(await resultFrom(receiver.url)).toMatchObject({ status });
		expect(paths()).toEqual(['/']);
	});

	it('of a connection that is refused is an error in words', async () => {
		const closed = createServer().listen(0, '127.0.0.1');
		await once(closed, 'listening');
		const { port } = closed.address() as AddressInfo;
		closed.close();
		await once(closed, 'close');
		const result = await resultFrom(`http://127.0.0.1:${port}/`);
		expect(result).toEqual({ error: expect.stringMatching(/\w/) });
	});

	it('of a connection that breaks off is an error in words', async () => {
		receiver.respondWith((_arrival, response) => response.destroy());
		expect(await resultFrom(receiver.url)).toEqual({ error: expect.stringMatching(/\w/) });
	});

	it.each<[string, Parameters<Receiver['respondWith']>[0]]>([
		['does not answer in time', () => undefined],
		['never finishes its answer', (_arrival, response) => response.writeHead(200).write('{')],
	])('of a receiver that %s is an error in words', async (_what, responder) => {
		receiver.respondWith(responder);
		await withAssumptions({ 'webhook-timeout': 'PT0.2S' }, async (own) => {
			await own.control.advance(A_CALL);
			expect((await callsOf(own.alice))[0]?.webhook_response).toEqual({
				error: expect.stringMatching(/\w/),
			});
		});
	});

	it('is empty until the call is over', async () => {
		await enableWebhook(service.alice, 1, receiver.url);
		await outbound();
		expect((await newestCall()).webhook_response).toEqual({});
	});
});

describe('the list of deliveries', () => {
	const deliver = async (url: string) => {
		await enableWebhook(service.alice, 1, url);
		await outbound();
		await service.control.advance(A_CALL);
		return service.control.deliveries();
	};

	it('shows each webhook: where to, what, and how it ended', async () => {
		const deliveries = await deliver(`${receiver.url}/hook`);
		expect(deliveries).toEqual([
			{
				id: expect.any(Number),
				event: 'postCall',
				call_id: (await newestCall()).id,
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

	it('shows what failed, and why', async () => {
		receiver.respondWith((_arrival, response) => response.destroy());
		expect(await deliver(receiver.url)).toEqual([
			expect.objectContaining({
				state: 'failed',
				attempts: [expect.objectContaining({ error: expect.stringMatching(/\w/) })],
			}),
		]);
	});

	describe('sends one again', () => {
		const replay = (id: unknown, body: unknown = {}) =>
			service.control.request('POST', `/deliveries/${String(id)}/replay`, body);

		it('as a new attempt with the same body, and answers when it is done', async () => {
			receiver.respondWith((_arrival, response) => response.writeHead(503).end());
			const [failed] = await deliver(receiver.url);
			expect(failed).toMatchObject({ state: 'failed' });
			receiver.respondWith((_arrival, response) => response.writeHead(202).end('better'));
			const response = await replay(failed?.id);
			expectResponse(response, 200, {
				...failed,
				state: 'delivered',
				attempts: [
					expect.objectContaining({ status: 503 }),
					expect.objectContaining({ cause: 'replay', status: 202, error: null }),
				],
			});
			expect(receiver.arrivals.map(({ text }) => text)).toEqual(
				Array.from({ length: 2 }, () => receiver.arrivals[0]?.text),
			);
			expect((await newestCall()).webhook_response).toEqual({ status: 202, body: 'better' });
			expect(await service.control.events({ limit: 1 })).toMatchObject([
				{
					text: expect.stringMatching(/^The webhook of call \d+ was sent again and delivered to /),
				},
			]);
		});

		it('to the URL that is set now, and to none, without losing its outcome, when disabled', async () => {
			const [delivery] = await deliver(`${receiver.url}/old`);
			await enableWebhook(service.alice, 1, `${receiver.url}/new`);
			expect((await replay(delivery?.id)).body).toMatchObject({ state: 'delivered' });
			await service.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
			expect((await replay(delivery?.id)).body).toMatchObject({ state: 'delivered' });
			expect(paths()).toEqual(['/old', '/new']);
			expect(await service.control.events({ limit: 1 })).toMatchObject([
				{ kind: 'webhook-cancelled', text: expect.stringContaining('was not sent again') },
			]);
			await enableWebhook(service.alice, 1, receiver.url);
			receiver.respondWith((_arrival, answer) => answer.writeHead(503).end());
			expect((await replay(delivery?.id)).body).toMatchObject({ state: 'failed' });
			expect(await service.control.events({ limit: 1 })).toMatchObject([
				{ text: expect.stringContaining('was sent again and failed: the receiver answered 503.') },
			]);
			await service.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
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

	it('shows both webhooks of an inbound call', async () => {
		await enableWebhook(service.alice, 2, receiver.url);
		await enableInbound(receiver.url);
		await inbound();
		await service.control.advance(A_CALL);
		const events = (await service.control.deliveries()).map((delivery) => delivery.event);
		expect(events.sort()).toEqual(['inboundCall', 'postCall']);
	});
});

describe('what is off by default can be switched on', () => {
	/** Advances second by second until the call has ended. */
	const callEnds = async (own: Service) => {
		for (let second = 0; second < 1800; second += 1) {
			const [call] = await callsOf(own.alice);
			if (!UNFINISHED_STATUSES.includes(String(call?.status))) return;
			await own.control.advance('PT1S');
		}
		throw new Error('the call did not end within half an hour');
	};

	it('nothing is repeated by default', async () => {
		receiver.respondWith((_arrival, response) => response.writeHead(500).end());
		await withAssumptions({}, async (own) => {
			await own.control.advance('P1D');
			expect(receiver.arrivals).toHaveLength(1);
		});
	});

	it('repetition: after each of the waits, until a 2xx', async () => {
		let failures = 2;
		receiver.respondWith((_arrival, response) => {
			failures -= 1;
			response.writeHead(failures >= 0 ? 503 : 200).end();
		});
		await withAssumptions({ 'webhook-retries': ['PT30S', 'PT1M', 'PT2M'] }, async (own) => {
			await callEnds(own);
			expect(receiver.arrivals).toHaveLength(1);
			const steps: [advance: string, arrived: number][] = [
				['PT28S', 1],
				['PT3S', 2],
				['PT57S', 2],
				['PT5S', 3],
				['PT1H', 3],
			];
			for (const [advance, arrived] of steps) {
				await own.control.advance(advance);
				expect({ advance, arrived: receiver.arrivals.length }).toEqual({ advance, arrived });
			}
			const bodies = receiver.arrivals.map((arrival) => arrival.text);
			expect(new Set(bodies).size).toBe(1);
			expect((await callsOf(own.alice))[0]?.webhook_response).toMatchObject({ status: 200 });
		});
	});

	it('repetition: ends after the last wait, and the last result is kept', async () => {
		let attempt = 0;
		receiver.respondWith((_arrival, response) => {
			attempt += 1;
			response.writeHead(500 + attempt).end();
		});
		await withAssumptions({ 'webhook-retries': ['PT30S', 'PT1M'] }, async (own) => {
			await own.control.advance('P1D');
			expect(receiver.arrivals).toHaveLength(3);
			expect((await callsOf(own.alice))[0]?.webhook_response).toMatchObject({ status: 503 });
		});
	});

	it('repetition: ends when the webhook is disabled meanwhile', async () => {
		receiver.respondWith((_arrival, response) => response.writeHead(500).end());
		await withAssumptions({ 'webhook-retries': ['PT1H'] }, async (own) => {
			await own.control.advance(A_CALL);
			expect(await own.control.deliveries()).toEqual([
				expect.objectContaining({ state: 'pending' }),
			]);
			await own.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
			await own.control.advance('P1D');
			expect(receiver.arrivals).toHaveLength(1);
			expect(await own.control.deliveries()).toEqual([
				expect.objectContaining({ state: 'cancelled' }),
			]);
		});
	});

	it('a delay between the end of the call and the webhook', async () => {
		await withAssumptions({ 'webhook-delay': 'PT20S' }, async (own) => {
			await callEnds(own);
			expect(receiver.arrivals).toEqual([]);
			await own.control.advance('PT18S');
			expect(receiver.arrivals).toEqual([]);
			await own.control.advance('PT3S');
			expect(receiver.arrivals).toHaveLength(1);
		});
	});

	it('a signature over the body, in the header that is asked for', async () => {
		await withAssumptions(
			{ 'webhook-signature': { header: 'X-Signature-256', secret: 's3cret' } },
			async (own) => {
				await own.control.advance(A_CALL);
				const { headers, text } = only();
				expect(headers['x-signature-256']).toBe(
					createHmac('sha256', 's3cret').update(text).digest('hex'),
				);
			},
		);
	});
});
