import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../base/apiError.mts';
import { logFailure } from '../base/dataFileError.mts';
import type { Response } from '../base/response.mts';
import { wait } from '../base/realTime.mts';
import type { HttpHeaders } from '../base/secrets.mts';
import {
	ContractViolation,
	type CheckedRequest,
	type Contract,
	type Route,
} from '../contract/contract.mts';
import { failureMessage } from '../contract/failureMessages.mts';
import type { Context, Engine } from '../domain/context.mts';
import { addEvent } from '../domain/events.mts';
import { operations } from '../domain/operations.mts';
import { recordId } from '../domain/ownership.mts';
import { shownFault, type Faults, type RequestFault } from '../faults/faults.mts';
import { ruleResponse } from '../faults/requestFaults.mts';
import { journalBody, parseBody, requireJson, type Body } from './body.mts';
import type { Journal, OpenRequest } from './journal.mts';
import type { RateLimiter } from './rateLimit.mts';
import { refusalText } from './refusalText.mts';
import { beginReply, drop, toSent, type SentResponse } from './sendReply.mts';

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
	headers: HttpHeaders;
	/** The bearer token as it was sent, whether or not a user has it. */
	token: string | undefined;
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
	const open = beginJournalEntry(parts, request, userId);
	const fault = takeFault(parts, request, open);
	let sent: SentResponse | undefined;
	let endReply = () => drop(reply);
	try {
		const response = await respondUnlessDropped(parts, request, userId, fault, open);
		if (response) {
			const wanted = toSent(response, fault);
			endReply = await beginReply(reply, wanted, fault, parts.closing);
			sent = wanted;
		}
	} finally {
		endJournalEntry(parts, open, sent);
	}
	return endReply();
}

/** The response of a fault or of the service; undefined when the connection is to be closed. */
async function respondUnlessDropped(
	parts: ServiceDependencies,
	request: ServiceRequest,
	userId: number | undefined,
	fault: RequestFault | undefined,
	open: OpenRequest,
): Promise<Response | undefined> {
	if (!fault) return respond(parts, request, userId, open);
	await wait(fault.delay_ms ?? 0, parts.closing);
	if (fault.drop === true || fault.drop === 'before' || parts.closing.aborted) return undefined;
	const response =
		ruleResponse(fault, operationOf(request) ?? null) ?? respond(parts, request, userId, open);
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
		headers: received.headers,
		token: /^Bearer +(\S+) *$/i.exec(received.headers.authorization ?? '')?.[1],
		contentType: received.headers['content-type'],
		body,
		journalBody: journalBody(raw, body),
	};
}

/** The id of the user that the bearer token belongs to; undefined without a valid token. */
function authenticate(
	{ engine }: ServiceDependencies,
	{ token }: ServiceRequest,
): number | undefined {
	if (token === undefined) return undefined;
	return engine.state.users.firstId([['token', 'is', token]]);
}

function beginJournalEntry(
	{ journal, engine }: ServiceDependencies,
	request: ServiceRequest,
	userId: number | undefined,
): OpenRequest {
	const { method, path, query, headers, token, journalBody: body } = request;
	const at = new Date(engine.now()).toISOString();
	const operation = operationOf(request) ?? null;
	const user = userId ?? null;
	return journal.begin({ at, method, path, query, operation, body, user }, headers, token);
}

/** Stores the request, and tells of a refusal. What it did is stored already: no failure undoes it. */
function endJournalEntry(
	{ journal, engine }: ServiceDependencies,
	open: OpenRequest,
	sent: SentResponse | undefined,
): void {
	const id = journal.idOf(open);
	const text = refusalText(open, sent);
	try {
		if (id === null || text === undefined) {
			journal.end(open, sent);
			return;
		}
		engine.commit((context) => {
			journal.end(open, sent);
			addEvent(context, {
				kind: 'request-refused',
				text: engine.state.tokens.hidden(open.token).inText(text),
				level: sent && sent.status >= 500 ? 'error' : 'warning',
				user_id: open.entry.user,
			});
		}, id);
	} catch (error) {
		logFailure(`The request ${open.entry.id} could not be stored`, error);
	}
}

/** The fault that hits the request; undefined when none does. */
function takeFault(
	{ faults, engine }: ServiceDependencies,
	request: ServiceRequest,
	open: OpenRequest,
): RequestFault | undefined {
	const { method, path, token, body } = request;
	const fault = faults.takeForRequest(
		{
			method,
			path,
			token,
			operation: operationOf(request),
			body: 'value' in body ? body.value : undefined,
		},
		engine.now(),
	);
	if (!fault) return undefined;
	open.fault = shownFault(fault);
	return fault;
}

const operationOf = ({ route }: ServiceRequest): string | undefined =>
	route.found ? route.operationId : undefined;

/** What the service does, in the order of the assumption `check-order`. */
function respond(
	parts: ServiceDependencies,
	request: ServiceRequest,
	userId: number | undefined,
	open: OpenRequest,
): Response {
	const { route } = request;
	if (!route.found) return noSuchRoute(request, route.status);
	const { operationId } = route;
	try {
		if (userId === undefined) throw unauthenticated();
		parts.limiter.count(userId, parts.engine.now());
		const checked = checkContract(parts, request, operationId);
		return handle(parts, userId, operationId, route.id, checked, open);
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
	{ engine, contract, journal }: ServiceDependencies,
	userId: number,
	operationId: string,
	id: string | undefined,
	{ body, query, givenQuery }: CheckedRequest,
	open: OpenRequest,
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
	const run = (context: Context): Response => {
		// Read here, because the user may have changed during the delay of a fault.
		const user = context.state.users.get(userId);
		if (!user) throw unauthenticated();
		const response = handler(context, user, request);
		contract.validateResponse(operationId, response.status, response.body);
		return response;
	};
	return open.entry.method === 'GET' ? engine.read(run) : engine.commit(run, journal.idOf(open));
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
