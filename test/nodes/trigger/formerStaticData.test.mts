import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { startTriggerEnvironment, type EventName } from '../../support/trigger/testEnvironment.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import {
	newestTool,
	SECRET,
	toolTrigger,
	triggerParameters,
} from '../../support/trigger/toolTrigger.mts';
import { onAssistant, TriggerNode } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();
const tokenProxy = await startTokenProxy(environment.service.url, ALICE);
beforeEach(() => {
	tokenProxy.tokens = new Set(['first-token', 'second-token']);
});

const instance = () =>
	environment.instance({
		webhookUrl: webhookServer.url,
		baseUrl: tokenProxy.url,
		apiToken: 'first-token',
	});

async function published(node: TriggerNode): Promise<EmulatedLifecycle> {
	const lifecycle = webhookServer.serve(new EmulatedLifecycle(node));
	await lifecycle.publish();
	return lifecycle;
}

const trigger = () =>
	new TriggerNode(instance(), { parameters: onAssistant(1, 'callCompleted', { leaveOut: [] }) });

/**
 * Publishes a changed workflow. Then a poll of another trigger in it, which goes on with the workflow object of the
 * publish before, starts an execution, and n8n 2.41 stores the static data of this object
 * (n8n.md#static-data-of-a-poll).
 */
async function publishBeforePoll(
	lifecycle: EmulatedLifecycle,
	change: (lifecycle: EmulatedLifecycle) => void,
	ofPoll: IDataObject = structuredClone(lifecycle.staticData),
): Promise<void> {
	change(lifecycle);
	await lifecycle.publish();
	lifecycle.staticData = ofPoll;
}

const moveTo =
	(id: number, event: EventName) =>
	({ node }: EmulatedLifecycle): void => {
		node.settings.parameters = onAssistant(id, event);
	};

/** An edit, so that n8n 2.41 calls the hooks. */
function rotate({ node }: EmulatedLifecycle): void {
	node.instance.n8n.credential.apiToken = 'second-token';
	node.settings.parameters = { ...node.settings.parameters, notice: '' };
}

const post = (url: string, headers: Record<string, string> = {}) =>
	sendRequest(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: '{"id": 1, "status": "completed", "day": "Monday"}',
	});

/** The statuses of requests with each of these tokens. */
async function statuses(url: string, tokens: string[]): Promise<number[]> {
	const all = [];
	for (const token of tokens) {
		const own = new URL(url);
		own.searchParams.set('token', token);
		all.push((await post(own.href)).status);
	}
	return all;
}

const tokenIn = (url: string): string => new URL(url).searchParams.get('token') ?? '';

const FORGED = ['', '0'.repeat(64)];

describe('after a poll has stored the static data of a former publish', () => {
	it.each([
		['assistant', moveTo(2, 'callCompleted'), 2, 'callCompleted'],
		['event', moveTo(1, 'inboundCallCompleted'), 1, 'inboundCallCompleted'],
		['API token', rotate, 1, 'callCompleted'],
	] as const)(
		'a delivery to the registered URL starts the workflow, and a forged one does not: another %s',
		async (_, change, assistantId, event) => {
			const lifecycle = await published(trigger());
			await publishBeforePoll(lifecycle, change);
			const url = (await environment.webhookUrl(event, assistantId)) ?? '';
			expect(await statuses(url, [tokenIn(url), ...FORGED])).toEqual([200, 401, 401]);
			expect(webhookServer.items).toEqual([
				expect.objectContaining({ event, assistant_id: assistantId }),
			]);
		},
	);

	it('a delivery starts the workflow whose trigger the former publish did not have', async () => {
		const lifecycle = await published(trigger());
		const url = (await environment.webhookUrl()) ?? '';
		lifecycle.staticData = {};
		expect(await statuses(url, [tokenIn(url), ...FORGED])).toEqual([200, 401, 401]);
	});

	it('no token of another purpose, trigger, n8n or API token is accepted', async () => {
		const lifecycle = await published(trigger());
		await publishBeforePoll(lifecycle, moveTo(2, 'callCompleted'));
		const { node } = lifecycle;
		const url = (await environment.webhookUrl('callCompleted', 2)) ?? '';
		await lifecycle.node.hook('delete', 'production', {});

		const others = [
			node.copyWith({ parameters: onAssistant(2, 'inboundCallCompleted') }),
			node.copyWith({ parameters: onAssistant(1, 'inboundCallStarting') }),
			node.copyWith({ workflowId: 'workflow-2' }),
			node.copyWith({ nodeId: '3c1d7a34-0000-4000-8000-000000000002' }),
			node.copyWith({}, { ...instance(), id: 'instance-2' }),
			node.copyWith({}, { ...instance(), webhookUrl: 'https://staging.example.com' }),
			node.copyWith(
				{},
				environment.instance({
					webhookUrl: webhookServer.url,
					baseUrl: tokenProxy.url,
					apiToken: 'second-token',
				}),
			),
		];
		const tokens: string[] = [];
		for (const other of others) {
			const data = {};
			await other.hook('create', 'production', data);
			for (const event of ['callCompleted', 'inboundCallCompleted'] as const) {
				for (const id of [1, 2]) {
					const registered = await environment.webhookUrl(event, id);
					if (registered) tokens.push(tokenIn(registered));
				}
			}
			await other.hook('delete', 'production', data);
		}
		expect(new Set(tokens).size).toBe(others.length);
		expect(await statuses(url, tokens)).toEqual(others.map(() => 401));
		expect(webhookServer.executions).toEqual([]);
	});

	it('a call of the tool gets its answer, and a forged one does not', async () => {
		const lifecycle = await published(
			toolTrigger(instance(), { parameters: triggerParameters([1]) }),
		);
		await publishBeforePoll(lifecycle, rotate);
		const { endpoint, secret } = await newestTool(environment);
		const asked = [];
		for (const given of [secret, ...FORGED]) {
			asked.push((await post(endpoint, { [SECRET]: given })).status);
		}
		expect(asked).toEqual([200, 401, 401]);
		expect(webhookServer.executions).toHaveLength(1);
	});
});
