import { createHmac, timingSafeEqual } from 'node:crypto';

/** What makes a registration this trigger's own, on this instance and no other. */
export interface Identity {
	instanceId: string;
	workflowId: string;
	nodeId: string;
	/** Value of *Trigger On*, and the assistant: what is registered for another one is not this. */
	event: string;
	assistantId: string;
	/** Scheme and host of n8n's webhook addresses. */
	origin: string;
}

/**
 * Derives the token that is part of the registered URL. It is the same in a test and in production, and
 * after a rename; a copy of the workflow gets another one. The key is the API token, because all the
 * rest stands in exported workflow files.
 *
 * @returns 64 hexadecimal digits
 */
export const deriveToken = (
	apiToken: string,
	{ instanceId, workflowId, nodeId, event, assistantId, origin }: Identity,
): string =>
	createHmac('sha256', apiToken)
		.update(JSON.stringify([instanceId, workflowId, nodeId, event, assistantId, origin]))
		.digest('hex');

/** Compares two tokens in constant time; an empty one equals nothing. */
export function isSameToken(given: string, expected: string): boolean {
	const [a, b] = [Buffer.from(given), Buffer.from(expected)];
	return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}

/** The registered address: the webhook's own with the token. */
export function withToken(url: string, token: string): string {
	const registered = new URL(url);
	registered.searchParams.set('token', token);
	return registered.href;
}
