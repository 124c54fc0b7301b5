import type { IDataObject } from 'n8n-workflow';

import { isOn } from '../../../shared/fields/booleans';
import { isRecord } from '../../../shared/values/json';
import { getBody, type Field, type PreSend } from '../../fields/routing';
import { wireTypes } from '../../fields/wireTypes';

/** The value that empties a field (contract: Assistant writable fields, update mid call tool). */
function getEmptyValue(property: string): IDataObject[string] {
	const type = wireTypes.get(property);
	if (type === 'array') return [];
	return type === 'object' ? {} : null;
}

/** Empties the fields that are switched on under `remove`, unless another field sets them. */
const emptyRemoved: PreSend = (request) => {
	const { remove, ...body } = getBody(request);
	const removed = Object.entries(isRecord(remove) ? remove : {})
		.filter(([, value]) => isOn(value))
		.map(([property]): [string, IDataObject[string]] => [property, getEmptyValue(property)]);
	return Promise.resolve({ ...request, body: { ...Object.fromEntries(removed), ...body } });
};

/** A field that can be emptied, and the name of its value in the request. */
interface Removable {
	displayName: string;
	name: string;
	/** After *Whether to remove*. */
	description: string;
	property: string;
}

/** The collection whose switches empty other fields. When a field is both set and removed, its new value is sent. */
export const removeFields = (removable: Removable[]): Field => ({
	displayName: 'Remove',
	name: 'removeFields',
	type: 'collection',
	placeholder: 'Add What to Remove',
	default: {},
	description: 'A field that you leave empty stays as it is. To empty a field, add it here.',
	options: removable.map(({ description, property, ...field }) => ({
		...field,
		type: 'boolean',
		default: true,
		description: `Whether to remove ${description}`,
		routing: { send: { type: 'body', property: `remove.${property}`, preSend: [emptyRemoved] } },
	})),
});
