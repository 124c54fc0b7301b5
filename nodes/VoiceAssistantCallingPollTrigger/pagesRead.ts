import type { IDataObject } from 'n8n-workflow';

import type { ReadEnvelope } from '../shared/client/pages';
import { recordsIn } from '../shared/values/json';

/**
 * The pages of a list that polls have read, so that the next poll goes on behind them. It reads the first
 * page again, where new calls may stand, and the last one that was read, because calls may have moved on to it.
 */
export class PagesRead {
	/** How many records each page had. */
	private rowCounts: number[] = [];

	/** How many pages former polls have read. */
	private before = 0;

	/** Whether no page has been read. */
	get isEmpty(): boolean {
		return this.rowCounts.length === 0;
	}

	/** How many pages the present poll has read that no other poll has read. */
	get newCount(): number {
		return this.rowCounts.length - this.before;
	}

	/** Whether former polls have read a page. */
	wasRead(page: number): boolean {
		return page <= this.before;
	}

	/** Whether the present poll leaves out a page. */
	isLeftOut(page: number): boolean {
		return page > 1 && page < this.before;
	}

	/** Takes a page of the present poll. */
	add(page: number, rowCount: number): void {
		this.rowCounts[page - 1] = rowCount;
	}

	/**
	 * Begins another poll.
	 *
	 * @param readPage reads a page
	 * @returns a function that throws what `readPage` throws. The pages that are left out have records without
	 * content
	 */
	beginPoll(readPage: ReadEnvelope): ReadEnvelope {
		this.before = this.rowCounts.length;
		let first: IDataObject = {};
		return async (page) => {
			if (this.isLeftOut(page)) {
				const rows = Array.from({ length: this.rowCounts[page - 1] ?? 0 });
				const data = rows.map((_, row) => ({ id: `${page}/${row}` }));
				return { ...first, current_page: page, data };
			}
			const envelope = await readPage(page);
			if (page === 1) {
				first = envelope;
				// Pages of another size have other calls.
				if (recordsIn(envelope.data).length !== this.rowCounts[0]) this.startOver();
			}
			return envelope;
		};
	}

	private startOver(): void {
		this.before = 0;
		this.rowCounts = [];
	}
}
