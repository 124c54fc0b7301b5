import type { IDataObject } from 'n8n-workflow';

import { recordsIn } from '../shared/client/json';

const FIELDS = ['name', 'description', 'method', 'timeout', 'endpoint'];

/** The rows of a table as text, whatever the order of their fields and whatever else they have. */
const rows = (value: unknown, fields: string[]): string =>
	JSON.stringify(recordsIn(value).map((row) => fields.map((field) => row[field])));

/**
 * Tells whether a tool's record has all values of a request body, so that the tool needs no update.
 *
 * @param tool record (contract: Mid call tool)
 * @param body that would create or update the tool
 */
export const isDefinedAs = (tool: IDataObject, body: IDataObject): boolean =>
	FIELDS.every((field) => tool[field] === body[field]) &&
	rows(tool.headers, ['name', 'value']) === rows(body.headers, ['name', 'value']) &&
	rows(tool.schema, ['name', 'type', 'description']) ===
		rows(body.schema, ['name', 'type', 'description']);
