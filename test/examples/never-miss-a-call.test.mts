import { afterAll, afterEach, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import { Lifecycle } from '../support/trigger/lifecycle.mts';
import { PollNode } from '../support/trigger/pollNode.mts';
import { TriggerNode } from '../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../support/trigger/webhookServer.mts';
import { nodeOf, readExample } from './example.mts';
import { runExample, startExampleEnvironment } from './testEnvironment.mts';

const environment = await startExampleEnvironment(new Date().toISOString());
const { n8n, control } = environment;
const webhookServer = await startWebhookServer();
afterEach(() => environment.reset());
afterAll(() => environment.close());

const example = readExample('never-miss-a-call.json');
const webhook = nodeOf(example, TRIGGER);
const poll = nodeOf(example, POLL_TRIGGER);

/** Publishes both triggers. */
async function publish() {
	const instance = { id: 'instance-1', n8n, webhookUrl: webhookServer.url, warnings: [] };
	const { name: nodeName, parameters } = webhook;
	const lifecycle = new Lifecycle(new TriggerNode(instance, { nodeName, parameters }));
	webhookServer.serve(lifecycle);
	await lifecycle.publish();
	const poller = new PollNode(n8n, poll.parameters);
	await poller.publish();
	return { lifecycle, poller };
}

async function completeCall(): Promise<number> {
	const { id } = await control.inbound({ assistant_id: 2, from: '+14155550177' });
	await control.advance('PT3M');
	return id;
}

/** The calls that reach the handler when a trigger starts the workflow. */
async function handled(trigger: { name: string }, items: IDataObject[]): Promise<IDataObject[]> {
	const output = await runExample(
		n8n,
		example,
		trigger.name,
		items.map((json) => ({ json })),
	);
	return (output['Handle the call'] ?? []).map(({ json }) => json);
}

it('handles a call that both triggers bring once', async () => {
	const { poller } = await publish();
	const id = await completeCall();
	const [delivered, ...others] = webhookServer.executions;
	expect(others).toEqual([]);
	const items = delivered?.items.map(({ json }) => json) ?? [];
	expect(await handled(webhook, items)).toEqual([
		{ call: String(id), person: '+14155550177', outcome: 'answered' },
	]);

	await poller.poll();
	expect(poller.startedIds).toEqual([id]);
	expect(await handled(poll, poller.executions.flat())).toEqual([]);
});

it('handles a call that the webhook did not bring', async () => {
	const { lifecycle, poller } = await publish();
	await lifecycle.unpublish();
	const id = await completeCall();
	await poller.poll();
	expect(webhookServer.executions).toEqual([]);
	expect(await handled(poll, poller.executions.flat())).toEqual([
		{ call: String(id), person: '+14155550177', outcome: 'answered' },
	]);
});
