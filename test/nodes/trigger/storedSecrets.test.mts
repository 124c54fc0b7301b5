import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ALICE } from '../../support/sandbox/seed.mts';
import { sendRequest } from '../../support/sandbox/client.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { startTriggerEnvironment, type EventName } from '../../support/trigger/testEnvironment.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { SECRET, toolTrigger, toolsOf } from '../../support/trigger/toolTrigger.mts';
import { onAssistant, TriggerNode } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();
const tokenProxy = await startTokenProxy(environment.service.url, ALICE);
beforeEach(() => {
	tokenProxy.tokens = new Set(['first-token']);
});

const EVENTS: EventName[] = ['callCompleted', 'inboundCallCompleted'];
const OTHER_URL = 'https://crm.example.org/hooks/8f14e45fceea?key=b6d767d2f8ed5d21';

/** A secret of this length is not found by chance. */
const PART = 8;

/** The parts of a secret that occur in a text. */
const partsIn = (text: string, secret: string): string[] =>
	Array.from({ length: Math.max(0, secret.length - PART + 1) }, (_, at) =>
		secret.slice(at, at + PART),
	).filter((part) => text.includes(part));

const replacing = (event: EventName): TriggerNode =>
	new TriggerNode(
		environment.instance({
			webhookUrl: webhookServer.url,
			baseUrl: tokenProxy.url,
			apiToken: 'first-token',
		}),
		{ parameters: onAssistant(1, event, { options: { replaceExisting: true } }) },
	);

/** A published trigger that replaced the webhook of another system. */
async function published(event: EventName, url = OTHER_URL): Promise<Lifecycle> {
	await environment.register(event, url);
	const lifecycle = new Lifecycle(replacing(event));
	webhookServer.serve(lifecycle);
	await lifecycle.publish();
	return lifecycle;
}

const urlOf = async (event: EventName) => (await environment.registration(event)).url ?? '';

const deliver = async (url: string): Promise<number> => {
	const headers = { 'content-type': 'application/json' };
	return (await sendRequest(url, { method: 'POST', headers, body: '{"id": 1}' })).status;
};

/** Gives the trigger a new process, which remembers nothing but the static data. */
async function restarted(lifecycle: Lifecycle, event: EventName): Promise<Lifecycle> {
	const own = await urlOf(event);
	const staticData = structuredClone(lifecycle.staticData);
	await lifecycle.node.hook('delete', 'production', lifecycle.staticData);
	await environment.register(event, own);
	lifecycle.staticData = staticData;
	return lifecycle;
}

/** The account gets another API token. */
function rotate({ node }: Lifecycle): void {
	tokenProxy.tokens = new Set(['second-token']);
	node.instance.n8n.credential.apiToken = 'second-token';
}

/** The tool that a trigger has created, as the service shows it. */
async function ownTool(): Promise<{ endpoint: string; secret: string }> {
	const tool = (await toolsOf(environment)).at(-1);
	const headers = (tool?.headers ?? []) as Array<{ name: string; value: string }>;
	const secret = headers.find(({ name }) => name === SECRET)?.value ?? '';
	return { endpoint: String(tool?.endpoint), secret };
}

describe.each(EVENTS)('the static data of a published trigger (%s)', (event) => {
	it('show nothing of the URL that was replaced, and nothing of the own token', async () => {
		const secret = fc
			.array(fc.stringMatching(/^[a-z]{10,40}$/), { minLength: 3, maxLength: 3 })
			.map(([host, path, key]) => `https://${host}.example/${path}?key=${key}`);
		await fc.assert(
			fc.asyncProperty(secret, async (url) => {
				const lifecycle = await published(event, url);
				const token = new URL(await urlOf(event)).searchParams.get('token') ?? '';
				const stored = JSON.stringify(lifecycle.staticData);
				expect(token).toHaveLength(64);
				expect([...partsIn(stored, url), ...partsIn(stored, token)]).toEqual([]);
				await lifecycle.unpublish();
				expect(await urlOf(event)).toBe(url);
			}),
			{ numRuns: 20 },
		);
	});

	it('are enough to put the URL back in another process', async () => {
		const lifecycle = await published(event);
		const { node, staticData } = await restarted(lifecycle, event);
		await node.hook('delete', 'production', staticData);
		expect(await urlOf(event)).toBe(OTHER_URL);
		expect(node.instance.warnings).toEqual([]);
	});

	it('accept deliveries after the API token was changed', async () => {
		const lifecycle = await published(event);
		rotate(lifecycle);
		expect(await deliver(await urlOf(event))).toBe(200);
		expect(await deliver(`${await urlOf(event)}0`)).toBe(401);
	});
});

it('the static data of a tool show nothing of its secret', async () => {
	const lifecycle = new Lifecycle(toolTrigger(environment.instance()));
	await lifecycle.publish();
	const { secret } = await ownTool();
	expect(secret).toMatch(/^[0-9a-f]{64}$/);
	expect(partsIn(JSON.stringify(lifecycle.staticData), secret)).toEqual([]);
});

describe.each(EVENTS)('after the API token was changed (%s)', (event) => {
	it('the URL cannot be put back, which the log says; the own one is removed', async () => {
		const lifecycle = await published(event);
		const { node, staticData } = await restarted(lifecycle, event);
		rotate(lifecycle);
		await node.hook('delete', 'production', staticData);
		expect(await urlOf(event)).toBe('');
		const [noun, enable] = {
			callCompleted: ['completed calls', 'Enable Webhook'],
			inboundCallCompleted: ['completed inbound calls', 'Enable Inbound Webhook'],
		}[event];
		expect(node.instance.warnings).toEqual([
			`The former webhook URL of the assistant 'Caller' (ID 1) could not be put back, because the API token of the credential was changed since this trigger replaced it. The ${noun} go to nobody now. Set the URL again with 'Assistant > ${enable}'.`,
		]);
		expect(JSON.stringify(staticData)).not.toContain('sealedUrl');
	});

	it('the URL is put back by the process that replaced it', async () => {
		const lifecycle = await published(event);
		rotate(lifecycle);
		await lifecycle.unpublish();
		expect(await urlOf(event)).toBe(OTHER_URL);
	});

	it('it is kept when the trigger registers anew, and put back once the token is the former one', async () => {
		const lifecycle = await published(event);
		await restarted(lifecycle, event);
		rotate(lifecycle);
		await lifecycle.node.hook('create', 'production', lifecycle.staticData);
		lifecycle.node.instance.n8n.credential.apiToken = 'first-token';
		tokenProxy.tokens = new Set(['first-token']);
		await lifecycle.unpublish();
		expect(await urlOf(event)).toBe(OTHER_URL);
	});
});

it('the settings of the assistant come back although the URL cannot', async () => {
	await environment.register('callCompleted', OTHER_URL);
	const node = replacing('callCompleted');
	const options = { replaceExisting: true, includeRecording: true };
	node.settings.parameters = onAssistant(1, 'callCompleted', { options });
	const lifecycle = new Lifecycle(node);
	await lifecycle.publish();
	await restarted(lifecycle, 'callCompleted');
	await environment.service.alice.put('/user/assistant/1', { include_recording_in_webhook: true });
	rotate(lifecycle);
	await lifecycle.unpublish();
	expect(await environment.assistant()).toMatchObject({
		include_recording_in_webhook: false,
		webhook_url: null,
	});
});

describe('a copy of the workflow', () => {
	it('cannot put back what its original replaced, even under its own name', async () => {
		const { node, staticData } = await published('callCompleted');
		const copy = node.copyWith({ workflowId: 'workflow-2' });
		const named = JSON.stringify(staticData).replaceAll('workflow-1', 'workflow-2');
		const data = JSON.parse(named) as IDataObject;
		expect(JSON.stringify(data)).toContain('workflow-2');

		await node.hook('delete', 'production', staticData);
		await environment.service.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
		const own = {};
		await copy.hook('create', 'production', own);
		// As if the copy had replaced the URL itself, in another process.
		const url = await urlOf('callCompleted');
		await copy.hook('delete', 'production', own);
		await environment.register('callCompleted', url);
		await copy.hook('delete', 'production', data);
		expect(await urlOf('callCompleted')).toBe('');
		expect(copy.instance.warnings.join()).toContain('could not be put back');
	});
});

/** What version 0.1.0 stored. */
function plainText({ node }: Lifecycle, event: EventName, token: string): IDataObject {
	const { workflowId, nodeId, nodeName } = node.settings;
	const trigger = `${node.instance.id} ${workflowId} ${nodeId}`;
	const purpose = JSON.stringify([event, '1']);
	const former = { registration: { url: OTHER_URL, isActive: true }, settings: {} };
	return {
		global: { [`former ${nodeId} ${purpose}`]: JSON.stringify({ trigger, former }) },
		[`node:${nodeName}`]: { token, node: trigger, purpose },
	};
}

describe.each(EVENTS)('plain text that version 0.1.0 stored (%s)', (event) => {
	/** A trigger that version 0.1.0 published, in a process that has just started. */
	async function upgraded(version: '2.0' | '2.41' = '2.41'): Promise<Lifecycle> {
		const { node, staticData } = await published(event);
		const url = await urlOf(event);
		await node.hook('delete', 'production', staticData);
		await environment.register(event, url);
		const lifecycle = new Lifecycle(node, version);
		webhookServer.serve(lifecycle);
		await lifecycle.publish();
		lifecycle.staticData = plainText(
			lifecycle,
			event,
			new URL(url).searchParams.get('token') ?? '',
		);
		return lifecycle;
	}

	const expectNoPlainText = async ({ staticData }: Lifecycle) => {
		const stored = JSON.stringify(staticData);
		const token = new URL(await urlOf(event)).searchParams.get('token') ?? '';
		expect([...partsIn(stored, OTHER_URL), ...partsIn(stored, token)]).toEqual([]);
	};

	it('accepts deliveries, also after the API token was changed', async () => {
		const lifecycle = await upgraded();
		expect(await deliver(await urlOf(event))).toBe(200);
		rotate(lifecycle);
		expect(await deliver(await urlOf(event))).toBe(200);
		expect(await deliver(`${await urlOf(event)}0`)).toBe(401);
	});

	it('is put back when the workflow is unpublished', async () => {
		const lifecycle = await upgraded();
		await lifecycle.unpublish();
		expect(await urlOf(event)).toBe(OTHER_URL);
		expect(JSON.stringify(lifecycle.staticData)).not.toContain('crm.example.org');
	});

	it('is replaced as n8n 2.0 starts, and still put back', async () => {
		const lifecycle = await upgraded('2.0');
		await lifecycle.restart();
		await expectNoPlainText(lifecycle);
		expect(await deliver(await urlOf(event))).toBe(200);
		await lifecycle.unpublish();
		expect(await urlOf(event)).toBe(OTHER_URL);
	});

	it('is replaced when the workflow is published anew, and still put back', async () => {
		const lifecycle = await upgraded();
		lifecycle.node.settings.nodeName = 'Renamed';
		await lifecycle.publish();
		await expectNoPlainText(lifecycle);
		await lifecycle.unpublish();
		expect(await urlOf(event)).toBe(OTHER_URL);
	});

	it('of another assistant is replaced too', async () => {
		const lifecycle = await upgraded('2.0');
		const [entry] = Object.entries(lifecycle.staticData.global as IDataObject);
		const [key = '', text] = entry ?? [];
		const global = { [key]: text, [key.replace('"1"', '"2"')]: text };
		lifecycle.staticData = { ...lifecycle.staticData, global };
		await lifecycle.restart();
		await expectNoPlainText(lifecycle);
	});

	it('of the original does not stay in a copy', async () => {
		const lifecycle = await upgraded('2.0');
		const copy = lifecycle.node.copyWith({ workflowId: 'workflow-2' });
		const data = structuredClone(lifecycle.staticData);
		await copy.hook('delete', 'production', data);
		expect(partsIn(JSON.stringify(data), OTHER_URL)).toEqual([]);
		expect(JSON.stringify(data)).not.toMatch(/"token":/);
		expect(await urlOf(event)).toContain(webhookServer.url);
	});
});

it('the secret of a tool that version 0.1.0 stored is replaced, and the tool still answers', async () => {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const lifecycle = new Lifecycle(toolTrigger(instance), '2.0');
	webhookServer.serve(lifecycle);
	await lifecycle.publish();
	const { endpoint, secret } = await ownTool();
	const { workflowId, nodeId, nodeName } = lifecycle.node.settings;
	const node = `${instance.id} ${workflowId} ${nodeId}`;
	lifecycle.staticData[`node:${nodeName}`] = { token: secret, node, purpose: '["midCallTool"]' };

	const call = async () => {
		const headers = { 'content-type': 'application/json', [SECRET]: secret };
		const body = '{"day": "Monday"}';
		return (await sendRequest(endpoint, { method: 'POST', headers, body })).status;
	};
	expect(await call()).toBe(200);
	await lifecycle.restart();
	expect(partsIn(JSON.stringify(lifecycle.staticData), secret)).toEqual([]);
	expect(await call()).toBe(200);
});
