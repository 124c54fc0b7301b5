import * as z from 'zod';

import { ApiError } from '../base/apiError.mts';
import { toFaults, type Fault } from '../base/checkInput.mts';
import { InvalidInput } from '../base/invalidInput.mts';
import type { User } from '../store/records.mts';
import type { Context } from '../domain/context.mts';
import type { RecordKind } from './seedFormat.mts';

/** Checks the fields of a create request and fills in their defaults, or throws an ApiError. */
export type CheckFields = (operationId: string, fields: object) => unknown;

export type Path = Fault['path'];

export interface Loading {
	context: Context;
	checkFields: CheckFields;
	faults: Fault[];
	/** Where each id was first used, by kind: ids are unique over all users. */
	ids: Map<RecordKind, Map<unknown, Path>>;
	/** Names of scenarios of the seed that cannot be used: who uses them has no fault. */
	brokenScenarios: Set<string>;
}

export interface LoadingUser extends Loading {
	user: User;
	path: Path;
	/** Fields of the user with a fault: what depends on them cannot be judged. */
	brokenFields: Set<unknown>;
	/** The same for records: their ids; undefined for a record without one. */
	brokenIds: Map<RecordKind, Set<unknown>>;
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

/**
 * Runs a step. What it throws about the input becomes faults.
 *
 * @param isFault whether the message for a field is one
 */
export function collect<Result>(
	{ faults }: Loading,
	path: Path,
	step: () => Result,
	isFault: (field: string) => boolean = () => true,
): Result | undefined {
	try {
		return step();
	} catch (error) {
		if (!(error instanceof ApiError) && !(error instanceof InvalidInput)) throw error;
		const fields = Object.entries(error.errors ?? {});
		if (fields.length === 0) faults.push({ path, message: error.message });
		for (const [field, messages] of fields) {
			if (!isFault(field)) continue;
			for (const message of messages)
				faults.push({ path: [...path, ...field.split('.')], message });
		}
		return undefined;
	}
}
