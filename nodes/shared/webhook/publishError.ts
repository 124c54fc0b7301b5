import { NodeOperationError, type INode } from 'n8n-workflow';

import { DescribedError, ServiceError, toNodeError } from '../client/errors';

const ENDED = 'n8n has ended this publish before it was done. Publish the workflow again.';

/**
 * Makes the error of a publish that failed. n8n removes the trigger of the published version before it asks
 * for the new one, and does not bring it back (n8n.md#failed-publish). n8n 2.41 keeps the
 * workflow as published and tries again at its next start, n8n 2.0 does not. The consequence comes first,
 * because the toast of n8n 2.41 cuts long texts off.
 */
export function toPublishError(node: INode, error: unknown): NodeOperationError {
	// n8n 2.41 ends the expressions of a publish that took too long, and its error has no words.
	const message = toNodeError(node, error).message.trim() || ENDED;
	const reason = /[.!?]$/.test(message) ? message : `${message}.`;
	return new NodeOperationError(
		node,
		`This trigger receives no calls now. ${reason} If you do not correct it now, unpublish the workflow: n8n may publish it by itself when it next starts.`,
	);
}

/** Adds to an error of a publish what it may have left at the service. */
export const withLeft = (error: unknown, left: string): unknown =>
	error instanceof DescribedError
		? new ServiceError({ ...error, message: error.message, nextStep: `${left} ${error.nextStep}` })
		: error;
