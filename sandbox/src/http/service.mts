import type { ErrorObject } from 'ajv/dist/2020.js';

import type { Contract } from '../contract/contract.mts';
import { invalid, Refusal, type Answer, type FieldErrors } from '../base/response.mts';
import { operations } from '../domain/operations.mts';
import { FAILURES } from './faults.mts';
import type { Engine } from '../runtime/engine.mts';
import type { User } from '../store/records.mts';
import { readBody } from './body.mts';
import type { RateLimiter } from './rateLimit.mts';
import { sentences } from '../contract/validationMessages.mts';

/** A request as it came over the wire. */
export interface ServiceRequest {
	operationId: string;
	/** The raw `{id}` of the path. */
	id: string | undefined;
	query: { [name: string]: unknown };
	authorization: string | undefined;
	contentType: string | undefined;
	/** Undefined for a request without body. */
	rawBody: Buffer | undefined;
}

/** The handler's answer is not what the contract says: a defect of the sandbox itself. */
class ContractBreach extends Error {}

/** Operations that take `assistant_id` in the body say this (assumptions: validation-message). */
const GIVEN_DATA_INVALID = new Set([
	'disableWebhook',
	'enableInboundWebhook',
	'disableInboundWebhook',
]);

/** Answers requests as the contract says, in the order of the assumption `check-order`. */
export class Service {
	readonly #engine: Engine;
	readonly #contract: Contract;
	readonly #limiter: RateLimiter;

	constructor(engine: Engine, contract: Contract, limiter: RateLimiter) {
		this.#engine = engine;
		this.#contract = contract;
		this.#limiter = limiter;
	}

	/** How many bytes a body may have (assumptions: request-size-limit). */
	get sizeLimit(): number {
		return this.#engine.assumptions.requestSizeLimit;
	}

	/** The user a bearer token belongs to, or undefined. */
	userOf(authorization: string | undefined): User | undefined {
		const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
		return token === undefined
			? undefined
			: this.#engine.store.state.users.first([['token', 'is', token]]);
	}

	/** Never throws: what goes wrong is an answer, too. */
	answer(request: ServiceRequest): Answer {
		try {
			return this.#handle(request);
		} catch (error) {
			if (error instanceof Refusal) return this.#refused(request.operationId, error);
			return failure(request.operationId, error);
		}
	}

	#handle(request: ServiceRequest): Answer {
		const { operationId } = request;
		const user = this.userOf(request.authorization);
		if (!user) throw new Refusal(401, 'Unauthenticated.');
		this.#limiter.count(user.id, this.#engine.clock.now());
		const { body, query, asked } = this.#check(request);
		const handle = operations[operationId];
		if (!handle) throw new Error(`The sandbox has no operation ${operationId}.`);
		const id = /^[1-9]\d*$/.test(request.id ?? '') ? Number(request.id) : 0;
		return this.#engine.commit((context) => {
			// The contract has been checked: body and query are what this handler takes.
			const answer = handle(context, user, {
				id,
				body: body as never,
				query: query as never,
				asked,
			});
			// Inside the transaction: an answer that breaks the contract undoes what was done.
			return this.#checked(operationId, answer);
		});
	}

	/** Checks the request against the contract and fills in its defaults. */
	#check({ operationId, query, contentType, rawBody }: ServiceRequest) {
		const body = rawBody && readBody(rawBody, contentType, this.sizeLimit);
		if (rawBody && (typeof body !== 'object' || body === null || Array.isArray(body))) {
			throw this.#invalid(operationId, { body: ['The request body must be a JSON object.'] });
		}
		const checked = this.#contract.checkRequest(operationId, query, body);
		const unknown = checked.errors.filter(({ keyword }) => keyword === 'additionalProperties');
		if (operationId === 'updateLead' && unknown.length > 0) {
			throw new Refusal(422, `Invalid fields: ${namesOf(unknown)}`);
		}
		if (checked.errors.length > 0) {
			throw this.#invalid(operationId, sentences(operationId, checked.errors));
		}
		return checked;
	}

	#invalid(operationId: string, errors: FieldErrors): Refusal {
		const [sentence] = errors['phone_number'] ?? [];
		const isAlone = Object.keys(errors).length === 1;
		// A lead update tells of an unreadable phone number in the message alone (contract: Errors).
		if (operationId === 'updateLead' && sentence !== undefined && isAlone) {
			return new Refusal(422, sentence);
		}
		return GIVEN_DATA_INVALID.has(operationId)
			? invalid(errors, 'The given data was invalid.')
			: invalid(errors);
	}

	#refused(operationId: string, refusal: Refusal): Answer {
		try {
			return this.#checked(operationId, refusal.answer);
		} catch (error) {
			return failure(operationId, error);
		}
	}

	#checked(operationId: string, answer: Answer): Answer {
		const breach = this.#contract.breachOfAnswer(operationId, answer.status, answer.body);
		if (breach !== undefined) throw new ContractBreach(breach);
		return answer;
	}
}

const namesOf = (errors: ErrorObject[]): string =>
	errors.map(({ params }) => String(params['additionalProperty'])).join(', ');

/** What cannot happen has happened. It is told to whoever runs the sandbox, and to the caller. */
function failure(operationId: string, error: unknown): Answer {
	console.error(`The sandbox failed at ${operationId}:`, error);
	if (error instanceof ContractBreach) {
		const message = `The sandbox's answer to ${operationId} breaks the contract: ${error.message}`;
		return { status: 500, body: { message, error: 'sandbox_contract_violation' } };
	}
	return { status: 500, body: { message: FAILURES[operationId] ?? 'Server Error' } };
}
