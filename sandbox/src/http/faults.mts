import { Random } from '../base/random.mts';
import type { Response } from '../base/response.mts';
import { failureMessage } from '../contract/failureMessages.mts';

/** A fault, as POST /__sandbox/faults takes it. */
export interface FaultRule {
	/** operationId of the contract; without it, any request. */
	operation?: string;
	/** The response's status; the request does nothing. */
	status?: number;
	/** Text is sent as it is, everything else as JSON. */
	body?: unknown;
	headers?: { [name: string]: string };
	/** Real milliseconds before anything else, independent of the clock. */
	delay_ms?: number;
	/** Closes the connection before the request was handled (true), or after. */
	drop?: boolean | 'before' | 'after';
	/** The probability that it hits a request, above 0 and at most 1; 1 when left out. */
	probability?: number;
	/** How many requests it hits. */
	times: number;
}

/** A rule that is in force; `times` counts down. */
export interface Fault extends FaultRule {
	id: number;
}

/** Whether a rule has an effect. Headers alone have none: they belong to its response. */
export const hasEffect = ({ status, body, delay_ms: delay, drop }: FaultRule): boolean =>
	status !== undefined || body !== undefined || Boolean(delay) || Boolean(drop);

/** Any number will do; it is the same every time, so that runs are the same. */
const RANDOM_SEED = 4_290_500;

/** The message of a status when a rule has no body. */
const MESSAGES: { [status: number]: string } = {
	401: 'Unauthenticated.',
	429: 'Too Many Attempts.',
};

/** The rules in force, in the order in which they were added. Kept in memory. */
export class Faults {
	#rules: Fault[] = [];
	#count = 0;
	#random = new Random(RANDOM_SEED);

	add(rule: FaultRule): Fault {
		this.#count += 1;
		const fault = { id: this.#count, ...rule };
		this.#rules.push(fault);
		return fault;
	}

	/** The rule that hits a request; it then hits one request less. Undefined when none does. */
	take(operationId: string | undefined): Fault | undefined {
		const fault = this.#rules.find(
			({ operation, probability = 1 }) =>
				(operation === undefined || operation === operationId) &&
				(probability === 1 || this.#random.next() < probability),
		);
		if (!fault) return undefined;
		fault.times -= 1;
		this.#rules = this.#rules.filter(({ times }) => times > 0);
		return fault;
	}

	get rules(): readonly Fault[] {
		return this.#rules;
	}

	/** Removes all rules and starts the random numbers again: the same rules hit the same requests. */
	clear(): void {
		this.#rules = [];
		this.#random = new Random(RANDOM_SEED);
	}
}

/** The response of a fault; undefined when it leaves that to the service. */
export function faultResponse(fault: Fault, operationId: string | null): Response | undefined {
	if (fault.status === undefined && fault.body === undefined) return undefined;
	const status = fault.status ?? 200;
	const message = status === 500 ? failureMessage(operationId) : MESSAGES[status];
	const body = fault.body ?? { message: message ?? 'A fault on request.' };
	const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
	return { status, body, headers: { 'content-type': type, ...fault.headers } };
}
