import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../shared/client/errors';
import { ProcessMemory } from '../../../../shared/processMemory';

/** Which names the fields of create and update have (public-service: Two generations). */
export type Generation = 'older' | 'newer';

/**
 * The required fields that one generation alone knows. No answer to a GET tells them apart: records and lists are
 * the same (public-service: Assistant: record returned by the list operation).
 */
const OWN_NAMES: Record<Generation, string[]> = {
	older: ['assistant_name', 'calls_direction', 'engine_type'],
	newer: ['name', 'type', 'mode'],
};

/** By account. `untold`: a service that takes a create without fields is not asked again. */
export const generations = new ProcessMemory<Generation | 'untold'>('assistantFields');

/**
 * Which generation refuses a request, by the fields that it names. Everything but a 422 that names one of these
 * fields tells nothing, and no words do.
 *
 * @param sent the body of the request. A service may name unknown fields too, so those that were not sent decide
 * @returns undefined when the refusal does not tell it
 */
export function generationIn(error: unknown, sent: IDataObject): Generation | undefined {
	if (!(error instanceof ServiceError) || error.httpCode !== '422') return undefined;
	const named = Object.keys(error.errors);
	const told = (names: string[]) => {
		const isOlder = names.some((name) => OWN_NAMES.older.includes(name));
		const isNewer = names.some((name) => OWN_NAMES.newer.includes(name));
		if (isOlder === isNewer) return undefined;
		return isOlder ? 'older' : 'newer';
	};
	return told(named) ?? told(named.filter((name) => !(name in sent)));
}
