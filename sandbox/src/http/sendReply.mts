import type { FastifyReply } from 'fastify';

import type { Response } from '../base/apiError.mts';
import { wait } from '../base/realTime.mts';
import type { ReplyEffects } from '../faults/requestFaults.mts';

export interface SentResponse {
	status: number;
	headers: { [name: string]: string };
	text: string;
}

const PARTS = 10;

type EndReply = () => FastifyReply;

/**
 * Sends a response up to its end, as slowly as its fault says.
 *
 * @param fault what goes wrong with it; undefined for a response that is to arrive
 * @param closing ends all waits; the connection is then closed
 * @returns a function that sends the rest, so that the journal is complete before the client is
 */
export async function beginReply(
	reply: FastifyReply,
	response: SentResponse,
	fault: ReplyEffects | undefined,
	closing: AbortSignal,
): Promise<EndReply> {
	if (!fault) return () => sendWhole(reply, response);
	const { slow_first_byte_ms: firstByte, slow_body_ms: slow, truncate_body: cut } = fault;
	if (firstByte) await wait(firstByte, closing);
	if (closing.aborted) return () => drop(reply);
	return slow || cut !== undefined
		? sendInParts(reply, response, fault, closing)
		: () => sendWhole(reply, response);
}

/** Closes the connection without a response, or in the middle of it. */
export function drop(reply: FastifyReply): FastifyReply {
	if (!reply.sent) reply.hijack();
	reply.raw.destroy();
	return reply;
}

const sendWhole = (reply: FastifyReply, { status, headers, text }: SentResponse): FastifyReply =>
	reply.code(status).headers(headers).send(text);

/** The response as it goes out. A fault can give it another type, and JSON that cannot be read. */
export function toSent(
	{ status, body, headers }: Response,
	{ content_type: type, malformed_json: isMalformed }: ReplyEffects = {},
): SentResponse {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return {
		status,
		headers: {
			'content-type': 'application/json; charset=utf-8',
			...headers,
			...(type !== undefined && { 'content-type': type }),
		},
		// A comma, because "12" without its last character can be read.
		text: isMalformed ? `${text.slice(0, -1)},` : text,
	};
}

/** Sends the body in parts, and closes the connection before its end if it is to be cut off. */
async function sendInParts(
	reply: FastifyReply,
	{ status, headers, text }: SentResponse,
	{ slow_body_ms: span = 0, truncate_body: cut }: ReplyEffects,
	closing: AbortSignal,
): Promise<EndReply> {
	const whole = Buffer.from(text);
	const sent = cut === undefined ? whole : whole.subarray(0, Math.min(cut, whole.length - 1));
	reply.hijack();
	const { raw } = reply;
	try {
		for (const [name, value] of Object.entries(headers)) raw.setHeader(name, value);
		raw.setHeader('content-length', whole.length);
		raw.writeHead(status).flushHeaders();
	} catch (error) {
		// Nobody else answers a hijacked reply.
		raw.destroy();
		throw error;
	}

	const size = span === 0 ? sent.length : Math.ceil(sent.length / PARTS);
	let begin = 0;
	for (let part = 0; span > 0 && part < PARTS; part += 1) {
		await wait(span / PARTS, closing);
		if (closing.aborted || raw.destroyed) return () => drop(reply);
		if (begin + size >= sent.length) continue;
		raw.write(sent.subarray(begin, begin + size));
		begin += size;
	}
	return () => {
		const rest = sent.subarray(begin);
		if (cut === undefined) raw.end(rest);
		else raw.write(rest, () => raw.destroy());
		return reply;
	};
}
