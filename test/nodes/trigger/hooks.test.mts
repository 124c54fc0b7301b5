import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import {
	SECOND_N8N_URL,
	FIRST_N8N_URL,
	failureOf,
	startTriggerEnvironment,
	type TriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import {
	TriggerNode,
	onAssistant,
	type TriggerSettings,
} from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();

const TEST_RUNS =
	'https://github.com/voice-assistant-calling/n8n-nodes-voice-assistant-calling/blob/main/docs/triggers.md#test-runs';

const OTHER_URL = 'https://crm.example.org/hooks/calls?key=1';

/** The same address with another host. The service may rewrite the host. */
const rehosted = (url: string | null) => (url ?? '').replace(FIRST_N8N_URL, 'http://10.0.0.7:5678');

describe.each([
	{
		event: 'callCompleted',
		noun: 'completed calls',
		enable: 'updateAssistant',
		disable: 'disableWebhook',
		disableInWords: 'Assistant > Disable Webhook',
	},
	{
		event: 'inboundCallCompleted',
		noun: 'completed inbound calls',
		enable: 'enableInboundWebhook',
		disable: 'disableInboundWebhook',
		disableInWords: 'Assistant > Disable Inbound Webhook',
	},
] as const)('the hooks for $event', ({ event, noun, enable, disable, disableInWords }) => {
	/** A trigger for the event, with static data of its own. */
	function trigger(...[instance]: Parameters<TriggerEnvironment['instance']>) {
		const parameters = onAssistant(1, event);
		return { node: new TriggerNode(environment.instance(instance), { parameters }), data: {} };
	}
	const registration = () => environment.registration(event);
	const unchanged = (work: () => Promise<unknown>) => environment.isUnchangedBy(work);

	/** A trigger that is registered in production. */
	async function live() {
		const { node, data } = trigger();
		await node.hook('create', 'production', data);
		return { node, data };
	}

	it('register a new trigger and remove the registration', async () => {
		const { node, data } = trigger();
		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		expect(
			await environment.requestedOperations(() => node.hook('create', 'production', data)),
		).toEqual(['listAssistants', enable, 'listAssistants']);

		const { url, isActive } = await registration();
		expect(isActive).toBe(true);
		expect(url).toMatch(
			/^https:\/\/n8n\.example\.com\/webhook\/[\w-]+\/[\w-]+\/[\w-]+\?token=[0-9a-f]{64}$/,
		);
		expect(url?.split('?')[0]).toBe(await node.url('production'));

		expect(
			await environment.requestedOperations(() => node.hook('delete', 'production', data)),
		).toEqual(['listAssistants', disable]);
		expect((await registration()).url).toBeNull();
		expect(data).toEqual({ global: {}, 'node:Call Completed': {} });
	});

	it('register one of two triggers that are published at the same moment, and refuse the other', async () => {
		const { node } = trigger();
		const nodes = [node, node.copyWith({ workflowId: 'workflow-2' })];
		const results = await Promise.allSettled(
			nodes.map((each) => each.hook('create', 'production', {})),
		);
		expect(results).toEqual([
			{ status: 'fulfilled', value: true },
			{ status: 'rejected', reason: expect.objectContaining({ name: 'NodeOperationError' }) },
		]);
		const { url } = await registration();
		expect(url?.split('?')[0]).toBe(await node.url('production'));
	});

	it('change no other field of the assistant', async () => {
		const before = await environment.assistant();
		await live();
		const { node, data } = trigger();
		await node.hook('delete', 'production', data);
		expect(await environment.assistant()).toEqual({ ...before, updated_at: expect.any(String) });
	});

	it('do not change their own registration', async () => {
		const { node, data } = await live();
		expect(
			await environment.requestedOperations(() => node.hook('checkExists', 'production', data)),
		).toEqual(['listAssistants']);
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
	});

	it('recognise their own registration if the service rewrites the host', async () => {
		const { node, data } = await live();
		const { url } = await registration();
		await environment.register(event, rehosted(url));
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
		await node.hook('delete', 'production', data);
		expect((await registration()).url).toBeNull();
	});

	it('recognise their own registration by the derived token if static data is gone, as after a rename', async () => {
		const { node } = await live();
		const renamed = node.copyWith({ nodeName: 'Renamed' });
		const data: IDataObject = {};
		expect(await renamed.hook('checkExists', 'production', data)).toBe(true);
		await renamed.hook('delete', 'production', {});
		expect((await registration()).url).toBeNull();
	});

	it('replace a test address that was left behind', async () => {
		const { node, data } = trigger();
		await node.hook('create', 'test', {});
		expect((await registration()).url).toContain('/webhook-test/');

		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		await node.hook('create', 'production', data);
		expect((await registration()).url).toContain(`${await node.url('production')}?token=`);
	});

	it('keep production registered when a test ends late', async () => {
		const { node } = trigger();
		const testData = {};
		await node.hook('create', 'test', testData);
		await node.hook('create', 'production', {});
		expect(await unchanged(() => node.hook('delete', 'test', testData))).toBe(true);
	});

	it('refuse to listen for a test event while production is live, and do not change it', async () => {
		const { node } = await live();
		const refused = async () => {
			expect(await node.hook('checkExists', 'test', {})).toBe(false);
			const { message } = await failureOf(node.hook('create', 'test', {}));
			expect(message).toBe(
				`This trigger is published and receives the ${noun} of the assistant 'Caller' (ID 1), so it does not listen for a test event. Unpublish the workflow, or pin a call from 'Call > Get Many': ${TEST_RUNS}`,
			);
			await node.hook('delete', 'test', {});
		};
		expect(await unchanged(refused)).toBe(true);
	});

	it("refuse to replace someone else's address, and name its host", async () => {
		await environment.register(event, OTHER_URL);
		const { node, data } = trigger();
		const refused = async () => {
			expect(await node.hook('checkExists', 'production', data)).toBe(false);
			const { message } = await failureOf(node.hook('create', 'production', data));
			expect(message).toBe(
				`The ${noun} of the assistant 'Caller' (ID 1) already go to the host crm.example.org. An assistant has one webhook URL only, so nothing was changed. Choose another assistant, free the webhook URL with '${disableInWords}', or switch on 'Replace Existing Webhook'.`,
			);
			await node.hook('delete', 'production', data);
		};
		expect(await unchanged(refused)).toBe(true);
	});

	it("refuse to listen for a test event while someone else's address is registered", async () => {
		await environment.register(event, OTHER_URL);
		const { node } = trigger();
		const refused = async () => {
			const { message } = await failureOf(node.hook('create', 'test', {}));
			expect(message).toBe(
				`The ${noun} of the assistant 'Caller' (ID 1) already go to the host crm.example.org, and a test does not change that. Choose another assistant, or pin a call from 'Call > Get Many': ${TEST_RUNS}`,
			);
			await node.hook('delete', 'test', {});
		};
		expect(await unchanged(refused)).toBe(true);
	});

	const copies: Array<
		[string, Parameters<TriggerEnvironment['instance']>[0], Partial<TriggerSettings>]
	> = [
		['another instance', { id: 'instance-2' }, {}],
		['another instance at another address', { id: 'instance-2', webhookUrl: SECOND_N8N_URL }, {}],
		['another instance with the same encryption key', { webhookUrl: SECOND_N8N_URL }, {}],
		['the same instance, in another workflow', {}, { workflowId: 'workflow-2' }],
		['the same instance, as another node', {}, { nodeId: 'node-2' }],
	];

	it.each(copies)('treat a copy with the same webhook id on %s as foreign', async (...copied) => {
		const [, instance, settings] = copied;
		const { node } = await live();
		const copy = node.copyWith(settings, environment.instance(instance));
		const refused = async () => {
			expect(await copy.hook('checkExists', 'production', {})).toBe(false);
			const { message } = await failureOf(copy.hook('create', 'production', {}));
			expect(message).toContain('already go to the host n8n.example.com');
			await copy.hook('delete', 'production', {});
		};
		expect(await unchanged(refused)).toBe(true);
	});

	it('treat a copy that has the static data, too, as foreign', async () => {
		const { node, data } = await live();
		for (const copy of [
			node.copyWith({}, environment.instance({ id: 'instance-2' })),
			node.copyWith({ workflowId: 'workflow-2' }),
		]) {
			const copied = structuredClone(data);
			const refused = async () => {
				expect(await copy.hook('checkExists', 'production', copied)).toBe(false);
				await failureOf(copy.hook('create', 'production', copied));
				await copy.hook('delete', 'production', copied);
			};
			expect(await unchanged(refused)).toBe(true);
		}
	});

	it('say if the other trigger is on the same n8n', async () => {
		const { node } = await live();
		const { message } = await failureOf(
			node.copyWith({ nodeId: 'node-2' }).hook('create', 'production', {}),
		);
		expect(message).toContain(
			'already go to the host n8n.example.com, to another trigger or workflow on this n8n. ',
		);
	});

	it('register again after WEBHOOK_URL has changed, and not before', async () => {
		const { node, data } = await live();
		const moved = node.copyWith({}, environment.instance({ webhookUrl: SECOND_N8N_URL }));
		expect(await moved.hook('checkExists', 'production', data)).toBe(false);
		await moved.hook('create', 'production', data);
		expect((await registration()).url).toContain(await moved.url('production'));
		expect(await moved.hook('checkExists', 'production', data)).toBe(true);
	});

	it('remove a registration from before a change of WEBHOOK_URL', async () => {
		const { node, data } = await live();
		await node
			.copyWith({}, environment.instance({ webhookUrl: SECOND_N8N_URL }))
			.hook('delete', 'production', data);
		expect((await registration()).url).toBeNull();
	});

	it('refuse five times without writing anything', async () => {
		await environment.register(event, OTHER_URL);
		const { node, data } = trigger();
		const asked = await environment.requestedOperations(async () => {
			for (let tries = 0; tries < 5; tries++) {
				expect(await node.hook('checkExists', 'production', data)).toBe(false);
				await failureOf(node.hook('create', 'production', data));
				await node.hook('delete', 'production', data);
			}
		});
		expect(asked).toEqual(Array<string>(15).fill('listAssistants'));
	});
});

describe('the hooks for callCompleted, which can be switched off', () => {
	const event = 'callCompleted';

	it('switch on their own registration again', async () => {
		const node = new TriggerNode(environment.instance());
		const data = {};
		await node.hook('create', 'production', data);
		const { url } = await environment.registration(event);
		await environment.switchOff();

		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		await node.hook('create', 'production', data);
		expect(await environment.registration(event)).toEqual({ url, isActive: true });
	});

	it('remove their own registration also if it is inactive', async () => {
		const node = new TriggerNode(environment.instance());
		await node.hook('create', 'production', {});
		await environment.switchOff();
		await node.hook('delete', 'production', {});
		expect((await environment.registration(event)).url).toBeNull();
	});

	it.each([
		['production', '. An assistant has one webhook URL only'],
		['test', ', and a test does not change that. '],
	] as const)(
		"refuse someone else's address for %s even when it is switched off",
		async (kind, next) => {
			await environment.register(event, OTHER_URL);
			await environment.switchOff();
			const node = new TriggerNode(environment.instance());
			const refused = async () => {
				const { message } = await failureOf(node.hook('create', kind, {}));
				expect(message).toContain(
					`already go to the host crm.example.org (delivery is switched off at the moment)${next}`,
				);
				await node.hook('delete', kind, {});
			};
			expect(await environment.isUnchangedBy(refused)).toBe(true);
		},
	);
});

describe('two triggers on one assistant, one for each event', () => {
	it('do not affect each other', async () => {
		const instance = environment.instance();
		const postCall = new TriggerNode(instance);
		const inbound = postCall.copyWith({
			nodeId: 'node-2',
			parameters: onAssistant(1, 'inboundCallCompleted'),
		});
		await postCall.hook('create', 'production', {});
		await inbound.hook('create', 'production', {});
		await postCall.hook('delete', 'production', {});
		expect((await environment.registration('callCompleted')).url).toBeNull();
		expect((await environment.registration('inboundCallCompleted')).url).toContain(
			await inbound.url('production'),
		);
	});
});
