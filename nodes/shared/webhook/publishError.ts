import { NodeOperationError, type INode } from 'n8n-workflow';

import { toNodeError } from '../client/errors';

/**
 * Makes the error of a publish that failed. n8n removes the trigger of the published version before it asks
 * for the new one, and does not bring it back (n8n 2.0, 2.41: test/e2e/triggers.mts). n8n 2.41 keeps the
 * workflow as published and tries again at its next start, n8n 2.0 does not. The consequence comes first,
 * because the toast of n8n 2.41 cuts long texts off.
 */
export function toPublishError(node: INode, error: unknown): NodeOperationError {
	const { message } = toNodeError(node, error);
	const reason = /[.!?]$/.test(message) ? message : `${message}.`;
	return new NodeOperationError(
		node,
		`This trigger receives no calls now. ${reason} If you do not correct it now, unpublish the workflow: n8n may publish it by itself when it next starts.`,
	);
}
