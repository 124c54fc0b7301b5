/** Messages by field, as a validation error carries them (contract: Errors). */
export type FieldErrors = Record<string, string[]>;

interface Details {
	/** What happened, in one sentence, in the service's own words where it gave any. */
	message: string;
	/** What to do next. */
	nextStep: string;
	errors?: FieldErrors;
}

/**
 * A failure in words for the user. It holds words only: no request, header or token can be reached from
 * it, and it is safe to show, to log and to put into an item.
 */
export class DescribedError extends Error {
	readonly nextStep: string;

	readonly errors: FieldErrors;

	constructor({ message, nextStep, errors = {} }: Details) {
		super(message);
		this.name = new.target.name;
		this.nextStep = nextStep;
		this.errors = errors;
	}

	/** What happened and what to do next, for places that show one text only. */
	get text(): string {
		const end = /[.!?]$/.test(this.message) ? '' : '.';
		const fields = Object.entries(this.errors).map(
			([field, messages]) => `${field}: ${messages.join(' ')}`,
		);
		return [`${this.message}${end}`, ...fields, this.nextStep].join(' ');
	}
}

/** What the user entered cannot be sent. Nothing has left this machine. */
export class InvalidInput extends DescribedError {}

/** A request that did not succeed. */
export class ServiceError extends DescribedError {
	/** HTTP status, or the code of a failed connection such as `ECONNREFUSED`. */
	readonly httpCode?: string;

	/** Whether the service received the request and clearly said no to it. */
	readonly refused: boolean;

	/** Whether the service may have carried the request out: it must not be sent again. */
	readonly outcomeUnknown: boolean;

	constructor(
		details: Details & { httpCode?: string; refused?: boolean; outcomeUnknown?: boolean },
	) {
		super(details);
		this.httpCode = details.httpCode;
		this.refused = details.refused ?? false;
		this.outcomeUnknown = details.outcomeUnknown ?? false;
	}
}

/** Whether the service may have carried out what failed. */
export const outcomeUnknown = (error: unknown): boolean =>
	error instanceof ServiceError && error.outcomeUnknown;
