import type { FastifyRequest } from 'fastify';

import { parseBody, requireJson } from '../http/body.mts';

/** Begins the message about an invalid request. */
export const INVALID = 'The request is invalid';

/**
 * The body of a control request, which may come without one.
 *
 * @throws {ApiError} 415 or 400 when it is no JSON
 */
export function bodyOf({ body, headers }: FastifyRequest): unknown {
	const hasBody = Buffer.isBuffer(body) && body.length > 0;
	return hasBody ? requireJson(parseBody(body), headers['content-type']) : {};
}
