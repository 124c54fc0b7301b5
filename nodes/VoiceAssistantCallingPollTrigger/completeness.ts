import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/values/json';

/** Finds out whether all calls of a list came, although the list may shift while it is read. */
export class Completeness {
	/** How many calls the list had at first; undefined when the service does not say. */
	firstTotal?: number;

	private lastTotal?: number;

	private readonly records = new Set<string>();

	private hasShrunk = false;

	/** Takes the envelope of the next page. */
	addPage({ total }: IDataObject): void {
		if (typeof total !== 'number') return;
		if (total < (this.lastTotal ?? 0)) this.hasShrunk = true;
		this.firstTotal ??= total;
		this.lastTotal = total;
	}

	/** Takes the next record of the list, also one that is skipped. */
	addRecord(record: IDataObject): void {
		this.records.add(asText(record.id) || JSON.stringify(record));
	}

	/**
	 * Whether no call was skipped, as far as the service says how many there are.
	 *
	 * @param isWhole see {@link total}
	 */
	isComplete(isWhole: boolean): boolean {
		return !this.hasShrunk && !(isWhole && this.records.size < (this.lastTotal ?? 0));
	}

	/**
	 * How many calls the list has, for the next poll to compare; undefined when calls may have been skipped,
	 * or the service does not say.
	 *
	 * @param isWhole whether the list was read to its end. If not, calls that came during the reading were
	 * not seen
	 */
	total(isWhole: boolean): number | undefined {
		if (!this.isComplete(isWhole)) return undefined;
		return isWhole ? this.lastTotal : this.firstTotal;
	}
}
