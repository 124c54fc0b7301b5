import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { getItems } from '../../host/api/execution.mts';
import { startReceiver } from '../../sandbox/test/support/receiver.mts';
import type { Checks } from '../support/checks.mts';
import { waitFor } from '../../host/process/wait.mts';
import { action, httpGet, node, workflow } from '../support/workflows.mts';
import { inSeconds, type QueueEnvironment } from './environment.mts';
import { CAMPAIGN } from './seed.mts';
import { executionsOn, type QueueProcess } from './topology.mts';

/** The default of *Max Concurrent Requests*. */
const AT_ONCE = 10;
/** The service delays each response, so that requests run side by side. */
const SERVICE_MS = 20;
const LIMIT_MS = 5 * 60_000;

/** n8n's own trigger, because what is run from the editor runs on main until n8n 3. */
const START = 'When a list comes';
const PATH = 'leads-of-a-list';

const lead = z.object({ phone_number: z.string() });

/** One run in queue mode creates many leads. */
export async function leads(
	{ check, cleanup }: Checks,
	{ topology, service, credential, metrics }: QueueEnvironment,
	workers: QueueProcess[],
	count: number,
): Promise<void> {
	const wanted = Array.from({ length: count }, (_, index) => `+49151${10_000_000 + index}`);
	const list = await cleanup.use(startReceiver());
	list.respondWith((_arrival, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(wanted.map((phoneNumber) => ({ phoneNumber }))));
	});
	const addLeads = action(
		'Add leads',
		{
			resource: 'lead',
			operation: 'create',
			campaignId: { __rl: true, mode: 'id', value: String(CAMPAIGN) },
			phoneNumber: '={{ $json.phoneNumber }}',
		},
		credential,
	);
	const links: Array<[string, string]> = [
		[START, 'List'],
		['List', addLeads.name],
	];
	const webhook = { httpMethod: 'POST', path: PATH };
	const nodes = [
		{ ...node(START, 'n8n-nodes-base.webhook', 2, webhook), webhookId: randomUUID() },
		httpGet('List', list.url),
		addLeads,
	];
	await check(
		`${count} leads by one run on a worker: each is there once, in the order of the items, ${AT_ONCE} at a time`,
		async () => {
			const { editor, webhookUrl } = topology;
			const { id } = await editor.createWorkflow(workflow(addLeads.name, nodes, links));
			await service.control.fault({ operation: 'createLead', delay_ms: SERVICE_MS, times: count });
			const begin = performance.now();
			await editor.publish(id);
			const { status } = await fetch(`${webhookUrl}/webhook/${PATH}`, { method: 'POST' });
			assert.equal(status, 200);
			const execution = await waitFor('the leads', LIMIT_MS, async () => {
				const [ended] = await editor.executions(id);
				return ended;
			});
			metrics.set(`${count} leads by one run`, inSeconds(begin));
			assert.equal(execution.status, 'success', execution.error);
			const started = await executionsOn(workers, 'started');
			assert.ok(started.includes(execution.id), 'No worker ran it.');

			const items = getItems(execution, addLeads.name);
			const numbers = items.map(({ phone_number: number }) => number);
			assert.deepEqual(numbers, wanted);
			assert.equal(new Set(items.map((item) => item.id)).size, count);

			const requests = (await service.control.requests()).filter(
				({ operation }) => operation === 'createLead',
			);
			assert.deepEqual([...new Set(requests.map(({ status }) => status))], [200]);
			const received = requests.map(({ body }) => lead.parse(body).phone_number);
			assert.deepEqual(received.toSorted(), wanted);
			assert.equal(Math.max(...requests.map(({ in_flight: number }) => number)), AT_ONCE);
		},
		LIMIT_MS,
	);
}
