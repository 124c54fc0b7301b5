import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/client/json';

/** Finds out whether all calls of a list came, although the list may shift while it is read. */
export class Completeness {
	private readonly records = new Set<string>();

	private total = 0;

	private hasShrunk = false;

	/** Takes the envelope of the next page. */
	addPage({ total }: IDataObject): void {
		if (typeof total !== 'number') return;
		if (total < this.total) this.hasShrunk = true;
		this.total = total;
	}

	/** Takes the next record of the list, also one that is skipped. */
	addRecord(record: IDataObject): void {
		this.records.add(asText(record.id) || JSON.stringify(record));
	}

	/** Whether no call was skipped. @param isWhole whether the list was read to its end */
	isComplete(isWhole: boolean): boolean {
		return !this.hasShrunk && (!isWhole || this.records.size >= this.total);
	}
}
