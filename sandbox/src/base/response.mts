/** What a handler gives back: an HTTP status, a JSON body, and headers beyond the usual ones. */
export interface Answer {
	status: number;
	body: unknown;
	headers?: { [name: string]: string };
}

/** Sentences by field, as in the `errors` object of a 422. */
export interface FieldErrors {
	[field: string]: string[];
}

/** The service says no. Thrown by handlers; whatever they changed is undone. */
export class Refusal extends Error {
	readonly status: number;
	readonly errors: FieldErrors | undefined;

	constructor(status: number, message: string, errors?: FieldErrors) {
		super(message);
		this.status = status;
		this.errors = errors;
	}

	/** The answer in the service's shape (contract: Errors). */
	get answer(): Answer {
		const body = { message: this.message, ...(this.errors && { errors: this.errors }) };
		return { status: this.status, body };
	}
}

/** 404: the record is unknown or belongs to another user (contract: Authentication). */
export const notFound = (kind: 'Assistant' | 'Tool' | 'Lead' | 'Campaign'): Refusal =>
	new Refusal(404, `${kind} not found`);

/** 422 with sentences by field (contract: Errors). */
export const invalid = (errors: FieldErrors, message = 'Validation failed'): Refusal =>
	new Refusal(422, message, errors);

/** Throws {@link invalid} when there is anything to complain about. */
export function refuseIfAny(errors: FieldErrors): void {
	if (Object.keys(errors).length > 0) throw invalid(errors);
}
