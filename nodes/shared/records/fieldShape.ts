/** The types of the fields of records. An `id` is a whole number that is compared, and never counted with. */
export type FieldType =
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
	/** The fields of the records in it. */
	fields?: RecordShape;
}

/** The fields of a record in the contract, by their names. */
export interface RecordShape {
	readonly [name: string]: FieldShape;
}
