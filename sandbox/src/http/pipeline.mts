import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ApiError, type Response } from '../base/apiError.mts';
import { logFailure } from '../base/dataFileError.mts';
import { wait } from '../base/realTime.mts';
import { ContractViolation, type Contract } from '../contract/contract.mts';
import { failureMessage } from '../contract/validationMessages.mts';
import type { Context, Engine } from '../domain/context.mts';
import { addEvent } from '../domain/events.mts';
import { operations } from '../domain/operations.mts';
import { recordId } from '../domain/ownership.mts';
import { providerRefusal, providerResponse } from '../provider/response.mts';
import { machineNow } from '../runtime/clock.mts';
import { shownFault, type Faults, type RequestFault } from '../faults/faults.mts';
import { faultEffect, ruleResponse } from '../faults/requestFaults.mts';
import { journalBody, parseBody, requireJson } from './body.mts';
import type { Journal, OpenRequest } from './journal.mts';
import type { RateLimiter } from './rateLimit.mts';
import { refusalText } from './refusalText.mts';
import { gatewayTimeout, type RequestWeather } from './requestWeather.mts';
import { beginReply, drop, toSent, type SentResponse } from './sendReply.mts';

interface ServiceDependencies {
	engine: Engine;
	contract: Contract;
	limiter: RateLimiter;
	weather: RequestWeather;
	faults: Faults;
	journal: Journal;
	/** Aborts when the sandbox closes; the delay of a fault or of the weather ends then. */
	closing: AbortSignal;
}

type ServiceRequest = ReturnType<typeof parseRequest> & {
	/** Undefined without a valid token. */
	userId: number | undefined;
	open: OpenRequest;
};

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
	const { engine, journal, closing } = parts;
	const parsed = parseRequest(parts, received);
	const { method, path, query, operationId: operation = null, headers, token } = parsed;
	const userId =
		token === undefined ? undefined : engine.state.users.first([['token', 'is', token]])?.id;
	const at = new Date(engine.now()).toISOString();
	const { journaled: body } = parsed;
	const entry = { at, method, path, query, operation, body, user: userId ?? null };
	const open = journal.begin(entry, headers, token);
	const request: ServiceRequest = { ...parsed, userId, open };
	const fault = takeFault(parts, request);
	let sent: SentResponse | undefined;
	let endReply = () => drop(reply);
	try {
		const response = await respondUnlessDropped(parts, request, fault);
		if (response) {
			const wanted = toSent(response, fault);
			endReply = await beginReply(reply, wanted, fault, closing);
			sent = wanted;
		}
	} finally {
		endJournalEntry(parts, open, sent);
	}
	return endReply();
}

/** Reads everything that the later stages need. */
function parseRequest({ contract, engine }: ServiceDependencies, received: FastifyRequest) {
	const { method, url, headers } = received;
	const path = url.split('?')[0] ?? '';
	const raw = Buffer.isBuffer(received.body) ? received.body : Buffer.alloc(0);
	const body = parseBody(raw, engine.assumptions['request-size-limit']);
	const route = contract.route(method, path.slice(BASE_PATH.length));
	return {
		method,
		/** With the base path, without query. */
		path,
		route,
		operationId: route.found ? route.operationId : undefined,
		query: { ...(received.query as { [name: string]: unknown }) },
		headers,
		/** The bearer token as it was sent, whether or not a user has it. */
		token: /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1],
		body,
		/** What the journal keeps of the body. */
		journaled: journalBody(raw, body),
	};
}

/** The fault that hits the request; undefined when none does. */
function takeFault(
	{ faults, engine }: ServiceDependencies,
	{ method, path, token, operationId: operation, body: parsed, open }: ServiceRequest,
): RequestFault | undefined {
	const body = 'value' in parsed ? parsed.value : undefined;
	const traits = { method, path, token, operation, body };
	const fault = faults.requests.take(traits, engine.now());
	if (fault) open.fault = shownFault(fault);
	return fault;
}

/** The response of a fault or of the service; undefined when the connection is to be closed. */
async function respondUnlessDropped(
	parts: ServiceDependencies,
	request: ServiceRequest,
	fault: RequestFault | undefined,
): Promise<Response | undefined> {
	if (!fault) return respond(parts, request);
	await wait(fault.delay_ms ?? 0, parts.closing);
	if (fault.drop === true || fault.drop === 'before' || parts.closing.aborted) return undefined;
	const response =
		ruleResponse(fault, request.operationId ?? null) ?? (await respond(parts, request));
	return fault.drop === 'after' ? undefined : response;
}

/** What the service does, and what it says of its rate limit; undefined when it closes meanwhile. */
async function respond(
	parts: ServiceDependencies,
	request: ServiceRequest,
): Promise<Response | undefined> {
	const { userId } = request;
	const response = await handle(parts, request);
	if (userId === undefined || !response) return response;
	return { ...response, headers: { ...response.headers, ...parts.limiter.headers(userId) } };
}

/**
 * What the service does, in the order of the assumption `check-order`. Inside, everything is as in the
 * contract, and is checked against it. The provider's own forms come on the way out.
 * The weather delays what the rate limit lets in. Undefined when the sandbox closes meanwhile.
 */
async function handle(
	parts: ServiceDependencies,
	request: ServiceRequest,
): Promise<Response | undefined> {
	const { engine, contract, limiter, weather, journal, closing } = parts;
	const { assumptions } = engine;
	const { method, path, route, userId, open } = request;
	if (!route.found) {
		const message =
			route.status === 404
				? `The route ${path} could not be found.`
				: `The ${method} method is not supported for route ${path}.`;
		return { status: route.status, body: { message } };
	}
	const { operationId } = route;
	try {
		if (userId === undefined) throw unauthenticated();
		limiter.count(userId, engine.now(), machineNow());
		const { delay, timesOut } = weather.draw(method);
		if (delay > 0) {
			open.weather.push(`The weather delayed it by ${delay / 1000} s.`);
			await wait(delay, closing);
			if (closing.aborted) return undefined;
		}
		const json = contract.takesBody(operationId)
			? requireJson(request.body, request.headers['content-type'])
			: undefined;
		const { body, query, givenQuery } = contract.validateRequest(
			operationId,
			request.query,
			json,
			assumptions['unknown-request-fields'],
		);
		const handler = operations[operationId];
		if (!handler) throw new Error(`The sandbox has no operation ${operationId}.`);
		// The contract was checked: these are the types of this handler.
		const checked = { body: body as never, query: query as never };
		// A response that violates the contract undoes what the handler did.
		const run = (context: Context): Response => {
			// Read here, because the user may have changed during a delay.
			const user = context.state.users.get(userId);
			if (!user) throw unauthenticated();
			const response = handler(context, user, { id: recordId(route.id), ...checked, givenQuery });
			contract.validateResponse(operationId, response.status, response.body);
			return response;
		};
		const response = method === 'GET' ? engine.read(run) : engine.commit(run, journal.idOf(open));
		if (timesOut) {
			open.weather.push('The weather answered 408, although it was carried out.');
			return gatewayTimeout();
		}
		return providerResponse(operationId, response, assumptions);
	} catch (error) {
		const response = errorResponse(contract, operationId, error);
		return providerRefusal(operationId, response, error, assumptions);
	}
}

const unauthenticated = (): ApiError => new ApiError(401, 'Unauthenticated.');

/** The response to a refusal. Any other error is unexpected: it is logged, and the response is 500. */
function errorResponse(contract: Contract, operationId: string, error: unknown): Response {
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

/** Stores the request, and tells of a refusal. What it did is stored already: no failure undoes it. */
function endJournalEntry(
	{ journal, engine }: ServiceDependencies,
	open: OpenRequest,
	sent: SentResponse | undefined,
): void {
	if (open.fault) open.faultEffect = faultEffect(open.fault, sent !== undefined);
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
