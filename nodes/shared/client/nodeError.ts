import { NodeOperationError, type INode } from 'n8n-workflow';

import { DescribedError, ServiceError } from './errors';

/**
 * Makes the error that a trigger throws. All text is in the message, because n8n 2.0 and 2.41 each hide
 * a part of other errors.
 *
 * @param node that shows the error
 * @param error that was thrown; any value
 */
export function toNodeError(node: INode, error: unknown): NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	if (!(error instanceof DescribedError)) return new NodeOperationError(node, error as Error);
	const isUnauthorized = error instanceof ServiceError && error.httpCode === '401';
	// With this word in the message, n8n 2.0 does not repeat the activation for hours.
	const prefix = isUnauthorized ? 'Authorization failed: ' : '';
	return new NodeOperationError(node, prefix + error.text);
}
