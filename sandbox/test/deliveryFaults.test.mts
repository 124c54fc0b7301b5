import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

import type { DeliveryFaultRule } from '../client.mts';
import { A_CALL, completeCall, enableWebhook, newestCall } from './support/calls.mts';
import { folderPerTest } from './support/process.mts';
import { startOwnService } from './support/testService.mts';
import { serviceAndReceiver, getWebhooks } from './support/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();
const { inbound, enableInbound } = getWebhooks(service, receiver);
const folder = folderPerTest();

/** Answers the webhooks with these statuses, and further ones with the last of them. */
const respondWith = (...statuses: number[]) =>
	receiver.respondWith((_arrival, response) =>
		response.writeHead(statuses[receiver.arrivals.length - 1] ?? statuses.at(-1) ?? 200).end(),
	);
const addRule = (rule: Omit<DeliveryFaultRule, 'target'>, own = service) =>
	own.control.fault({ target: 'deliveries', ...rule });
const theDelivery = async () => {
	const deliveries = await service.control.deliveries();
	expect(deliveries).toHaveLength(1);
	return deliveries[0];
};
/** @returns the call, after its end and its webhook */
const callOnce = async (own = service) => {
	await enableWebhook(own.alice, 1, receiver.url);
	return completeCall(own);
};

it.each<[rule: Omit<DeliveryFaultRule, 'target'>, statuses: number[], ...causes: string[]]>([
	[{ duplicate: 2 }, [200, 200, 200], 'first', 'duplicate', 'duplicate'],
	[{ duplicate: 1 }, [200, 409], 'first', 'duplicate'],
	[{ duplicate: 1 }, [503], 'first'],
	[{ delay: 'PT1H' }, [200], 'first'],
	[{ retry: ['PT1H', 'PT2H', 'PT3H'] }, [503, 503, 200], 'first', 'retry', 'retry'],
	[{ retry: ['PT5S'] }, [503, 503], 'first', 'retry'],
])(
	'%j: a webhook that is answered %j is sent again as it says',
	async (rule, statuses, ...causes) => {
		respondWith(...statuses);
		const { id } = await addRule(rule);
		await callOnce();
		await service.control.advance('P1D');
		const attempts = causes.map((cause, index) => ({ cause, status: statuses[index] }));
		// A duplicate changes neither the state nor the response of the call.
		const { status } = attempts.findLast(({ cause }) => cause !== 'duplicate') ?? {};
		const state = status === 200 ? 'delivered' : 'failed';
		const expected = { state, attempts, fault_rule: { id, ...rule }, next_cause: null };
		expect(await theDelivery()).toMatchObject(expected);
		expect(await newestCall(service.alice)).toMatchObject({ webhook_response: { status } });
		expect(receiver.arrivals).toHaveLength(causes.length);
		expect(new Set(receiver.arrivals.map(({ text }) => text)).size).toBe(1);
		expect(await service.control.faults()).toEqual([]);
		await callOnce();
		expect(receiver.arrivals).toHaveLength(causes.length + 1);
	},
);

it('delay and retries count in the time of the sandbox, from the end of the call', async () => {
	respondWith(503, 503, 200);
	await addRule({ delay: 'PT1H', retry: ['PT1H', 'PT2H', 'PT3H'] });
	await callOnce();
	const pending = { state: 'pending', attempts: [], next_cause: 'first' };
	expect(await theDelivery()).toMatchObject(pending);
	for (const [span, arrived, next_cause] of [
		['PT0S', 0, 'first'],
		['PT1H', 1, 'retry'],
		['PT1H', 2, 'retry'],
		['PT1H', 2, 'retry'],
		['PT1H', 3, null],
		['P1D', 3, null],
	] as const) {
		await service.control.advance(span);
		const found = { span, arrived: receiver.arrivals.length };
		expect({ ...found, ...(await theDelivery()) }).toMatchObject({ span, arrived, next_cause });
	}
});

describe('retries', () => {
	it('do not follow a replay', async () => {
		const retry = ['PT5S', 'PT1M'];
		await addRule({ retry });
		await callOnce();
		expect(await theDelivery()).toMatchObject({ state: 'delivered', attempts: [{}] });
		respondWith(503);
		await service.control.request('POST', '/deliveries/1/replay', {});
		expect(await theDelivery()).toMatchObject({
			state: 'failed',
			attempts: [{}, { cause: 'replay', status: 503 }],
			next_cause: null,
		});
	});

	it('replace those that are assumed, and are followed by duplicates', async () => {
		respondWith(503, 200);
		await using own = await startOwnService({ assume: { 'webhook-retries': ['P1D', 'P1D'] } });
		await addRule({ retry: ['PT5S'], duplicate: 1, delay: 'PT1M' }, own);
		await callOnce(own);
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
		await addRule({ event: 'inboundCall', duplicate: 1, times: 5 });
		expect(await events()).toEqual({ postCall: 1, inboundCall: 2 });
		expect(await service.control.faults()).toMatchObject([{ times: 4 }]);
	});

	it('their assistant', async () => {
		await addRule({ assistant_id: 1, duplicate: 3, times: 9 });
		await addRule({ assistant_id: 2, duplicate: 1, times: 9 });
		expect(await events()).toEqual({ postCall: 2, inboundCall: 2 });
	});
});

it('no rule of deliveries hits requests, and no rule of requests hits deliveries', async () => {
	await addRule({ duplicate: 1, times: 9 });
	expect((await service.alice.get('/user/calls')).status).toBe(200);
	await service.control.fault({ operation: 'sendSms', status: 500, times: 9 });
	await callOnce();
	expect(await service.control.faults()).toMatchObject([{ times: 8 }, { times: 9 }]);
});

it('after a restart the rules are gone, but what they did to a webhook goes on', async () => {
	const dataFile = join(folder(), 'state.db');
	respondWith(503, 200);
	{
		await using own = await startOwnService({ dataFile });
		await addRule({ delay: 'PT1H', retry: ['PT1H'], duplicate: 1, times: 9 }, own);
		await callOnce(own);
		expect(receiver.arrivals).toEqual([]);
	}
	await using own = await startOwnService({ dataFile });
	expect(await own.control.faults()).toEqual([]);
	await own.control.advance('PT3H');
	const [delivery] = await own.control.deliveries();
	expect(delivery?.attempts.map(({ cause }) => cause)).toEqual(['first', 'retry', 'duplicate']);
	expect((await newestCall(own.alice)).webhook_response).toMatchObject({ status: 200 });
});
