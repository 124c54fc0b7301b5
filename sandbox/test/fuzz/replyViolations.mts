import { parseJson } from '../support/client.mts';
import {
	contractViolations,
	errorBodyViolations,
	isObject,
	requestViolations,
	wrongFields,
} from '../support/contract.mts';
import type { WireRequest, WireResponse } from './connection.mts';
import type { FuzzRequest } from './fuzzRequest.mts';

/** What the service may answer to a valid request: a record can be gone, and what the contract does not say can be wrong. */
const FOR_VALID = [200, 201, 400, 404, 422];

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
	const body = parseJson(text);
	const [path = ''] = sent.path.split('?');
	found.push(...contractViolations(sent.method, path, status, body));
	if (status >= 400) found.push(...errorBodyViolations(body));
	if (kind === 'valid' && !FOR_VALID.includes(status)) found.push('a valid request is refused');
	if (kind === 'almost valid' && sent.body !== undefined) {
		const { operationId } = operation;
		const sentBody = parseJson(sent.body.toString());
		const wrong = wrongFields(operationId, sentBody);
		if (status < 400) {
			const broken = requestViolations(operationId, sentBody);
			found.push(...broken.map((violation) => `accepted although ${violation}`));
		} else if (
			wrong.length > 0 &&
			!wrong.some((field) => namedFields(operationId, body).includes(field))
		) {
			found.push(`none of ${wrong.join(', ')} is named`);
		}
	}
	return found;
}

/** The fields that a refusal names: in `errors`, or in the message (contract: Errors, updates of leads; assumption: campaign-errors). */
export function namedFields(operationId: string, body: unknown): string[] {
	if (!isObject(body)) return [];
	if (isObject(body.errors)) return Object.keys(body.errors);
	if (operationId === 'updateCampaignStatus') return ['action'];
	if (!/^(update|patch)Lead/.test(operationId)) return [];
	if (body.message === 'Invalid phone number') return ['phone_number'];
	return String(body.message).replace('Invalid fields: ', '').split(', ');
}
