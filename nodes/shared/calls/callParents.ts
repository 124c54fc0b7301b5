import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord } from '../values/json';

/** What a call belongs to. Providers write it as fields, or as objects with an ID and a name. */
const PARENTS = ['assistant', 'campaign'];

/**
 * The assistant and the campaign of a call as its fields `assistant_id`, `assistant_name`, `campaign_id` and
 * `campaign_name`. A field that the call has already keeps its value.
 *
 * @param call a delivery, or a record of the list
 * @returns the fields that are known
 */
export function callParents(call: IDataObject): IDataObject {
	const fields: IDataObject = {};
	for (const parent of PARENTS) {
		const inner = isRecord(call[parent]) ? call[parent] : {};
		for (const name of ['id', 'name']) {
			const own = call[`${parent}_${name}`];
			const value = asText(own) === '' ? (inner[name] ?? own) : own;
			if (value !== undefined) fields[`${parent}_${name}`] = value;
		}
	}
	return fields;
}
