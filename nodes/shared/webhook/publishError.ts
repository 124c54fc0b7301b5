import { NodeOperationError, type INode } from 'n8n-workflow';

import { toNodeError } from '../client/errors';

/**
 * Makes the error of a publish that failed. n8n removes the trigger of the published version before it asks
 * for the new one, and does not bring it back (n8n 2.0, 2.41: test/e2e/triggers.mts).
 */
export function toPublishError(node: INode, error: unknown): NodeOperationError {
	const { message } = toNodeError(node, error);
	const end = /[.!?]$/.test(message) ? '' : '.';
	const consequence = 'This trigger receives no calls until the workflow is published again.';
	return new NodeOperationError(node, `${message}${end} ${consequence}`);
}
