import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/json';
import type { FieldType, RecordShape } from './fieldShape';

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';

/** Whether a value has the type of its field, after `toContractRecord`. */
const FITS: Record<FieldType, (value: unknown) => boolean> = {
	array: Array.isArray,
	boolean: (value) => typeof value === 'boolean',
	// A text of digits is a number that JavaScript would round.
	id: (value) => isNumber(value) || isText(value),
	// Two flags that are numbers in the contract are also written as booleans (public-service: Assistant: fields of create and update).
	number: (value) => isNumber(value) || typeof value === 'boolean',
	object: isRecord,
	string: isText,
	timestamp: isText,
};

/** Remembers in what the records of one run differ from the contract. The records are not changed. */
export class UnexpectedFields {
	private readonly missing = new Set<string>();

	private readonly otherType = new Set<string>();

	/**
	 * Takes the next record. Null fits every field: the service writes it where there is nothing
	 * (public-service: call-empty-values; S1).
	 *
	 * @param record as the nodes use it
	 * @param shape of the record in the contract
	 * @returns the record
	 */
	note(record: IDataObject, shape: RecordShape): IDataObject {
		for (const name in shape) {
			const { type, optional } = shape[name] as RecordShape[string];
			const value = record[name];
			if (value === undefined) {
				if (!optional) this.missing.add(name);
			} else if (value !== null && !FITS[type](value)) this.otherType.add(name);
		}
		return record;
	}

	/** What n8n's log says at the end of a run; undefined when all records were as the contract says. */
	get warning(): string | undefined {
		const differences = [
			[this.missing, 'The service left out fields that its description promises'],
			[this.otherType, 'The service sent fields in another form than its description promises'],
		] as const;
		const texts = differences
			.filter(([names]) => names.size > 0)
			.map(([names, what]) => `${what}: ${[...names].join(', ')}.`);
		if (texts.length === 0) return undefined;
		return [...texts, 'The items have them as they came. Ask your provider about them.'].join(' ');
	}
}
