import assert from 'node:assert/strict';

import { getItems, type Execution, type Item } from '../../host/api/execution.mts';
import type { CredentialRef } from '../../host/api/workflow.mts';
import { errorMessage } from '../../host/process/errorMessage.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { JsonObject } from '../../sandbox/test/support/contract.mts';
import type { Service } from '../../sandbox/test/support/service.mts';
import { CALL, trigger, workflow } from '../support/workflows.mts';
import type { E2eServers } from './testEnvironment.mts';

const EXECUTION_LIMIT_MS = 120_000;
const SETTLE_LIMIT_MS = 60_000;
const POLL_LIMIT_MS = 60_000;
/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT3M';

/** Where an assistant sends each kind of event; null for nowhere. */
interface WebhookUrls {
	callCompleted: string | null;
	inboundCallCompleted: string | null;
}

type WithService = Pick<E2eServers, 'service'>;

interface AssistantState {
	settings: JsonObject;
	webhook: { url: string } | null;
	inbound_webhook: { url: string } | null;
}

/** What an assistant has. A list of the service can be late, the sandbox's own record is not. */
async function getState({ service }: WithService, assistantId: number): Promise<AssistantState> {
	const path = `/records/assistants/${assistantId}?secrets=1`;
	const { status, body } = await service.control.request('GET', path);
	assert.equal(status, 200);
	return body as AssistantState;
}

/** The settings of an assistant, with its webhooks. */
export async function readAssistant(
	environment: WithService,
	assistantId: number,
): Promise<JsonObject> {
	const { settings, inbound_webhook: inbound } = await getState(environment, assistantId);
	return { ...settings, inbound_webhook_url: inbound?.url ?? null };
}

/** The active webhooks of an assistant. */
export async function readWebhookUrls(
	environment: WithService,
	assistantId: number,
): Promise<WebhookUrls> {
	const { webhook, inbound_webhook: inbound } = await getState(environment, assistantId);
	return { callCompleted: webhook?.url ?? null, inboundCallCompleted: inbound?.url ?? null };
}

/** Waits until no webhook is active: n8n unregisters a test after its response. */
export async function waitUntilUnregistered(
	environment: WithService,
	assistantId: number,
): Promise<void> {
	await waitFor('the trigger to be unregistered', SETTLE_LIMIT_MS, async () => {
		const { callCompleted, inboundCallCompleted } = await readWebhookUrls(environment, assistantId);
		return callCompleted === null && inboundCallCompleted === null ? true : undefined;
	});
}

/** The number of the other side, by the direction of the call. */
export const CLIENT_NUMBERS = { outbound: '+4915112345690', inbound: '+4915112345691' };

/** An assistant makes or gets a call, which ends, and its webhooks are delivered. @returns its id */
export async function completeCall(
	{ service: { control } }: WithService,
	assistantId: number,
	direction: 'outbound' | 'inbound' = 'outbound',
	scenario?: string,
): Promise<number> {
	const { outbound: to, inbound: from } = CLIENT_NUMBERS;
	const { id } =
		direction === 'outbound'
			? await control.outbound({ assistant_id: assistantId, to, scenario })
			: await control.inbound({ assistant_id: assistantId, from, scenario });
	await control.advance(A_CALL);
	return id;
}

/** Creates a workflow of nothing but a post-call trigger. @returns its id */
export async function createTriggerWorkflow(
	{ editor }: E2eServers,
	name: string,
	assistantId: number,
	credential: CredentialRef,
): Promise<string> {
	const only = trigger('callCompleted', assistantId, credential);
	return (await editor.createWorkflow(workflow(name, [only]))).id;
}

/**
 * Waits for the execution that a call started.
 *
 * @returns it and the trigger's item
 * @throws Error that tells what n8n answered to the deliveries
 */
export async function waitForExecution(
	{ editor, service }: E2eServers,
	workflowId: string,
	callId: number,
): Promise<{ execution: Execution; item: Item }> {
	const found = waitFor(`the execution of call ${callId}`, EXECUTION_LIMIT_MS, async () => {
		for (const execution of await editor.executions(workflowId)) {
			const item = getItems(execution, CALL).find(({ id }) => id === callId);
			if (item !== undefined) return { execution, item };
		}
		return undefined;
	});
	return await found.catch(async (error: unknown) => {
		const deliveries = await service.control.deliveries();
		const attempts = deliveries.filter((delivery) => delivery.call_id === callId);
		throw new Error(`${errorMessage(error)} ${JSON.stringify(attempts)}`, { cause: error });
	});
}

async function pollCount({ control }: Service): Promise<number> {
	const requests = await control.requests();
	return requests.filter(({ operation, status }) => operation === 'listCalls' && status === 200)
		.length;
}

/** Waits for the poll that something causes, such as a start of n8n. */
export async function untilNextPoll(service: Service, work: () => Promise<void>): Promise<void> {
	const before = await pollCount(service);
	await work();
	await waitFor('n8n to poll', POLL_LIMIT_MS, async () =>
		(await pollCount(service)) > before ? true : undefined,
	);
}
