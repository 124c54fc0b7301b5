import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { seal, unseal } from '../../../nodes/VoiceAssistantCallingTrigger/sealedText.ts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { sampledRuns } from '../../support/sample.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { forAny } from '../../support/forAny.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { startTriggerEnvironment, type EventName } from '../../support/trigger/testEnvironment.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { newestTool, toolTrigger } from '../../support/trigger/toolTrigger.mts';
import { onAssistant, TriggerNode } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();
const tokenProxy = await startTokenProxy(environment.service.url, ALICE);
beforeEach(() => {
	tokenProxy.tokens = new Set(['first-token']);
});

const EVENTS: EventName[] = ['callCompleted', 'inboundCallCompleted', 'inboundCallStarting'];
const OTHER_URL = 'https://crm.example.org/hooks/8f14e45fceea?key=b6d767d2f8ed5d21';

/** A secret of this length is not found by chance. */
const PART = 8;

/** The parts of a secret that occur in a text. */
const partsIn = (text: string, secret: string): string[] =>
	Array.from({ length: Math.max(0, secret.length - PART + 1) }, (_, at) =>
		secret.slice(at, at + PART),
	).filter((part) => text.includes(part));

/** A published trigger that replaced the webhook of another system. */
async function published(
	event: EventName,
	url = OTHER_URL,
	options = {},
): Promise<EmulatedLifecycle> {
	await environment.register(event, url);
	const instance = environment.instance({
		webhookUrl: webhookServer.url,
		baseUrl: tokenProxy.url,
		apiToken: 'first-token',
	});
	const parameters = onAssistant(1, event, { options: { replaceExisting: true, ...options } });
	const lifecycle = webhookServer.serve(
		new EmulatedLifecycle(new TriggerNode(instance, { parameters })),
	);
	await lifecycle.publish();
	return lifecycle;
}

const getUrl = async (event: EventName) => (await environment.webhookUrl(event)) ?? '';

const tokenIn = (url: string) => new URL(url).searchParams.get('token') ?? '';

const deliver = async (url: string): Promise<number> => {
	const headers = { 'content-type': 'application/json' };
	return (await sendRequest(url, { method: 'POST', headers, body: '{"id": 1}' })).status;
};

/** Expects that only the address that is registered is accepted. */
async function expectAccepted(event: EventName) {
	const url = await getUrl(event);
	const wrong = url.replace('token=', 'token=0');
	expect([await deliver(url), await deliver(wrong)]).toEqual([200, 401]);
}

/** Unpublishes a workflow, and expects that the other URL is back. */
async function expectPutBack(lifecycle: EmulatedLifecycle, event: EventName, url = OTHER_URL) {
	await lifecycle.unpublish();
	expect(await getUrl(event)).toBe(url);
}

/** Gives the trigger a new process, which remembers nothing but the static data. */
async function restarted(
	lifecycle: EmulatedLifecycle,
	event: EventName,
): Promise<EmulatedLifecycle> {
	const own = await getUrl(event);
	const staticData = structuredClone(lifecycle.staticData);
	await lifecycle.node.hook('delete', 'production', lifecycle.staticData);
	await environment.register(event, own);
	lifecycle.staticData = staticData;
	letTimePass();
	return lifecycle;
}

/** The account gets another API token. */
function rotate({ node }: EmulatedLifecycle, apiToken = 'second-token'): void {
	tokenProxy.tokens = new Set([apiToken]);
	node.instance.n8n.credential.apiToken = apiToken;
}

describe.each(EVENTS)('the static data of a published trigger (%s)', (event) => {
	it('show nothing of the URL that was replaced, and nothing of the own token', async () => {
		const secret = fc
			.array(fc.stringMatching(/^[a-z]{10,40}$/), { minLength: 3, maxLength: 3 })
			.map(([host, path, key]) => `https://${host}.example/${path}?key=${key}`);
		const expectNothing = async (url: string) => {
			const lifecycle = await published(event, url);
			const token = tokenIn(await getUrl(event));
			const stored = JSON.stringify(lifecycle.staticData);
			expect(token).toHaveLength(64);
			expect([...partsIn(stored, url), ...partsIn(stored, token)]).toEqual([]);
			await expectPutBack(lifecycle, event, url);
		};
		await forAny(secret, expectNothing, { numRuns: sampledRuns(20) });
	});

	it('are enough to put the URL back in another process', async () => {
		const lifecycle = await published(event);
		await expectPutBack(await restarted(lifecycle, event), event);
		expect(lifecycle.node.instance.warnings).toEqual([]);
	});

	it('accept deliveries after the API token was changed', async () => {
		const lifecycle = await published(event);
		rotate(lifecycle);
		await expectAccepted(event);
	});
});

it('the static data of a tool show nothing of its secret', async () => {
	const lifecycle = new EmulatedLifecycle(toolTrigger(environment.instance()));
	await lifecycle.publish();
	const { secret } = await newestTool(environment);
	expect(secret).toMatch(/^[0-9a-f]{64}$/);
	expect(partsIn(JSON.stringify(lifecycle.staticData), secret)).toEqual([]);
});

describe.each(EVENTS)('after the API token was changed (%s)', (event) => {
	it('the URL cannot be put back, which the log says; the own one is removed', async () => {
		const lifecycle = await published(event);
		const { node, staticData } = await restarted(lifecycle, event);
		rotate(lifecycle);
		await node.hook('delete', 'production', staticData);
		expect(await getUrl(event)).toBe('');
		const [noun, enable] = {
			callCompleted: ['completed calls', 'Enable Webhook'],
			inboundCallCompleted: ['completed inbound calls', 'Enable Inbound Webhook'],
			inboundCallStarting: ['questions before inbound calls', 'Enable Inbound Webhook'],
		}[event];
		expect(node.instance.warnings).toEqual([
			`The former webhook URL of the assistant 'Caller' (ID 1) could not be put back, because the API token of the credential or the encryption key of n8n was changed since this trigger replaced it. The ${noun} go to nobody now. Set the URL again with 'Voice Assistant → ${enable}'.`,
		]);
		expect(JSON.stringify(staticData)).not.toContain('"sealed');
	});

	it('the URL is put back by the process that replaced it', async () => {
		const lifecycle = await published(event);
		rotate(lifecycle);
		await expectPutBack(lifecycle, event);
	});

	it('it is kept when the trigger registers anew, and put back once the token is the former one', async () => {
		const lifecycle = await published(event);
		await restarted(lifecycle, event);
		rotate(lifecycle);
		await lifecycle.node.hook('create', 'production', lifecycle.staticData);
		rotate(lifecycle, 'first-token');
		await expectPutBack(lifecycle, event);
	});
});

it('the settings of the assistant come back although the URL cannot', async () => {
	await environment.updateAssistant({ include_recording_in_webhook: false });
	const lifecycle = await published('callCompleted', OTHER_URL, { recording: 'include' });
	await restarted(lifecycle, 'callCompleted');
	await environment.updateAssistant({ include_recording_in_webhook: true });
	rotate(lifecycle);
	await lifecycle.unpublish();
	expect(await environment.assistant()).toMatchObject({
		include_recording_in_webhook: false,
		webhook_url: null,
	});
});

it('a copy of the workflow cannot put back what its original replaced, even under its own name', async () => {
	const { node, staticData } = await published('callCompleted');
	const copy = node.copyWith({ workflowId: 'workflow-2' });
	const named = JSON.stringify(staticData).replaceAll('workflow-1', 'workflow-2');
	const data = JSON.parse(named) as IDataObject;
	expect(JSON.stringify(data)).toContain('workflow-2');

	await node.hook('delete', 'production', staticData);
	await environment.unregister();
	const own = {};
	await copy.hook('create', 'production', own);
	// As if the copy had replaced the URL itself, in another process.
	const url = await getUrl('callCompleted');
	await copy.hook('delete', 'production', own);
	await environment.register('callCompleted', url);
	letTimePass();
	await copy.hook('delete', 'production', data);
	expect(await getUrl('callCompleted')).toBe('');
	expect(copy.instance.warnings.join()).toContain('could not be put back');
});

const text = fc.string({ unit: 'binary' });
const apiToken = fc.string({ minLength: 1 });
const owner = fc.string();

describe('a sealed text', () => {
	it('is read by its owner, with the same API token, and by nobody else', () =>
		forAny(
			fc.tuple(text, apiToken, apiToken, owner, owner),
			([secret, key, other, one, another]) => {
				const sealed = seal(secret, key, one);
				expect(unseal(sealed, key, one)).toBe(secret);
				fc.pre(key !== other && one !== another);
				expect(unseal(sealed, other, one)).toBeUndefined();
				expect(unseal(sealed, key, another)).toBeUndefined();
			},
		));

	it('is not read when anything in it was changed, cut off or added', () =>
		forAny(
			fc.tuple(text, fc.nat(), fc.integer({ min: 1, max: 255 })),
			([secret, position, change]) => {
				const bytes = Buffer.from(seal(secret, 'key', 'owner'), 'base64url');
				const at = position % bytes.length;
				const changed = bytes.with(at, (bytes[at] ?? 0) ^ change);
				const longer = Buffer.concat([bytes, Buffer.from([change])]);
				for (const wrong of [changed, bytes.subarray(0, at), longer]) {
					const sealed = Buffer.from(wrong).toString('base64url');
					expect(unseal(sealed, 'key', 'owner')).toBeUndefined();
				}
			},
		));

	it('is no error, whatever is read', () =>
		forAny(fc.string(), (any) => expect(unseal(any, 'key', 'owner')).toBeUndefined()));

	it('is different each time, so equal texts cannot be found', () => {
		expect(seal('secret', 'key', 'owner')).not.toBe(seal('secret', 'key', 'owner'));
	});
});
