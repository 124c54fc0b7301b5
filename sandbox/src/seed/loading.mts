import * as z from 'zod';

import { ApiError } from '../base/apiError.mts';
import { toFaults, type Fault } from '../base/checkInput.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import type { Context } from '../domain/context.mts';

/** Checks the fields of a create request and fills in their defaults, or throws an ApiError. */
export type CheckFields = (operationId: string, fields: object) => unknown;

export type Path = Fault['path'];

export interface Loading {
	context: Context;
	checkFields: CheckFields;
	faults: Fault[];
	/** Where each id was first used, as in `tools 1`: ids are unique over all users. */
	ids: Map<string, Path>;
	/** Names of scenarios of the seed that cannot be used: who uses them has no fault. */
	brokenScenarios: Set<string>;
	/** The lists of the present user that cannot be used: what refers to them has no fault. */
	brokenFields: Set<string>;
}

/** Whether a part of a seed has fields. */
export const isObject = (value: unknown): value is { [field: string]: unknown } =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a part of the seed; undefined, with faults, when it does not fit its format. */
export function parse<Output>(
	{ faults }: Loading,
	format: z.ZodType<Output, z.ZodTypeDef, unknown>,
	value: unknown,
	path: Path,
): Output | undefined {
	const result = format.safeParse(value);
	if (result.success) return result.data;
	for (const fault of toFaults(result.error.issues, fieldNames(format))) {
		faults.push({ ...fault, path: [...path, ...fault.path] });
	}
	return undefined;
}

export function fieldNames(format: z.ZodTypeAny): string[] {
	if (format instanceof z.ZodEffects) return fieldNames(format.innerType() as z.ZodTypeAny);
	return format instanceof z.ZodObject ? Object.keys(format.shape as object) : [];
}

/** Runs a step. What it throws about the input becomes faults. */
export function collect<Result>(
	{ faults }: Loading,
	path: Path,
	step: () => Result,
): Result | undefined {
	try {
		return step();
	} catch (error) {
		if (!(error instanceof ApiError) && !(error instanceof InvalidInput)) throw error;
		const { message, errors = { '': [message] } } = error;
		for (const [field, messages] of Object.entries(errors)) {
			const place = [...path, ...field.split('.').filter(Boolean)];
			faults.push(...messages.map((each) => ({ path: place, message: each })));
		}
		return undefined;
	}
}
