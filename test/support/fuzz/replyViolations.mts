import {
	contractViolations,
	errorBodyViolations,
	requestViolations,
} from '../sandbox/contract.mts';
import type { WireRequest, WireResponse } from './connection.mts';
import type { FuzzRequest } from './fuzzRequest.mts';

/** What the service may answer to a valid request: what the contract does not say can be wrong. */
const FOR_VALID = [200, 201, 400, 422];

/**
 * The ways in which a response is not one that the service gives.
 * @param sent the request as it was sent
 */
export function replyViolations(
	{ kind, operation }: FuzzRequest,
	sent: WireRequest,
	{ status, contentType, text }: WireResponse,
): string[] {
	const found: string[] = [];
	if (status >= 500) found.push(`status ${status}`);
	if (sent.method === 'HEAD') return found;
	if (!contentType.startsWith('application/json')) found.push(`a ${contentType || 'text'}`);
	const body = parsed(text);
	const [path = ''] = sent.path.split('?');
	found.push(...contractViolations(sent.method, path, status, body));
	if (status >= 400) found.push(...errorBodyViolations(body));
	if (kind === 'valid' && !FOR_VALID.includes(status)) found.push('a valid request is refused');
	if (kind === 'almost valid' && status < 400 && sent.body !== undefined) {
		const wrong = requestViolations(operation.operationId, parsed(sent.body.toString()));
		found.push(...wrong.map((violation) => `accepted although ${violation}`));
	}
	return found;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
