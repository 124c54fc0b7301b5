import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Contract, Route } from '../contract/contract.mts';
import type { Answer } from '../base/response.mts';
import { answerOf, type Faults } from './faults.mts';
import type { Clock } from '../runtime/clock.mts';
import { wait } from '../base/wait.mts';
import { readJson } from './body.mts';
import type { Journal, JournalEntry } from './journal.mts';
import type { Service } from './service.mts';

/** What the routes of the service work with. */
export interface ServiceParts {
	contract: Contract;
	service: Service;
	clock: Clock;
	faults: Faults;
	journal: Journal;
	/** Aborts when the sandbox closes; nothing is waited for then. */
	closing: AbortSignal;
}

/** The service's base path. */
export const BASE_PATH = '/api';

/** As much of a body that the service would not read as the journal keeps, in characters. */
const KEPT_TEXT_LENGTH = 2000;

/** Puts the service under its base path: every request is journaled, may meet a fault, is answered. */
export function addServiceRoutes(app: FastifyInstance, parts: ServiceParts): void {
	app.all(`${BASE_PATH}/*`, (request, reply) => respond(parts, request, reply));
	app.all(BASE_PATH, (request, reply) => respond(parts, request, reply));
}

async function respond(
	parts: ServiceParts,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { contract, service, faults, journal, clock } = parts;
	const path = request.url.split('?')[0] ?? '';
	const route = contract.route(request.method, path.slice(BASE_PATH.length));
	const operationId = route.found ? route.operationId : undefined;
	const rawBody = Buffer.isBuffer(request.body) ? request.body : undefined;
	const entry = journal.begin({
		at: new Date(clock.now()).toISOString(),
		method: request.method,
		path,
		query: request.query,
		operation: operationId ?? null,
		body: kept(rawBody, service.sizeLimit),
		user: service.userOf(request.headers.authorization)?.id ?? null,
	});
	const fault = faults.take(operationId);
	if (fault) {
		entry.fault = fault.id;
		await wait(fault.delay_ms ?? 0, parts.closing);
		const dropped = fault.drop === true || fault.drop === 'before' || parts.closing.aborted;
		if (dropped) return drop(journal, entry, reply);
	}
	const answer =
		(fault && answerOf(fault, operationId)) ?? answerTo(service, route, request, path, rawBody);
	if (fault?.drop === 'after') return drop(journal, entry, reply);
	journal.end(entry, answer.status);
	return give(reply, answer);
}

function answerTo(
	service: Service,
	route: Route,
	request: FastifyRequest,
	path: string,
	rawBody: Buffer | undefined,
): Answer {
	if (!route.found) {
		const message =
			route.status === 404
				? `The route ${path} could not be found.`
				: `The ${request.method} method is not supported for route ${path}.`;
		return { status: route.status, body: { message } };
	}
	return service.answer({
		operationId: route.operationId,
		id: route.id,
		query: { ...(request.query as object) },
		authorization: request.headers.authorization,
		contentType: request.headers['content-type'],
		rawBody: request.method === 'GET' ? undefined : (rawBody ?? Buffer.alloc(0)),
	});
}

function drop(journal: Journal, entry: JournalEntry, reply: FastifyReply): FastifyReply {
	journal.end(entry, null);
	reply.hijack();
	reply.raw.destroy();
	return reply;
}

function give(reply: FastifyReply, { status, body, headers }: Answer): FastifyReply {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const usual = { 'content-type': 'application/json' };
	return reply
		.code(status)
		.headers({ ...usual, ...headers })
		.send(text);
}

/** A body as it was parsed where the service takes it, else the beginning of its text. */
function kept(rawBody: Buffer | undefined, sizeLimit: number): unknown {
	if (rawBody === undefined || rawBody.length === 0) return null;
	try {
		return readJson(rawBody, sizeLimit);
	} catch {
		// A character has four bytes at most.
		return rawBody
			.subarray(0, 4 * KEPT_TEXT_LENGTH)
			.toString()
			.slice(0, KEPT_TEXT_LENGTH);
	}
}
