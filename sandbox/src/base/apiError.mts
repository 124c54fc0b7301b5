import type { Response } from './response.mts';

/** Messages by field, as in the `errors` object of a 422. */
export interface FieldErrors {
	[field: string]: string[];
}

/** The service refuses a request. Handlers throw it, and whatever they changed is undone. */
export class ApiError extends Error {
	readonly status: number;
	readonly errors: FieldErrors | undefined;

	constructor(status: number, message: string, errors?: FieldErrors) {
		super(message);
		this.status = status;
		this.errors = errors;
	}

	/** The response in the service's shape (contract: Errors). */
	get response(): Response {
		const body = { message: this.message, ...(this.errors && { errors: this.errors }) };
		return { status: this.status, body };
	}
}

/** 404: the record is unknown or belongs to another user (contract: Authentication). */
export const notFound = (kind: 'Assistant' | 'Tool' | 'Lead' | 'Campaign'): ApiError =>
	new ApiError(404, `${kind} not found`);

/** 422 with messages by field (contract: Errors). */
export const invalidFields = (errors: FieldErrors, message = 'Validation failed'): ApiError =>
	new ApiError(422, message, errors);

/** Throws {@link invalidFields} if there is any error. */
export function throwIfAny(errors: FieldErrors): void {
	if (Object.keys(errors).length > 0) throw invalidFields(errors);
}
