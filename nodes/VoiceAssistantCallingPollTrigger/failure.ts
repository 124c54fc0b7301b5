import type { NodeError } from 'n8n-workflow';

import { ServiceError } from '../shared/client/errors';

/**
 * Why a poll failed, as n8n 2.41 reads it from an error to decide when to poll again (`errors/failure` of
 * n8n-workflow). Other versions ignore it.
 *
 * n8n rests for half an hour when the credential is invalid, so that is only said when the service itself
 * refuses the token, and not something in front of it. n8n also rests when the configuration is invalid, and
 * goes on resting after the user has corrected it, so that is never said.
 *
 * @returns undefined when nothing is known: then n8n rests for a moment
 */
export function toFailure(error: unknown): NodeError['failure'] {
	if (!(error instanceof ServiceError)) return undefined;
	const { httpCode, isJson, retryable, retryAfterMs } = error;
	if (httpCode === '401') return isJson ? { cause: 'credential-invalid' } : undefined;
	if (httpCode === '429') return { cause: 'rate-limited', retryAfterMs };
	return retryable ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}
