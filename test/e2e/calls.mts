import { itemsOf, type Execution, type Item } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { assistantRecord } from '../support/sandbox/calls.mts';
import type { JsonObject } from '../support/sandbox/contract.mts';
import { CALL } from '../support/workflows.mts';
import { CAROL } from './seed.mts';
import type { Stage } from './testEnvironment.mts';

const EXECUTION_LIMIT_MS = 30_000;
const SETTLE_LIMIT_MS = 15_000;
/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT3M';

/** Where an assistant sends each kind of event; null where nowhere. */
export interface Registered {
	callCompleted: string | null;
	inboundCallCompleted: string | null;
}

type AtService = Pick<Stage, 'service'>;

/** Carol's record of an assistant. */
export async function record({ service }: AtService, assistantId: number): Promise<JsonObject> {
	return await assistantRecord(service.as(CAROL), assistantId);
}

/** What is registered at one of Carol's assistants. */
export async function registered(stage: AtService, assistantId: number): Promise<Registered> {
	const { webhook_url, is_webhook_active, inbound_webhook_url } = await record(stage, assistantId);
	const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
	return {
		callCompleted: is_webhook_active === true ? textOf(webhook_url) : null,
		inboundCallCompleted: textOf(inbound_webhook_url),
	};
}

/** Waits until nothing is registered: n8n takes a test off after it has answered. */
export async function untilUnregistered(
	stage: AtService,
	assistantId: number,
	limitMs = SETTLE_LIMIT_MS,
): Promise<void> {
	await waitFor('the trigger to be taken off', limitMs, async () => {
		const { callCompleted, inboundCallCompleted } = await registered(stage, assistantId);
		return callCompleted === null && inboundCallCompleted === null ? true : undefined;
	});
}

/** A call of an assistant from its beginning to its end, webhooks delivered. @returns its id */
export async function callFrom({ service }: AtService, assistantId: number): Promise<number> {
	const { id } = await service.control.outbound({
		assistant_id: assistantId,
		to: '+4915112345690',
	});
	await service.control.advance(A_CALL);
	return Number(id);
}

/** The same for somebody who calls the assistant. */
export async function callTo({ service }: AtService, assistantId: number): Promise<number> {
	const caller = { assistant_id: assistantId, from: '+4915112345691' };
	const { id } = await service.control.inbound(caller);
	await service.control.advance(A_CALL);
	return Number(id);
}

/** Waits for the execution that a call started. @returns it and the trigger's item */
export async function executionOf(
	{ editor }: Stage,
	workflowId: string,
	callId: number,
): Promise<{ execution: Execution; item: Item }> {
	return await waitFor(`the execution of call ${callId}`, EXECUTION_LIMIT_MS, async () => {
		for (const execution of await editor.executions(workflowId)) {
			const item = itemsOf(execution, CALL).find(({ id }) => id === callId);
			if (item !== undefined) return { execution, item };
		}
		return undefined;
	});
}
