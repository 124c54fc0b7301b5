import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../shared/client/errors';
import { ProcessMemory } from '../../../../shared/processMemory';

/** Which names the fields of create and update have (public-service: Two generations). */
export type Generation = 'older' | 'newer';

/** Required fields that one generation alone knows. The documents show no GET that tells them apart for certain. */
const OWN_NAMES: Record<Generation, string[]> = {
	older: ['assistant_name', 'calls_direction', 'engine_type'],
	newer: ['name', 'type', 'mode'],
};

/** By account. `untold`: a service that takes a create without fields is not asked again. */
export const generations = new ProcessMemory<Generation | 'untold'>('assistantFields');

/**
 * Which generation refuses a request, by the fields that a 422 names. All else tells nothing, and no words do.
 *
 * @param sent the body. A service may name unknown fields too, so where both are named, those not sent decide
 */
export function generationIn(error: unknown, sent: IDataObject): Generation | undefined {
	if (!(error instanceof ServiceError) || error.httpCode !== '422') return undefined;
	const told = (named: string[]): Generation | undefined => {
		const isOlder = named.some((name) => OWN_NAMES.older.includes(name));
		const isNewer = named.some((name) => OWN_NAMES.newer.includes(name));
		if (isOlder === isNewer) return undefined;
		return isOlder ? 'older' : 'newer';
	};
	const named = Object.keys(error.errors);
	return told(named) ?? told(named.filter((name) => !(name in sent)));
}
