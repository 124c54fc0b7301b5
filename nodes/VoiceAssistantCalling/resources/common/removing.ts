import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/client/json';
import { isOn } from '../../../shared/fields/booleans';
import { bodyOf, type FieldRouting, type PreSend } from '../../fields/routing';
import { wireTypes } from '../../fields/wireTypes';

/** The value that empties a field (contract: Assistant writable fields, update mid call tool). */
function emptyValueOf(property: string): IDataObject[string] {
	const type = wireTypes.get(property);
	if (type === 'array') return [];
	return type === 'object' ? {} : null;
}

/** Empties the fields that are switched on under `remove`, unless another field sets them. */
const removeFields: PreSend = (request) => {
	const { remove, ...body } = bodyOf(request);
	const removed = Object.entries(isRecord(remove) ? remove : {})
		.filter(([, value]) => isOn(value))
		.map(([property]): [string, IDataObject[string]] => [property, emptyValueOf(property)]);
	return Promise.resolve({ ...request, body: { ...Object.fromEntries(removed), ...body } });
};

/**
 * The routing of a boolean field that empties another field.
 *
 * @param property name of the other field in the request
 */
export const removing = (property: string): FieldRouting => ({
	send: { type: 'body', property: `remove.${property}`, preSend: [removeFields] },
});
