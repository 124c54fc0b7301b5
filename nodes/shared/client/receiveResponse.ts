import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { readBody, UnusableBody, type Stream } from './readBody';
import { parseResponse, type ParsedResponse } from './response';

/**
 * Reads and parses a response that has begun.
 *
 * @param response of n8n's HTTP helper, whose body is a stream
 * @param signal ends the reading
 * @param secret the API token of the request, which no text of a failure shows
 * @throws {UnusableBody} when the body of a success cannot be used
 */
export async function receiveResponse(
	{ statusCode, headers, body: stream }: IN8nHttpFullResponse,
	signal: AbortSignal,
	secret: string,
): Promise<ParsedResponse> {
	const body = await readBody(stream as Stream, signal).catch((error: unknown) => {
		// A refusal is one whatever its body is.
		if (error instanceof UnusableBody && statusCode >= 300) return '';
		throw error;
	});
	return parseResponse({ statusCode, headers, body }, secret);
}
