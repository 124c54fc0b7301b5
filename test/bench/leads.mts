import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { action, httpRequest } from '../support/workflows.mts';
import { inPairs, type Bench } from './environment.mts';
import { atMost, atMostMore, atMostTimes, type Subject } from './results.mts';
import { MEASURED, measureNode } from './runNode.mts';
import { LATENCY_MS, type ServiceSettings } from './service.mts';

/** The default of *Max Concurrent Requests*. */
const CONCURRENT = 10;

interface Variant extends Pick<ServiceSettings, 'limit'> {
	by: 'this node' | 'HTTP Request';
	count: number;
}

/** Leads by this node, ten at a time, and by HTTP Request. */
export async function leads(bench: Bench): Promise<void> {
	const count = bench.quick ? 200 : 1_000;
	const { ours, theirs } = await inPairs(
		bench,
		async () => await createLeads(bench, { by: 'this node', count }),
		async () => await createLeads(bench, { by: 'HTTP Request', count }),
	);
	bench.results.expect('silence', ours, atMostMore(0.2), theirs);
	// The rest of a request takes less than the service does.
	const floor = (count / CONCURRENT) * (LATENCY_MS / 1000);
	bench.results.expect('time', ours, atMost(2 * floor));
}

/** The memory for many leads, each time in an n8n that has just started. */
export async function memory(bench: Bench): Promise<void> {
	const created = async (by: Variant['by']): Promise<Subject> => {
		await bench.restart();
		return await createLeads(bench, { by, count: 10_000 });
	};
	const ours = await created('this node');
	bench.results.expect('growth', ours, atMostTimes(1.5), await created('HTTP Request'));
}

/** Leads at a service that limits the requests in a window of time. HTTP Request fails there. */
export async function limit(bench: Bench): Promise<void> {
	// A busy machine, too, sends more than ten in two seconds.
	const [count, requests, perMs] = bench.quick ? [30, 10, 2_000] : [1_000, 100, 3_000];
	for (const windows of ['fixed', 'on demand'] as const) {
		const variant = { by: 'this node', count, limit: { requests, perMs, windows } } as const;
		const subject = await createLeads(bench, variant);
		// All windows except the last one pass completely.
		const floor = ((Math.ceil(count / requests) - 1) * perMs) / 1000;
		bench.results.expect('time', subject, atMost(1.3 * floor));
	}
}

async function createLeads(bench: Bench, { by, count, limit }: Variant): Promise<Subject> {
	const { credential, service } = bench;
	const customers = Array.from({ length: count }, (_, index) => ({
		campaignId: 1,
		phoneNumber: `+49${15_110_000_000 + index}`,
		name: `Customer ${index}`,
		email: `customer-${index}@example.com`,
		city: `City ${index % 100}`,
	}));
	const value = (field: keyof (typeof customers)[0]): string => `={{ $json.${field} }}`;
	const parameters = {
		campaign_id: value('campaignId'),
		phone_number: value('phoneNumber'),
		'variables.customer_name': value('name'),
		'variables.email': value('email'),
		'variables.city': value('city'),
	};
	const thisNode = {
		...{ resource: 'lead', operation: 'create', phoneNumber: value('phoneNumber') },
		campaignId: { __rl: true, mode: 'id', value: value('campaignId') },
		...{ customerName: value('name'), email: value('email') },
		variables: { variable: [{ name: 'city', value: value('city') }] },
	};
	const httpNode = {
		...{ method: 'POST', url: `${service.url}/user/lead`, sendBody: true },
		...{ contentType: 'json', specifyBody: 'keypair', options: {} },
		bodyParameters: {
			parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
		},
	};
	const node =
		by === 'this node'
			? action(MEASURED, thisNode, credential)
			: httpRequest(MEASURED, httpNode, credential);
	const allowed =
		limit && `, ${limit.requests} allowed in ${limit.perMs} ms, windows ${limit.windows}`;
	const work = `${count.toLocaleString('en')} leads${allowed ?? ''}`;
	const claim = 'each exists once, in the order of the items';
	const nodeWork = { work, by, node, items: customers, limit };
	return await measureNode(bench, nodeWork, claim, (execution, counts) => {
		assert.equal(execution.status, 'success', execution.error);
		const numbers = customers.map(({ phoneNumber }) => phoneNumber);
		assert.deepEqual(counts.leads.toSorted(), numbers);
		// HTTP Request outputs the whole response, this node the lead in it.
		const created = getItems(execution, MEASURED).map((item) => item.data ?? item);
		const output = created.map((lead) => (lead as { phone_number?: unknown }).phone_number);
		assert.deepEqual(output, numbers);
		assert.equal(counts.requests, count + counts.refused);
		if (by === 'this node') assert.ok(counts.peakInFlight <= CONCURRENT);
	});
}
