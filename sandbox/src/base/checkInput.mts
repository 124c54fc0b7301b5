import type * as z from 'zod';

import type { FieldErrors } from './apiError.mts';
import { InvalidInput } from './invalidInput.mts';
import { didYouMean } from './nearest.mts';

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
	const errors = messagesByPath(toFaults(result.error.issues));
	const list = Object.entries(errors).map(([path, messages]) =>
		[path, ...messages].filter(Boolean).join(': '),
	);
	throw new InvalidInput(`${what}: ${list.join('; ')}`, { errors });
}

/** The messages of faults by their paths, with dots between the names. */
export function messagesByPath(faults: Fault[]): FieldErrors {
	// A map, because a field may have the name of something that every object has.
	const byPath = Map.groupBy(faults, ({ path }) => path.join('.'));
	return Object.fromEntries(
		Array.from(byPath, ([path, all]) => [path, all.map(({ message }) => message)]),
	);
}

/** One thing that is wrong in an input, and where. */
export interface Fault {
	/** The names and indexes that lead to it; empty for the whole input. */
	path: Array<string | number>;
	message: string;
}

/**
 * What zod found, with a fault of its own for each field that does not exist.
 *
 * @param known the names of the fields of the input itself, for suggestions
 */
export const toFaults = (issues: z.ZodIssue[], known: string[] = []): Fault[] =>
	issues.flatMap((issue): Fault[] => {
		const { path, message } = issue;
		if (issue.code === 'invalid_enum_value') {
			const meant = didYouMean(String(issue.received), issue.options.map(String));
			return [{ path, message: meant === '' ? message : `${message}.${meant}` }];
		}
		if (issue.code !== 'unrecognized_keys') return [{ path, message }];
		return issue.keys.map((key) => ({
			path: [...path, key],
			message: `There is no such field.${path.length > 0 ? '' : didYouMean(key, known)}`,
		}));
	});
