import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../base/apiError.mts';
import { logFailure } from '../base/dataFileError.mts';
import type { Response } from '../base/response.mts';
import { wait } from '../base/realTime.mts';
import {
	ContractViolation,
	type CheckedRequest,
	type Contract,
	type Route,
} from '../contract/contract.mts';
import { failureMessage } from '../contract/failureMessages.mts';
import type { Engine } from '../domain/context.mts';
import { operations } from '../domain/operations.mts';
import { recordId } from '../domain/ownership.mts';
import { journalBody, parseBody, requireJson, type Body } from './body.mts';
import { faultResponse, type Fault, type Faults } from './faults.mts';
import type { Journal, JournalEntry } from './journal.mts';
import type { RateLimiter } from './rateLimit.mts';

/** What the pipeline works with. */
interface ServiceDependencies {
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

/** The service's base path. */
export const BASE_PATH = '/api';

/** Serves the service below its base path. */
export function addServiceRoutes(app: FastifyInstance, parts: ServiceDependencies): void {
	app.all(`${BASE_PATH}/*`, (request, reply) => serve(parts, request, reply));
	app.all(BASE_PATH, (request, reply) => serve(parts, request, reply));
}

/**
 * The way of a request. Its stages follow below, in this order. A fault simulates what is in front of
 * the service, such as a proxy: it also hits requests that the service would refuse.
 */
async function serve(
	parts: ServiceDependencies,
	received: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const request = parse(parts, received);
	const userId = authenticate(parts, request);
	const entry = beginJournalEntry(parts, request, userId);
	let response: Response | undefined;
	try {
		response = await respondUnlessDropped(parts, request, userId, entry);
	} finally {
		parts.journal.end(entry, response?.status ?? null);
	}
	return response ? sendReply(reply, response) : drop(reply);
}

/** The response of a fault or of the service; undefined when the connection is to be closed. */
async function respondUnlessDropped(
	parts: ServiceDependencies,
	request: ServiceRequest,
	userId: number | undefined,
	entry: JournalEntry,
): Promise<Response | undefined> {
	const fault = await applyFault(parts, request, entry);
	if (!fault) return respond(parts, request, userId);
	if (fault.drop === true || fault.drop === 'before' || parts.closing.aborted) return undefined;
	const response = faultResponse(fault, entry.operation) ?? respond(parts, request, userId);
	return fault.drop === 'after' ? undefined : response;
}

/** Reads everything that the later stages need. */
function parse(
	{ contract, engine }: ServiceDependencies,
	received: FastifyRequest,
): ServiceRequest {
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

/** The id of the user that the bearer token belongs to; undefined without a valid token. */
function authenticate(
	{ engine }: ServiceDependencies,
	{ authorization }: ServiceRequest,
): number | undefined {
	const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
	if (token === undefined) return undefined;
	return engine.state.users.first([['token', 'is', token]])?.id;
}

function beginJournalEntry(
	{ journal, engine }: ServiceDependencies,
	{ method, path, query, route, journalBody: body }: ServiceRequest,
	userId: number | undefined,
): JournalEntry {
	return journal.begin({
		at: new Date(engine.now()).toISOString(),
		method,
		path,
		query,
		operation: route.found ? route.operationId : null,
		body,
		user: userId ?? null,
	});
}

/** The fault that hits the request, after its delay; undefined when none does. */
async function applyFault(
	{ faults, closing }: ServiceDependencies,
	{ route }: ServiceRequest,
	entry: JournalEntry,
): Promise<Fault | undefined> {
	const fault = faults.take(route.found ? route.operationId : undefined);
	if (!fault) return undefined;
	entry.fault = fault.id;
	await wait(fault.delay_ms ?? 0, closing);
	return fault;
}

/** What the service does, in the order of the assumption `check-order`. */
function respond(
	parts: ServiceDependencies,
	request: ServiceRequest,
	userId: number | undefined,
): Response {
	const { route } = request;
	if (!route.found) return noSuchRoute(request, route.status);
	const { operationId } = route;
	try {
		if (userId === undefined) throw unauthenticated();
		parts.limiter.count(userId, parts.engine.now());
		const checked = checkContract(parts, request, operationId);
		return handle(parts, userId, operationId, route.id, checked);
	} catch (error) {
		return errorResponse(parts, operationId, error);
	}
}

function noSuchRoute({ method, path }: ServiceRequest, status: 404 | 405): Response {
	const message =
		status === 404
			? `The route ${path} could not be found.`
			: `The ${method} method is not supported for route ${path}.`;
	return { status, body: { message } };
}

const unauthenticated = (): ApiError => new ApiError(401, 'Unauthenticated.');

function checkContract(
	{ contract }: ServiceDependencies,
	{ method, query, body, contentType }: ServiceRequest,
	operationId: string,
): CheckedRequest {
	const value = method === 'GET' ? undefined : requireJson(body, contentType);
	return contract.validateRequest(operationId, query, value);
}

/** Runs the operation. A response that violates the contract undoes what the handler did. */
function handle(
	{ engine, contract }: ServiceDependencies,
	userId: number,
	operationId: string,
	id: string | undefined,
	{ body, query, givenQuery }: CheckedRequest,
): Response {
	const handler = operations[operationId];
	if (!handler) throw new Error(`The sandbox has no operation ${operationId}.`);
	const request = {
		id: recordId(id),
		// The contract was checked: these are the types of this handler.
		body: body as never,
		query: query as never,
		givenQuery,
	};
	return engine.commit((context) => {
		// Read here, because the user may have changed during the delay of a fault.
		const user = context.state.users.get(userId);
		if (!user) throw unauthenticated();
		const response = handler(context, user, request);
		contract.validateResponse(operationId, response.status, response.body);
		return response;
	});
}

/** The response to a refusal. Any other error is unexpected: it is logged, and the response is 500. */
function errorResponse(
	{ contract }: ServiceDependencies,
	operationId: string,
	error: unknown,
): Response {
	try {
		if (!(error instanceof ApiError)) throw error;
		const { response } = error;
		contract.validateResponse(operationId, response.status, response.body);
		return response;
	} catch (defect) {
		logFailure(`The sandbox failed at ${operationId}`, defect);
		if (defect instanceof ContractViolation) {
			const message = `The response of ${operationId} violates the contract: ${defect.message}`;
			return { status: 500, body: { message, error: 'sandbox_contract_violation' } };
		}
		return { status: 500, body: { message: failureMessage(operationId) } };
	}
}

/** Closes the connection without a response. */
function drop(reply: FastifyReply): FastifyReply {
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
