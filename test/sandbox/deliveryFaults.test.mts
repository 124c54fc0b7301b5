import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

import { A_CALL, callsOf, enableWebhook } from '../support/sandbox/calls.mts';
import { folderPerTest } from '../support/sandbox/process.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { LEAD_PHONE_NUMBER, serviceAndReceiver, webhooksOf } from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { outbound, inbound, enableInbound, newestCall } = webhooksOf(service, receiver);
const folder = folderPerTest();

const refuse = (times: number) => {
	let left = times;
	receiver.respondWith((_arrival, response) => {
		left -= 1;
		response.writeHead(left >= 0 ? 503 : 200).end();
	});
};
const theDelivery = async () => {
	const deliveries = await service.control.deliveries();
	expect(deliveries).toHaveLength(1);
	return deliveries[0];
};
const callOnce = async () => {
	await enableWebhook(service.alice, 1, receiver.url);
	await outbound();
	await service.control.advance(A_CALL);
};

describe('duplicates', () => {
	it('are sent after the first, with the same body, and are told in the record', async () => {
		const rule = { target: 'deliveries', duplicate: 2 } as const;
		const { id } = await service.control.fault(rule);
		await callOnce();
		expect(receiver.arrivals).toHaveLength(3);
		expect(new Set(receiver.arrivals.map(({ text }) => text)).size).toBe(1);
		expect(await theDelivery()).toMatchObject({
			state: 'delivered',
			attempts: ['first', 'duplicate', 'duplicate'].map((cause) => ({ cause, status: 200 })),
			fault_rule: { id, ...rule },
			next_cause: null,
		});
		expect(await service.control.faults()).toEqual([]);
		await outbound();
		await service.control.advance(A_CALL);
		expect(receiver.arrivals).toHaveLength(4);
	});

	it('that are refused change neither the state nor the response of the call', async () => {
		receiver.respondWith((_arrival, response) =>
			response.writeHead(receiver.arrivals.length === 1 ? 200 : 409).end(),
		);
		await service.control.fault({ target: 'deliveries', duplicate: 1 });
		await callOnce();
		expect(await theDelivery()).toMatchObject({
			state: 'delivered',
			attempts: [{ status: 200 }, { cause: 'duplicate', status: 409 }],
		});
		expect((await newestCall()).webhook_response).toMatchObject({ status: 200 });
	});

	it('are not sent of a webhook that failed', async () => {
		refuse(1);
		await service.control.fault({ target: 'deliveries', duplicate: 1 });
		await callOnce();
		expect(await theDelivery()).toMatchObject({ state: 'failed', attempts: [{ status: 503 }] });
		expect(receiver.arrivals).toHaveLength(1);
	});
});

it('a delay counts in the time of the sandbox, from the end of the call', async () => {
	await service.control.fault({ target: 'deliveries', delay: 'PT1H' });
	await callOnce();
	expect(receiver.arrivals).toEqual([]);
	expect(await theDelivery()).toMatchObject({
		state: 'pending',
		attempts: [],
		next_cause: 'first',
	});
	await service.control.advance('PT1H');
	expect(receiver.arrivals).toHaveLength(1);
	expect(await theDelivery()).toMatchObject({ state: 'delivered', attempts: [{ cause: 'first' }] });
});

describe('retries', () => {
	it('follow the schedule until the receiver accepts', async () => {
		refuse(2);
		await service.control.fault({ target: 'deliveries', retry: ['PT1H', 'PT2H', 'PT3H'] });
		await callOnce();
		expect(await theDelivery()).toMatchObject({ state: 'pending', next_cause: 'retry' });
		for (const [span, arrived] of [
			['PT1H', 2],
			['PT1H', 2],
			['PT1H', 3],
			['P1D', 3],
		] as const) {
			await service.control.advance(span);
			expect({ span, arrived: receiver.arrivals.length }).toEqual({ span, arrived });
		}
		expect(await theDelivery()).toMatchObject({
			state: 'delivered',
			attempts: [
				{ cause: 'first', status: 503 },
				{ cause: 'retry', status: 503 },
				{ cause: 'retry', status: 200 },
			],
		});
		expect((await newestCall()).webhook_response).toMatchObject({ status: 200 });
	});

	it('end after the last wait', async () => {
		refuse(9);
		await service.control.fault({ target: 'deliveries', retry: ['PT5S'] });
		await callOnce();
		expect(await theDelivery()).toMatchObject({
			state: 'failed',
			attempts: [{}, { cause: 'retry' }],
		});
	});

	it('do not follow a replay', async () => {
		const retry = ['PT5S', 'PT1M'];
		await service.control.fault({ target: 'deliveries', retry });
		await callOnce();
		expect(await theDelivery()).toMatchObject({ state: 'delivered', attempts: [{}] });
		refuse(9);
		await service.control.request('POST', '/deliveries/1/replay', {});
		expect(await theDelivery()).toMatchObject({
			state: 'failed',
			attempts: [{}, { cause: 'replay', status: 503 }],
			next_cause: null,
		});
	});

	it('replace those that are assumed, and are followed by duplicates', async () => {
		refuse(1);
		await using own = await startOwnService({ assume: { 'webhook-retries': ['P1D', 'P1D'] } });
		await own.control.fault({ target: 'deliveries', retry: ['PT5S'], duplicate: 1, delay: 'PT1M' });
		await enableWebhook(own.alice, 1, receiver.url);
		await own.control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER });
		await own.control.advance(A_CALL);
		const causes = (await own.control.deliveries())[0]?.attempts.map(({ cause }) => cause);
		expect(causes).toEqual(['first', 'retry', 'duplicate']);
	});
});

describe('a rule tells webhooks by', () => {
	const events = async () => {
		await enableWebhook(service.alice, 2, receiver.url);
		await enableInbound(receiver.url);
		await inbound();
		await service.control.advance(A_CALL);
		const deliveries = await service.control.deliveries();
		return Object.fromEntries(deliveries.map(({ event, attempts }) => [event, attempts.length]));
	};

	it('their event', async () => {
		await service.control.fault({
			target: 'deliveries',
			event: 'inboundCall',
			duplicate: 1,
			times: 5,
		});
		expect(await events()).toEqual({ postCall: 1, inboundCall: 2 });
		expect(await service.control.faults()).toMatchObject([{ times: 4 }]);
	});

	it('their assistant', async () => {
		await service.control.fault({ target: 'deliveries', assistant_id: 1, duplicate: 3, times: 9 });
		await service.control.fault({ target: 'deliveries', assistant_id: 2, duplicate: 1, times: 9 });
		expect(await events()).toEqual({ postCall: 2, inboundCall: 2 });
	});

	it('their number, their time and their luck', async () => {
		await service.control.fault({ target: 'deliveries', duplicate: 1, skip_first: 1, times: 9 });
		expect(await events()).toEqual({ postCall: 1, inboundCall: 2 });
		await service.reset();
		await service.control.fault({ target: 'deliveries', duplicate: 1, times: 9, ttl: 'PT1S' });
		expect(await events()).toEqual({ postCall: 1, inboundCall: 1 });
		await service.reset();
		await service.control.fault({
			target: 'deliveries',
			duplicate: 1,
			times: 99,
			probability: 0.5,
		});
		await enableWebhook(service.alice, 1, receiver.url);
		for (let call = 0; call < 40; call += 1) await outbound();
		await service.control.advance(A_CALL);
		const hit = (await service.control.deliveries()).filter(({ attempts }) => attempts.length > 1);
		expect(hit.length).toBeGreaterThan(10);
		expect(hit.length).toBeLessThan(30);
	});
});

it('no rule of deliveries hits requests, and no rule of requests hits deliveries', async () => {
	await service.control.fault({ target: 'deliveries', duplicate: 1, times: 9 });
	expect((await service.alice.get('/user/calls')).status).toBe(200);
	await service.control.fault({ operation: 'sendSms', status: 500, times: 9 });
	await callOnce();
	expect(await service.control.faults()).toMatchObject([{ times: 8 }, { times: 9 }]);
});

it('after a restart the rules are gone, but what they did to a webhook goes on', async () => {
	const dataFile = join(folder(), 'state.db');
	refuse(1);
	{
		await using own = await startOwnService({ dataFile });
		await own.control.fault({
			target: 'deliveries',
			delay: 'PT1H',
			retry: ['PT1H'],
			duplicate: 1,
			times: 9,
		});
		await enableWebhook(own.alice, 1, receiver.url);
		await own.control.outbound({ assistant_id: 1, to: LEAD_PHONE_NUMBER });
		await own.control.advance(A_CALL);
		expect(receiver.arrivals).toEqual([]);
	}
	await using own = await startOwnService({ dataFile });
	expect(await own.control.faults()).toEqual([]);
	await own.control.advance('PT3H');
	const [delivery] = await own.control.deliveries();
	expect(delivery?.attempts.map(({ cause }) => cause)).toEqual(['first', 'retry', 'duplicate']);
	expect((await callsOf(own.alice))[0]?.webhook_response).toMatchObject({ status: 200 });
});
