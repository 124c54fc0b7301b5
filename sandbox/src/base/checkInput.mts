import type * as z from 'zod';

import type { FieldErrors } from './apiError.mts';
import { InvalidInput } from './invalidInput.mts';

/**
 * Reads what the sandbox itself takes: seeds, assumptions, control requests. The contract checks what
 * the service takes.
 *
 * @param what begins the message of an error: "The seed is invalid"
 * @returns the input with defaults filled in and values converted
 * @throws {InvalidInput} with all fields that do not fit the schema
 */
export function checkInput<Schema extends z.ZodTypeAny>(
	schema: Schema,
	input: unknown,
	what: string,
): z.output<Schema> {
	const result = schema.safeParse(input);
	if (result.success) return result.data as z.output<Schema>;
	const errors = messagesByPath(result.error.issues);
	const list = Object.entries(errors).map(([path, messages]) =>
		[path, ...messages].filter(Boolean).join(': '),
	);
	throw new InvalidInput(`${what}: ${list.join('; ')}`, { errors });
}

function messagesByPath(issues: z.ZodIssue[]): FieldErrors {
	const all = issues.flatMap((issue): Array<[path: string, message: string]> => {
		const path = issue.path.join('.');
		return issue.code === 'unrecognized_keys'
			? issue.keys.map((key) => [[path, key].filter(Boolean).join('.'), 'There is no such field.'])
			: [[path, issue.message]];
	});
	// A map, because a field may have the name of something that every object has.
	const errors = new Map<string, string[]>();
	for (const [path, message] of all) errors.set(path, [...(errors.get(path) ?? []), message]);
	return Object.fromEntries(errors);
}
