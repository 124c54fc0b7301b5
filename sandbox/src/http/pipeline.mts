import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../base/apiError.mts';
import type { Response } from '../base/response.mts';
import { wait } from '../base/wait.mts';
import type { CheckedRequest, Contract, Route } from '../contract/contract.mts';
import { failureMessage } from '../contract/failureMessages.mts';
import type { User } from '../store/records.mts';
import type { Engine } from '../domain/context.mts';
import { operations } from '../domain/operations.mts';
import { journalBody, parseBody, requireJson, type Body } from './body.mts';
import { faultResponse, type Fault, type Faults } from './faults.mts';
import type { Journal, JournalEntry } from './journal.mts';
import type { RateLimiter } from './rateLimit.mts';

/** What the pipeline works with. */
export interface ServiceParts {
	engine: Engine;
	contract: Contract;
	limiter: RateLimiter;
	faults: Faults;
	journal: Journal;
	/** Aborts when the sandbox closes; a fault's delay ends then. */
	closing: AbortSignal;
}

/** A request of the service. */
interface ServiceRequest {
	method: string;
	/** With the base path, without query. */
	path: string;
	route: Route;
	query: { [name: string]: unknown };
	authorization: string | undefined;
	contentType: string | undefined;
	body: Body;
	/** What the journal keeps of the body. */
	journalBody: unknown;
}

/** The handler's response violates the contract: a defect of the sandbox. */
class ContractViolation extends Error {}

/** The service's base path. */
export const BASE_PATH = '/api';

/** Serves the service below its base path. */
export function addServiceRoutes(app: FastifyInstance, parts: ServiceParts): void {
	app.all(`${BASE_PATH}/*`, (request, reply) => serve(parts, request, reply));
	app.all(BASE_PATH, (request, reply) => serve(parts, request, reply));
}

/**
 * The way of a request. Its stages follow below, in this order. A fault stands for what is in front of
 * the service, such as a proxy, so it also hits requests that the service would refuse.
 */
async function serve(
	parts: ServiceParts,
	received: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const request = parse(parts, received);
	const user = authenticate(parts, request);
	const entry = beginJournalEntry(parts, request, user);
	const fault = await meetFault(parts, request, entry);
	if (fault?.drop === true || fault?.drop === 'before' || (fault && parts.closing.aborted)) {
		return drop(parts, reply, entry);
	}
	const response =
		(fault && faultResponse(fault, entry.operation)) ?? respond(parts, request, user);
	if (fault?.drop === 'after') return drop(parts, reply, entry);
	parts.journal.end(entry, response.status);
	return sendReply(reply, response);
}

/** What the service does, in the order of the assumption `check-order`. Never throws. */
function respond(parts: ServiceParts, request: ServiceRequest, user: User | undefined): Response {
	const { route } = request;
	if (!route.found) return noSuchRoute(request, route.status);
	const { operationId } = route;
	try {
		if (!user) throw new ApiError(401, 'Unauthenticated.');
		parts.limiter.count(user.id, parts.engine.now());
		const checked = checkContract(parts, request, operationId);
		return handle(parts, user, operationId, route.id, checked);
	} catch (error) {
		return errorResponse(parts, operationId, error);
	}
}

/** Reads everything that the later stages need, once. */
function parse({ contract, engine }: ServiceParts, received: FastifyRequest): ServiceRequest {
	const path = received.url.split('?')[0] ?? '';
	const raw = Buffer.isBuffer(received.body) ? received.body : undefined;
	const body = parseBody(raw ?? Buffer.alloc(0), engine.assumptions['request-size-limit']);
	return {
		method: received.method,
		path,
		route: contract.route(received.method, path.slice(BASE_PATH.length)),
		query: { ...(received.query as object) },
		authorization: received.headers.authorization,
		contentType: received.headers['content-type'],
		body,
		journalBody: journalBody(raw, body),
	};
}

/** The user that the bearer token belongs to; undefined without a valid one. */
function authenticate(
	{ engine }: ServiceParts,
	{ authorization }: ServiceRequest,
): User | undefined {
	const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
	return token === undefined ? undefined : engine.state.users.first([['token', 'is', token]]);
}

function beginJournalEntry(
	{ journal, engine }: ServiceParts,
	{ method, path, query, route, journalBody: body }: ServiceRequest,
	user: User | undefined,
): JournalEntry {
	return journal.begin({
		at: new Date(engine.now()).toISOString(),
		method,
		path,
		query,
		operation: route.found ? route.operationId : null,
		body,
		user: user?.id ?? null,
	});
}

/** The fault that hits the request, after its delay; undefined when none does. */
async function meetFault(
	{ faults, closing }: ServiceParts,
	{ route }: ServiceRequest,
	entry: JournalEntry,
): Promise<Fault | undefined> {
	const fault = faults.take(route.found ? route.operationId : undefined);
	if (!fault) return undefined;
	entry.fault = fault.id;
	await wait(fault.delay_ms ?? 0, closing);
	return fault;
}

function noSuchRoute({ method, path }: ServiceRequest, status: 404 | 405): Response {
	const message =
		status === 404
			? `The route ${path} could not be found.`
			: `The ${method} method is not supported for route ${path}.`;
	return { status, body: { message } };
}

function checkContract(
	{ contract }: ServiceParts,
	{ method, query, body, contentType }: ServiceRequest,
	operationId: string,
): CheckedRequest {
	const value = method === 'GET' ? undefined : requireJson(body, contentType);
	return contract.checkRequest(operationId, query, value);
}

/** Runs the operation. A response that violates the contract undoes what the handler did. */
function handle(
	{ engine, contract }: ServiceParts,
	user: User,
	operationId: string,
	id: string | undefined,
	{ body, query, givenQuery }: CheckedRequest,
): Response {
	const handler = operations[operationId];
	if (!handler) throw new Error(`The sandbox has no operation ${operationId}.`);
	const request = {
		id: /^[1-9]\d*$/.test(id ?? '') ? Number(id) : 0,
		// The contract was checked: these are the types of this handler.
		body: body as never,
		query: query as never,
		givenQuery,
	};
	return engine.commit((context) =>
		checkResponse(contract, operationId, handler(context, user, request)),
	);
}

/** @throws {ContractViolation} */
function checkResponse(contract: Contract, operationId: string, response: Response): Response {
	const violation = contract.validateResponse(operationId, response.status, response.body);
	if (violation !== undefined) throw new ContractViolation(violation);
	return response;
}

/** The response to a refusal. Any other error is unexpected: it is logged, and the response is 500. */
function errorResponse({ contract }: ServiceParts, operationId: string, error: unknown): Response {
	if (error instanceof ApiError) {
		const { status, body } = error.response;
		const violation = contract.validateResponse(operationId, status, body);
		return violation === undefined
			? error.response
			: failure(operationId, new ContractViolation(violation));
	}
	return failure(operationId, error);
}

function failure(operationId: string, error: unknown): Response {
	console.error(`The sandbox failed at ${operationId}:`, error);
	if (error instanceof ContractViolation) {
		const message = `The response of ${operationId} violates the contract: ${error.message}`;
		return { status: 500, body: { message, error: 'sandbox_contract_violation' } };
	}
	return { status: 500, body: { message: failureMessage(operationId) } };
}

/** Closes the connection without a response. */
function drop({ journal }: ServiceParts, reply: FastifyReply, entry: JournalEntry): FastifyReply {
	journal.end(entry, null);
	reply.hijack();
	reply.raw.destroy();
	return reply;
}

function sendReply(reply: FastifyReply, { status, body, headers }: Response): FastifyReply {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return reply
		.code(status)
		.headers({ 'content-type': 'application/json', ...headers })
		.send(text);
}
