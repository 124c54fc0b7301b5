import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { TRIGGER } from '../../../host/n8n/names.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import {
	SECOND_N8N_URL,
	failureMessage,
	getFailure,
	startTriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import {
	TriggerNode,
	onAssistant,
	type Instance,
	type TriggerSettings,
} from '../../support/trigger/triggerNode.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const environment = await startTriggerEnvironment();
const tokenProxy = await startTokenProxy(environment.service.url, ALICE);
beforeEach(() => {
	tokenProxy.tokens = new Set(['first-token']);
});
const { expectUnchanged, requestedOperations } = environment;

const TEST_RUNS =
	'https://github.com/voice-assistant-calling/n8n-nodes-voice-assistant-calling/blob/main/docs/triggers.md#test-runs';

const OTHER_URL = 'https://crm.example.org/hooks/calls?key=1';

/** Expects that a trigger is not registered, does not register, and writes nothing. */
const expectRefusal = (
	node: TriggerNode,
	kind: 'production' | 'test',
	message: unknown,
	data: IDataObject = {},
) =>
	expectUnchanged(async () => {
		expect(await node.hook('checkExists', kind, data)).toBe(false);
		expect(await failureMessage(node.hook('create', kind, data))).toEqual(message);
		await node.hook('delete', kind, data);
	});

describe.each([
	{
		event: 'callCompleted',
		noun: 'completed calls',
		enable: 'updateAssistant',
		disable: 'updateAssistant',
	},
	{
		event: 'inboundCallCompleted',
		noun: 'completed inbound calls',
		enable: 'enableInboundWebhook',
		disable: 'disableInboundWebhook',
	},
] as const)('the hooks for $event', ({ event, noun, enable, disable }) => {
	const trigger = () =>
		new TriggerNode(environment.instance(), { parameters: onAssistant(1, event) });
	const address = () => environment.webhookUrl(event);

	/** A trigger that is registered in production, with static data of its own. */
	async function live() {
		const node = trigger();
		const data = {};
		await node.hook('create', 'production', data);
		return { node, data };
	}

	it('register a new trigger, remove the registration, and change no other field', async () => {
		const node = trigger();
		const data = {};
		const before = await environment.assistant();
		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		expect(await requestedOperations(() => node.hook('create', 'production', data))).toEqual([
			'listAssistants',
			enable,
			'listAssistants',
		]);
		const { url, isActive } = await environment.registration(event);
		expect(isActive).toBe(true);
		expect(url).toMatch(
			/^https:\/\/n8n\.example\.com\/webhook\/[\w-]+\/[\w-]+\/[\w-]+\?token=[0-9a-f]{64}$/,
		);
		expect(url?.split('?')[0]).toBe(await node.url('production'));
		await expectUnchanged(async () => {
			expect(await node.hook('checkExists', 'production', data)).toBe(true);
		});

		expect(await requestedOperations(() => node.hook('delete', 'production', data))).toEqual([
			'listAssistants',
			disable,
		]);
		expect(await environment.assistant()).toEqual({ ...before, updated_at: expect.any(String) });
		expect(data).toEqual({ global: {}, 'node:Call Completed': {} });
	});

	it('register one of two triggers that are published at the same moment, and refuse the other', async () => {
		const node = trigger();
		const nodes = [node, node.copyWith({ workflowId: 'workflow-2' })];
		expect(await Promise.allSettled(nodes.map((each) => each.hook('create')))).toEqual([
			{ status: 'fulfilled', value: true },
			{ status: 'rejected', reason: expect.objectContaining({ name: 'NodeOperationError' }) },
		]);
		expect((await address())?.split('?')[0]).toBe(await node.url('production'));
	});

	it('refuse to listen for a test event while production is live, and do not change it', async () => {
		const { node } = await live();
		await expectRefusal(
			node,
			'test',
			`This trigger is published and receives the ${noun} of the assistant 'Caller' (ID 1), so it does not listen for a test event. Unpublish the workflow, or pin a call from 'Call → Get Many': ${TEST_RUNS}`,
		);
	});

	const taken = `The ${noun} of the assistant 'Caller' (ID 1) already go to the host crm.example.org`;
	const refusals = {
		production: (start: string) =>
			notPublished(
				`${start}. Use the Poll Trigger in this workflow, choose another assistant, or switch on 'Replace Existing Webhook'.`,
			),
		test: (start: string) =>
			`${start}, and a test does not change that. Choose another assistant, or pin a call from 'Call → Get Many': ${TEST_RUNS}`,
	};

	it.each(['production', 'test'] as const)(
		"refuse to replace someone else's address for %s, also when it is switched off",
		async (kind) => {
			await environment.register(event, OTHER_URL);
			await expectRefusal(trigger(), kind, refusals[kind](taken));
			if (event === 'inboundCallCompleted') return;
			await environment.switchOff();
			const off = refusals[kind](`${taken} (delivery is switched off at the moment)`);
			await expectRefusal(trigger(), kind, off);
		},
	);

	it.each<[string, { id?: string; webhookUrl?: string }, Partial<TriggerSettings>]>([
		['another instance at another address', { id: 'instance-2', webhookUrl: SECOND_N8N_URL }, {}],
		['the same instance, in another workflow', {}, { workflowId: 'workflow-2' }],
		['the same instance, as another node', {}, { nodeId: 'node-2' }],
	])('treat a copy with the same webhook id on %s as foreign', async (...copied) => {
		const [, instance, settings] = copied;
		const { node, data } = await live();
		const copy = node.copyWith(settings, environment.instance(instance));
		const isHere = instance.webhookUrl === undefined;
		const place = settings.workflowId
			? "the workflow 'Workflow under test' (/workflow/workflow-1) on this n8n"
			: 'another trigger of this workflow';
		const message = isHere
			? `already go to ${place}. Start this workflow from the other one with 'Execute Sub-workflow', use the Poll Trigger in this one, or choose another assistant.`
			: 'already go to the host n8n.example.com. Use the Poll Trigger in this workflow, choose another assistant, ';
		await expectRefusal(copy, 'production', expect.stringContaining(message));
		await expectRefusal(copy, 'production', expect.anything(), structuredClone(data));
	});
});

it('the hooks for callCompleted switch on their own registration again, and remove it also if it is inactive', async () => {
	const node = new TriggerNode(environment.instance());
	const data = {};
	await node.hook('create', 'production', data);
	const { url } = await environment.registration();
	await environment.switchOff();

	expect(await node.hook('checkExists', 'production', data)).toBe(false);
	await node.hook('create', 'production', data);
	expect(await environment.registration()).toEqual({ url, isActive: true });

	await environment.switchOff();
	await withoutWaits(() => node.hook('delete'));
	expect(await environment.webhookUrl()).toBeNull();
});

const instanceWith = (apiToken: string): Instance =>
	environment.instance({ baseUrl: tokenProxy.url, apiToken });

/** A trigger that is registered, with static data of its own. */
async function registered() {
	const node = new TriggerNode(instanceWith('first-token'));
	const data = {};
	await node.hook('create', 'production', data);
	return { node, data };
}

/** The same after the account got another API token. */
async function rotated() {
	const { node, data } = await registered();
	tokenProxy.tokens = new Set(['second-token']);
	return { node: node.copyWith({}, instanceWith('second-token')), data };
}

describe('after the API token was rotated', () => {
	it('the trigger registers again, with a token derived from the new API token', async () => {
		const { node, data } = await rotated();
		const before = await environment.webhookUrl();
		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		await node.hook('create', 'production', data);
		const after = await environment.webhookUrl();
		expect(after).toContain(`${await node.url('production')}?token=`);
		expect(after).not.toBe(before);
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
	});

	it('the old registration can be removed when it was recognised without static data before', async () => {
		const { node } = await registered();
		const data = {};
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
		tokenProxy.tokens = new Set(['second-token']);
		await node.copyWith({}, instanceWith('second-token')).hook('delete', 'production', data);
		expect(await environment.webhookUrl()).toBeNull();
	});

	it('a registration is foreign for a test without the stored token', async () => {
		await expectRefusal((await rotated()).node, 'test', expect.anything());
	});
});

it.each(['checkExists', 'create'] as const)(
	'a wrong API token makes %s fail with a message, without the token',
	async (hook) => {
		const node = new TriggerNode(instanceWith('wrong-token'));
		const error = await getFailure(node.hook(hook));
		// n8n 2.0 does not repeat the activation for hours if the message contains "Authorization".
		expect(error.message).toBe(
			notPublished(
				'Authorization failed: The service did not accept the API token: Unauthenticated. Check the API Token in the credential: it may be mistyped, revoked or from another provider.',
			),
		);
		expect(JSON.stringify(error)).not.toContain('wrong-token');
	},
);

it('a credential that needs an item is refused', async () => {
	const node = new TriggerNode(environment.instance({ apiToken: '={{ $json.token }}' }));
	expect(await failureMessage(node.hook('create'))).toBe(
		notPublished(
			'The credential has an expression that needs an item, such as {{ $json.token }}, but triggers and lists to choose from have none. Choose a credential with fixed values.',
		),
	);
});

it('n8n evaluates the paths of both webhooks with each delivery, and no other part of the description', () => {
	const {
		webhooks = [],
		version,
		defaultVersion,
	} = environment.instance().n8n.nodeType(TRIGGER).description;
	const expressions = webhooks.flatMap((webhook) =>
		Object.entries(webhook).filter(([, value]) => String(value).startsWith('=')),
	);
	expect(expressions.map(([name]) => name)).toEqual(['path', 'path']);
	// n8n evaluates more for version 1 of a trigger.
	expect([version].flat()).not.toContain(1);
	expect([version].flat()).toContain(defaultVersion);
});

describe('the path of the webhook', () => {
	const original = () => new TriggerNode(environment.instance());
	const getPath = async (node: TriggerNode) => new URL(await node.url('production')).pathname;

	/** Two triggers cannot share a path: n8n 2.41 refuses the second, and n8n 2.0 disconnects the first. */
	it.each<[string, Partial<TriggerSettings>]>([
		['a copy of the workflow that keeps all ids of its nodes', { workflowId: 'workflow-2' }],
		['a copy of the node in its workflow', { nodeId: 'node-2', nodeName: 'Call Completed1' }],
		['a copy of the node in another workflow', { workflowId: 'workflow-2', nodeId: 'node-2' }],
	])('is another one in %s', async (_, copied) => {
		const node = original();
		const copy = node.copyWith(copied);
		expect(copy.settings.webhookId).toBe(node.settings.webhookId);
		expect(await getPath(copy)).not.toBe(await getPath(node));
	});

	it('stays when the node is renamed or edited', async () => {
		const node = original();
		const edited = node.copyWith({ nodeName: 'Renamed', parameters: {} });
		expect(await getPath(edited)).toBe(await getPath(node));
	});
});
