import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { action, httpRequest } from '../support/workflows.mts';
import { MEASURED, measureNode, runNode, type NodeWork } from './measureNode.mts';
import { atMost, atMostMore, atMostTimes, type Subject } from './results.mts';
import type { BenchEnvironment, Round } from './round.mts';
import { LATENCY_MS, TOKEN, type ServiceSettings } from './serviceClient.mts';

/** The default of *Max Concurrent Requests*. */
const DEFAULT_CONCURRENT = 10;
const MANY = 100;
const WARM_UP = 50;
const SEND_LIMIT_MS = 60_000;

interface CreatedLead {
	phone_number?: unknown;
}

interface Variant {
	by: 'this node' | 'HTTP Request';
	count: number;
	/** how many requests this node sends at once */
	concurrent?: number;
	/** of how many accounts the items are; the credential is an expression then */
	accountCount?: number;
	limit?: ServiceSettings['limit'];
}

/** Measures leads by this node and by HTTP Request, of one account and of several. */
export async function leads(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	const ours = { by: 'this node', count: quick ? 200 : 1_000, concurrent: MANY } as const;
	const theirs = { ...ours, by: 'HTTP Request' } as const;
	for (const variant of quick ? [] : [ours, theirs]) {
		await runNode(environment, leadWork(environment, { ...variant, count: WARM_UP }));
	}
	const many = await createLeads(round, ours);
	results.expect('time', many, atMostTimes(0.8), await createLeads(round, theirs));
	const ofFive = await createLeads(round, { ...ours, accountCount: 5 });
	const httpOfFive = await createLeads(round, { ...theirs, accountCount: 5 });
	results.expect('time', ofFive, atMostTimes(1.2), httpOfFive);
	results.expect('silence', ofFive, atMostMore(0.2), many);
}

/** Measures the longest time without a response of n8n while it creates many leads. */
export async function silence(round: Round): Promise<void> {
	const subject = await createLeads(round, { by: 'this node', count: 5_000, concurrent: MANY });
	const http = await createLeads(round, { by: 'HTTP Request', count: 5_000 });
	round.results.expect('silence', subject, atMostMore(0.2), http);
}

/** Measures the memory for many leads, each time in an n8n that has just started. */
export async function memory(round: Round): Promise<void> {
	const { environment, results } = round;
	await environment.restart();
	const subject = await createLeads(round, { by: 'this node', count: 10_000, concurrent: MANY });
	await environment.restart();
	const http = await createLeads(round, { by: 'HTTP Request', count: 10_000 });
	results.expect('memoryGrowth', subject, atMostTimes(1.5), http);
}

/** Measures leads at a service that limits the requests in a period. */
export async function limit(round: Round): Promise<void> {
	const { environment, results, quick } = round;
	// A busy machine, too, sends more than ten in two seconds.
	const count = quick ? 30 : 1_000;
	const [requests, perMs] = quick ? [10, 2_000] : [100, 3_000];
	// All windows except the last one pass completely. Then the requests of the last one take their time.
	const passed = Math.ceil(count / requests) - 1;
	const last = (LATENCY_MS * (count - passed * requests)) / DEFAULT_CONCURRENT;
	const floor = (passed * perMs + last) / 1000;
	for (const windows of ['fixed', 'on demand'] as const) {
		const variant = { count, limit: { requests, perMs, windows } };
		const subject = await createLeads(round, { ...variant, by: 'this node' });
		results.expect('time', subject, atMost(1.3 * floor));
		if (quick) continue;

		const work = leadWork(environment, { ...variant, by: 'HTTP Request' });
		await measureNode(round, work, 'fails', ({ execution }) =>
			assert.equal(execution.status, 'error'),
		);
		// It continues to send after it has failed (n8n 2.41).
		await waitFor('HTTP Request to send the rest', SEND_LIMIT_MS, async () =>
			(await environment.service.counts()).requests >= count ? true : undefined,
		);
	}
	if (quick) return;
	const perSecond = { requests: 100, perMs: 1_000, windows: 'fixed' } as const;
	const variant = { by: 'this node', count: 10_000, limit: perSecond } as const;
	const subject = await createLeads(round, variant);
	results.expect('time', subject, atMost(132));
	results.expect('requests', subject, atMost(15_000));
}

async function createLeads(round: Round, variant: Variant): Promise<Subject> {
	const { concurrent = DEFAULT_CONCURRENT, limit } = variant;
	const customers = getCustomers(variant);
	const numbers = customers.map(({ phoneNumber }) => phoneNumber);
	const work = leadWork(round.environment, variant);
	const claim = 'each exists once, in its account, in the order of the items';
	return await measureNode(round, work, claim, ({ execution, run, counts }) => {
		assert.equal(execution.status, 'success', run.error ?? execution.error);
		assert.deepEqual(
			counts.leads.toSorted(),
			customers.map(({ phoneNumber, token }) => [phoneNumber, `Bearer ${token}`]),
		);
		// HTTP Request outputs the whole response, this node the lead in it.
		const created = getItems(execution, MEASURED).map((item) => (item.data ?? item) as CreatedLead);
		const output = created.map((lead) => lead.phone_number);
		assert.deepEqual(output, numbers);
		assert.equal(counts.requests, customers.length + counts.refused);
		assert.equal(counts.refused > 0, limit !== undefined);
		if (variant.by === 'this node') assert.ok(counts.peakInFlight <= concurrent);
	});
}

const getCustomers = ({ count, accountCount }: Variant) =>
	Array.from({ length: count }, (_, index) => ({
		token: accountCount === undefined ? TOKEN : `account-${index % accountCount}`,
		campaignId: 1,
		phoneNumber: `+49${15_110_000_000 + index}`,
		name: `Customer ${index}`,
		email: `customer-${index}@example.com`,
		city: `City ${index % 100}`,
	}));

/** A lead for each customer, with five expressions. */
function leadWork(
	{ service, credential: common, credentialPerItem }: BenchEnvironment,
	variant: Variant,
): NodeWork {
	const { by, count, concurrent = DEFAULT_CONCURRENT, accountCount, limit } = variant;
	const credential = accountCount === undefined ? common : credentialPerItem;
	const value = (field: string): string => `={{ $json.${field} }}`;
	const variables = { customer_name: value('name'), email: value('email'), city: value('city') };
	const thisNode = {
		resource: 'lead',
		operation: 'create',
		campaignId: { __rl: true, mode: 'id', value: value('campaignId') },
		phoneNumber: value('phoneNumber'),
		customerName: variables.customer_name,
		email: variables.email,
		variables: { variable: [{ name: 'city', value: variables.city }] },
		requestOptions: { maxConcurrentRequests: concurrent },
	};
	const parameters = [
		{ name: 'campaign_id', value: value('campaignId') },
		{ name: 'phone_number', value: value('phoneNumber') },
		...Object.entries(variables).map(([name, value]) => ({ name: `variables.${name}`, value })),
	];
	const httpNode = {
		method: 'POST',
		url: `${service.url}/user/lead`,
		sendBody: true,
		contentType: 'json',
		specifyBody: 'keypair',
		bodyParameters: { parameters },
		options: {},
	};
	const words = [
		`${count.toLocaleString('en')} leads`,
		accountCount && `of ${accountCount} accounts`,
		by === 'this node' && `${concurrent} at a time`,
		limit && `${limit.requests} allowed in ${limit.perMs} ms, windows ${limit.windows}`,
	];
	return {
		work: words.filter(Boolean).join(', '),
		by,
		node:
			by === 'this node'
				? action(MEASURED, thisNode, credential)
				: httpRequest(MEASURED, httpNode, credential),
		items: getCustomers(variant),
		settings: { limit },
	};
}
