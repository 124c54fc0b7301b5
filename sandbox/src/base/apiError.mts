/** What a handler gives back: an HTTP status, a JSON body, and headers beyond the usual ones. */
export interface Response {
	status: number;
	body: unknown;
	headers?: { [name: string]: string };
}

export interface FieldErrors {
	[field: string]: string[];
}

/** The service refuses a request. Handlers throw it, and whatever they changed is undone. */
export class ApiError extends Error {
	readonly status: number;
	readonly errors: FieldErrors | undefined;
	/** The response in the service's shape (contract: Errors). */
	readonly response: Response;

	constructor(status: number, message: string, errors?: FieldErrors) {
		super(message);
		this.status = status;
		this.errors = errors;
		this.response = { status, body: { message, ...(errors && { errors }) } };
	}
}

/** 404: the record does not exist, or belongs to another user (contract: Authentication). */
export class RecordNotFound extends ApiError {
	readonly isOfAnother: boolean;

	/** The message of a 403 in its place (assumption: authorization-failures). */
	readonly forbidden: string = 'This action is unauthorized.';

	constructor(kind: string, isOfAnother: boolean) {
		super(404, `${kind} not found`);
		this.isOfAnother = isOfAnother;
	}
}

/** 422 with messages by field (contract: Errors). */
export const invalidFields = (errors: FieldErrors, message = 'Validation failed'): ApiError =>
	new ApiError(422, message, errors);

/** Throws {@link invalidFields} if there is any error. */
export function throwIfAny(errors: FieldErrors): void {
	if (Object.keys(errors).length > 0) throw invalidFields(errors);
}
