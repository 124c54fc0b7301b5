import { describe, expect, it } from '@jest/globals';
import { byId, operationNamed } from '../../../support/n8n/operations.mts';
import {
	FIRST_N8N_URL,
	SECOND_N8N_URL,
	startTriggerEnvironment,
} from '../../../support/trigger/testEnvironment.mts';
import { getHeaders } from '../../../support/midCallTools.mts';
import { SECRET, getTools, toolTrigger } from '../../../support/trigger/toolTrigger.mts';
import {
	TriggerNode,
	onAssistant,
	type WebhookKind,
} from '../../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();

const { parameters } = operationNamed('assistant: getWebhookStatus');

/** The output of Get Webhook Status. */
async function getStatus(assistantId: unknown) {
	const { n8n } = environment.instance();
	const { output, error } = await n8n.runNode({
		parameters: { ...parameters, assistantId: byId(assistantId) },
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

/** Another system, of which nothing but its host is shown. */
const other = (host: string) => ({
	receiver: 'other',
	host,
	url: `https://${host}/***`,
	workflow_id: null,
	node_id: null,
});

/** A trigger of a workflow in n8n. */
const getTrigger = ({ settings: { workflowId, nodeId } }: TriggerNode, url: string) => ({
	receiver: 'trigger',
	host: 'n8n.example.com',
	url,
	workflow_id: workflowId,
	node_id: nodeId,
});

describe('the webhook status of an assistant', () => {
	it('is empty while nobody is registered', async () => {
		expect(await getStatus(1)).toEqual({
			assistant_id: 1,
			assistant_name: 'Caller',
			call_completed: NOBODY,
			inbound_call_completed: NOBODY,
			mid_call_tools: [{ id: 1, name: 'get_weather', ...other('tools.example.com') }],
		});
	});

	it('names the trigger whose tool the assistant has, also when it could not be taken away', async () => {
		const node = toolTrigger(environment.instance());
		const data = {};
		await node.hook('create', 'production', data);
		await environment.fault('updateAssistant', { status: 403 });
		await node.hook('delete', 'production', data);
		await environment.service.control.clearFaults();

		const status = await getStatus(1);
		expect(status?.mid_call_tools).toContainEqual({
			id: 102,
			name: 'get_free_slots',
			...getTrigger(node, await node.url('production')),
		});
		const { headers } = (await getTools(environment)).at(-1) ?? {};
		expect(JSON.stringify(status)).not.toContain(getHeaders({ headers })[SECRET]);
	});

	it.each([
		['callCompleted', 'call_completed', 'inbound_call_completed'],
		['inboundCallCompleted', 'inbound_call_completed', 'call_completed'],
	] as const)('names the trigger that is registered for %s', async (event, field, otherField) => {
		const parameters = onAssistant(1, event);
		const node = new TriggerNode(environment.instance(), { parameters });
		await node.hook('create', 'production', {});
		const token = new URL((await environment.registration(event)).url ?? '').searchParams.get(
			'token',
		);

		const status = await getStatus(1);
		expect(status).toMatchObject({
			[field]: {
				is_active: true,
				...getTrigger(node, `${await node.url('production')}?token=***`),
			},
			[otherField]: NOBODY,
		});
		expect(token).toHaveLength(64);
		expect(JSON.stringify(status)).not.toContain(token);
	});

	const WITHOUT_ID = { webhookId: undefined, nodeName: '100 % Über-Trigger / 1' };

	it.each<[string, WebhookKind, object, string]>([
		['without a webhook id, after an import', 'production', WITHOUT_ID, 'trigger'],
		['without a webhook id, after an import, at a test', 'test', WITHOUT_ID, 'test'],
		['whose test URL was left behind', 'test', {}, 'test'],
	])('names a trigger %s', async (_what, kind, settings, receiver) => {
		const node = new TriggerNode(environment.instance(), settings);
		await node.hook('create', kind, {});
		const { workflowId, nodeId } = node.settings;
		expect(await getStatus(1)).toMatchObject({
			call_completed: { receiver, workflow_id: workflowId, node_id: nodeId },
		});
	});

	it('tells that the webhook is switched off', async () => {
		await new TriggerNode(environment.instance()).hook('create', 'production', {});
		await environment.switchOff();
		expect(await getStatus(1)).toMatchObject({
			call_completed: { receiver: 'trigger', is_active: false },
		});
	});

	it('shows the old host after WEBHOOK_URL has changed', async () => {
		const node = new TriggerNode(environment.instance());
		await node.hook('create', 'production', {});
		node.instance.webhookUrl = SECOND_N8N_URL;
		expect(await getStatus(1)).toMatchObject({
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
		expect(await getStatus(1)).toMatchObject({
			call_completed: { is_active: true, ...other('crm.example.org') },
		});
	});
});
