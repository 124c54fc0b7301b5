import type * as z from 'zod';

import type { FieldErrors } from './apiError.mts';

/** What does not fit its schema: messages by path, with dots between the names. */
export class InputErrors extends Error {
	readonly errors: FieldErrors;

	constructor(issues: z.ZodIssue[]) {
		const errors = new Map<string, string[]>();
		for (const { path, message } of issues) {
			const field = path.join('.');
			errors.set(field, [...(errors.get(field) ?? []), message]);
		}
		const lines = [...errors].map(([field, messages]) =>
			[field, ...messages].filter(Boolean).join(': '),
		);
		super(lines.join('\n'));
		this.errors = Object.fromEntries(errors);
	}
}

/**
 * Reads what the sandbox itself takes: seeds, assumptions, control requests. What the service takes
 * is checked by the contract.
 *
 * @returns the input with defaults filled in and values converted
 * @throws {InputErrors} when it does not fit the schema
 */
export function checkInput<Schema extends z.ZodTypeAny>(
	schema: Schema,
	input: unknown,
): z.output<Schema> {
	const result = schema.safeParse(input);
	if (!result.success) throw new InputErrors(result.error.issues);
	return result.data as z.output<Schema>;
}
