import { isObject } from '../describe.mts';
import { observation, type Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import { assistantList, callList, campaignList } from './lists.mts';
import type { Row } from './page.mts';
import { recordSchemas, type FieldSchema } from './schemas.mts';

/** The records that can be read. Leads and SMS can only be written. */
export const READ_KINDS = ['call', 'assistant', 'tool', 'campaign'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** The records of the first page of each list, and the tools that its assistants have. */
export const recordsByKind = observation(async (run): Promise<{ [kind in ReadKind]: Row[] }> => {
	const call = await rowsOrNone(async () => (await callList(run)).page.rows);
	const assistant = await rowsOrNone(async () => (await assistantList(run))?.page.rows ?? []);
	const campaign = await rowsOrNone(async () => (await campaignList(run))?.page.rows ?? []);
	const tool = assistant.flatMap(({ tools }) =>
		Array.isArray(tools) ? tools.filter(isObject) : [],
	);
	return { call, assistant, tool, campaign };
});

/** The key of the list says that it cannot be read; the other lists are looked at all the same. */
async function rowsOrNone(read: () => Promise<Row[]>): Promise<Row[]> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof CannotCheck) return [];
		throw error;
	}
}

/** A value in a record, and what the contract says of its field. */
export interface FieldValue {
	kind: ReadKind;
	field: string;
	schema: FieldSchema;
	value: unknown;
}

/** All values of the fields that the contract describes. */
export async function fieldValues(run: Run): Promise<FieldValue[]> {
	const [records, schemas] = [await recordsByKind(run), await recordSchemas(run)];
	return READ_KINDS.flatMap((kind) =>
		records[kind].flatMap((record) =>
			Object.entries(record).flatMap(([field, value]) => {
				const schema = schemas[kind].fields.get(field);
				return schema ? [{ kind, field, schema, value }] : [];
			}),
		),
	);
}
