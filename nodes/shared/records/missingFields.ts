import type { IDataObject } from 'n8n-workflow';

import { asText } from '../values/json';
import { emptyValue, type RecordShape } from './recordShape';

/** Completes the records of one run, and remembers what they lacked. */
export class MissingFields {
	private readonly names = new Set<string>();

	/**
	 * Gives a record the fields that the contract promises, with empty values, so that a workflow does not
	 * stop at a service that leaves some out. A missing ID stays missing: nothing else is known of the record
	 * by which it could be told from others.
	 *
	 * @param record as the nodes use it; it is not changed
	 * @param shape of the record in the contract
	 * @returns the record itself when nothing is missing
	 */
	complete(record: IDataObject, shape: RecordShape): IDataObject {
		let completed = record;
		for (const name in shape) {
			const field = shape[name] as RecordShape[string];
			const isThere = Object.hasOwn(record, name) && (name !== 'id' || asText(record.id) !== '');
			if (field.optional || isThere) continue;
			this.names.add(name);
			if (name === 'id') continue;
			if (completed === record) completed = { ...record };
			completed[name] = emptyValue(field);
		}
		return completed;
	}

	/** What n8n's log says at the end of a run; undefined when nothing was missing. */
	get warning(): string | undefined {
		if (this.names.size === 0) return undefined;
		return `The service left out fields that its description promises, so they are empty in the items: ${[...this.names].join(', ')}. Ask your provider about them.`;
	}
}
