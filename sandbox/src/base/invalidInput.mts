import type { FieldErrors } from './apiError.mts';

/** What somebody gave the sandbox cannot be used. The message tells them why. */
export class InvalidInput extends Error {
	/** Messages by path, with dots between the names; undefined when only the message tells. */
	readonly errors: FieldErrors | undefined;

	constructor(message: string, options?: ErrorOptions & { errors?: FieldErrors }) {
		super(message, options);
		this.errors = options?.errors;
	}
}
