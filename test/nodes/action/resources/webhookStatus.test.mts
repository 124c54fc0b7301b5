import { describe, expect, it } from '@jest/globals';
import { byId } from '../../../support/n8n/operations.mts';
import { newAssistant } from '../../../support/sandbox/seed.mts';
import { asObject } from '../../../support/sandbox/contract.mts';
import {
	FIRST_N8N_URL,
	SECOND_N8N_URL,
	startTriggerEnvironment,
} from '../../../support/trigger/testEnvironment.mts';
import { headersOf } from '../../../support/midCallTools.mts';
import { SECRET, toolsOf, toolTrigger } from '../../../support/trigger/toolTrigger.mts';
import { TriggerNode, onAssistant } from '../../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();

/** The output of Get Webhook Status. */
async function statusOf(assistantId: unknown) {
	const { n8n } = environment.instance();
	const { output, error } = await n8n.runNode({
		parameters: {
			resource: 'assistant',
			operation: 'getWebhookStatus',
			assistantId: byId(assistantId),
		},
	});
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(1);
	return output[0][0]?.json;
}

const NOBODY = {
	is_active: false,
	receiver: 'nobody',
	host: null,
	url: null,
	workflow_id: null,
	node_id: null,
};

describe('the webhook status of an assistant', () => {
	it('is empty while nobody is registered', async () => {
		expect(await statusOf(1)).toEqual({
			assistant_id: 1,
			assistant_name: 'Caller',
			call_completed: NOBODY,
			inbound_call_completed: NOBODY,
			mid_call_tools: [
				{
					id: 1,
					name: 'get_weather',
					receiver: 'other',
					host: 'tools.example.com',
					url: 'https://tools.example.com/***',
					workflow_id: null,
					node_id: null,
				},
			],
		});
	});

	it('names the trigger whose tool the assistant has, also when it could not be taken away', async () => {
		const node = toolTrigger(environment.instance());
		const data = {};
		await node.hook('create', 'production', data);
		await environment.fault('updateAssistant', { status: 403 });
		await node.hook('delete', 'production', data);
		await environment.service.control.clearFaults();

		const status = await statusOf(1);
		expect(status?.mid_call_tools).toContainEqual({
			id: 102,
			name: 'get_free_slots',
			receiver: 'trigger',
			host: 'n8n.example.com',
			url: await node.url('production'),
			workflow_id: node.settings.workflowId,
			node_id: node.settings.nodeId,
		});
		const { headers } = (await toolsOf(environment)).at(-1) ?? {};
		expect(JSON.stringify(status)).not.toContain(headersOf({ headers })[SECRET]);
	});

	it.each([
		['callCompleted', 'call_completed', 'inbound_call_completed'],
		['inboundCallCompleted', 'inbound_call_completed', 'call_completed'],
	] as const)('names the trigger that is registered for %s', async (event, field, other) => {
		const parameters = onAssistant(1, event);
		const node = new TriggerNode(environment.instance(), { parameters });
		await node.hook('create', 'production', {});
		const token = new URL((await environment.registration(event)).url ?? '').searchParams.get(
			'token',
		);

		const status = await statusOf(1);
		expect(status).toMatchObject({
			[field]: {
				is_active: true,
				receiver: 'trigger',
				host: 'n8n.example.com',
				url: `${await node.url('production')}?token=***`,
				workflow_id: node.settings.workflowId,
				node_id: node.settings.nodeId,
			},
			[other]: NOBODY,
		});
		expect(token).toHaveLength(64);
		expect(JSON.stringify(status)).not.toContain(token);
	});

	it.each([
		['production', 'trigger'],
		['test', 'test'],
	] as const)(
		'names a trigger without a webhook id, after an import (%s)',
		async (kind, receiver) => {
			const node = new TriggerNode(environment.instance(), {
				webhookId: undefined,
				nodeName: '100 % Über-Trigger / 1',
			});
			await node.hook('create', kind, {});
			const { workflowId, nodeId } = node.settings;
			expect(await statusOf(1)).toMatchObject({
				call_completed: { receiver, workflow_id: workflowId, node_id: nodeId },
			});
		},
	);

	it('tells a test URL that was left behind', async () => {
		const node = new TriggerNode(environment.instance());
		await node.hook('create', 'test', {});
		expect(await statusOf(1)).toMatchObject({ call_completed: { receiver: 'test' } });
	});

	it('tells that the webhook is switched off', async () => {
		await new TriggerNode(environment.instance()).hook('create', 'production', {});
		await environment.switchOff();
		expect(await statusOf(1)).toMatchObject({
			call_completed: { receiver: 'trigger', is_active: false },
		});
	});

	it('shows the old host after WEBHOOK_URL has changed', async () => {
		const node = new TriggerNode(environment.instance());
		await node.hook('create', 'production', {});
		node.instance.webhookUrl = SECOND_N8N_URL;
		expect(await statusOf(1)).toMatchObject({
			call_completed: { host: new URL(FIRST_N8N_URL).host },
		});
	});

	it.each([
		'https://user:secret@crm.example.org/secret?key=secret#secret',
		`https://crm.example.org/webhook/secret?token=${'0'.repeat(64)}`,
		'https://crm.example.org/webhook/a/b/c?token=secret',
		`https://crm.example.org/webhook/secret/a/b/c?token=${'0'.repeat(64)}`,
	])('shows nothing but the host of another system: %s', async (url) => {
		await environment.register('callCompleted', url);
		expect(await statusOf(1)).toMatchObject({
			call_completed: {
				is_active: true,
				receiver: 'other',
				host: 'crm.example.org',
				url: 'https://crm.example.org/***',
				workflow_id: null,
				node_id: null,
			},
		});
	});

	it('is found beyond the first page of the list', async () => {
		const { alice } = environment.service;
		const ids: unknown[] = [];
		for (let count = 0; count < 100; count++) {
			const { body } = await alice.post('/user/assistant', newAssistant);
			ids.push(asObject(asObject(body, 'answer').data, 'summary').id);
		}
		for (const id of [1, ids.at(-1)]) {
			expect(await statusOf(id)).toMatchObject({ assistant_id: id });
		}
	});
});
