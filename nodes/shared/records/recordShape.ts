import type { IDataObject } from 'n8n-workflow';

/** The types of the fields of records. An `id` is a whole number that is compared, and never counted with. */
type FieldType =
	| 'array'
	| 'boolean'
	| 'id'
	| 'number'
	| 'object'
	| 'string'
	/** `YYYY-MM-DD HH:MM:SS` (contract: Resources and their fields). */
	| 'timestamp';

/** What the contract says about a field of a record. */
interface FieldShape {
	type: FieldType;
	/** Not every record has it. */
	optional?: true;
	nullable?: true;
	/** The fields of the records in it. */
	fields?: RecordShape;
}

/** The fields of a record in the contract, by their names. */
export interface RecordShape {
	readonly [name: string]: FieldShape;
}

type Value = IDataObject[string];

const EMPTY: Record<FieldType, () => Value> = {
	array: () => [],
	// `false` would be an answer.
	boolean: () => null,
	// 0 would be the ID of a record, and the answer of a number.
	id: () => null,
	number: () => null,
	object: () => ({}),
	string: () => '',
	timestamp: () => '',
};

/** The value of a field in which there is nothing (assumed: call-empty-values). */
export const emptyValue = ({ type, nullable }: FieldShape): Value =>
	nullable ? null : EMPTY[type]();
