import { NodeOperationError, type IHookFunctions, type INode } from 'n8n-workflow';

import { DescribedError, ServiceError, toNodeError } from '../client/errors';
import { ProcessMemory } from '../processMemory';
import { triggerKey } from './triggerContext';

const ENDED = 'n8n has ended this publish before it was done. Publish the workflow again.';

const takenOff = new ProcessMemory<{ id: number; text: string }>('takenOff');

/**
 * Remembers of which assistant a trigger was taken off: n8n does that before it asks for another one.
 *
 * @param text names the assistant
 */
export const noteTakenOff = (context: IHookFunctions, id: number, text: string): void =>
	takenOff.set(triggerKey(context), { id, text });

/** That the assistant of the version before is lost, too. @param assistantIds that were asked for */
export function neitherTells(context: IHookFunctions, assistantIds: number[]): string | undefined {
	const former = takenOff.get(triggerKey(context));
	return former && assistantIds.length > 0 && !assistantIds.includes(former.id)
		? `No assistant sends its calls to this workflow now: it was taken off ${former.text} before.`
		: undefined;
}

/**
 * Makes the error of a publish that failed. n8n removes the trigger of the published version before it asks
 * for the new one, and does not bring it back (n8n.md#failed-publish). n8n 2.41 keeps the
 * workflow as published and tries again at its next start, n8n 2.0 does not. The consequence comes first,
 * because the toast of n8n 2.41 cuts long texts off.
 */
export function toPublishError(
	node: INode,
	error: unknown,
	consequence = 'This trigger receives no calls now.',
): NodeOperationError {
	// n8n 2.41 ends the expressions of a publish that took too long, and its error has no words.
	const message = toNodeError(node, error).message.trim() || ENDED;
	const reason = /[.!?]$/.test(message) ? message : `${message}.`;
	return new NodeOperationError(
		node,
		`${consequence} ${reason} If you do not correct it now, unpublish the workflow: n8n may publish it by itself when it next starts.`,
	);
}

/** Adds to an error of a publish what it may have left at the service. */
export const withLeft = (error: unknown, left: string): unknown =>
	error instanceof DescribedError
		? new ServiceError({ ...error, message: error.message, nextStep: `${left} ${error.nextStep}` })
		: error;
