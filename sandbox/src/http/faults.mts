import type { Answer } from '../base/response.mts';
import { Random } from '../base/random.mts';

/** What shall go wrong, as POST /__sandbox/faults takes it. */
export interface FaultRule {
	/** operationId of the contract; without it, any request. */
	operation?: string;
	/** Answers without doing anything. */
	status?: number;
	/** Text is sent as it is, everything else as JSON. */
	body?: unknown;
	headers?: { [name: string]: string };
	/** Real milliseconds before anything else, whatever the clock does. */
	delay_ms?: number;
	/** Closes the connection before the request was handled (true), or after. */
	drop?: boolean | 'before' | 'after';
	/** How likely it hits a request, above 0 and at most 1; 1 when left out. */
	probability?: number;
	/** How many requests it hits. */
	times: number;
}

/** A rule that is in force; `times` counts down. */
export interface Fault extends FaultRule {
	id: number;
}

/** Whether a rule makes any difference; headers alone do not, they belong to its answer. */
export const doesSomething = ({ status, body, delay_ms: delay, drop }: FaultRule): boolean =>
	status !== undefined || body !== undefined || Boolean(delay) || Boolean(drop);

/** What the service says when it fails at an operation (contract: Errors; assumptions: sms-errors). */
export const FAILURES: { [operationId: string]: string } = {
	createAssistant: 'Assistant creation failed',
	updateAssistant: 'Assistant update failed',
	sendSms: 'Failed to send SMS',
};

/** Any number will do; it is the same every time, so that runs are the same. */
const RANDOM_SEED = 4_290_500;

/** What a status stands for when a rule brings no body. */
const MESSAGES: { [status: number]: string } = {
	401: 'Unauthenticated.',
	429: 'Too Many Attempts.',
	500: 'Server Error',
};

/** The rules in force, first come first served. Kept in memory. */
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

	/** The rule that hits a request, which uses it up by one; undefined when none does. */
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

	/** Takes all rules back; chance begins anew, so that the same rules hit the same requests. */
	clear(): void {
		this.#rules = [];
		this.#random = new Random(RANDOM_SEED);
	}
}

/** The answer a rule gives instead of the service; undefined when it leaves that to the service. */
export function answerOf(fault: Fault, operationId: string | undefined): Answer | undefined {
	if (fault.status === undefined && fault.body === undefined) return undefined;
	const status = fault.status ?? 200;
	const failure = status === 500 ? FAILURES[operationId ?? ''] : undefined;
	const message = failure ?? MESSAGES[status] ?? 'A fault on request.';
	const body = fault.body ?? { message };
	const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
	return { status, body, headers: { 'content-type': type, ...fault.headers } };
}
