import type { IDataObject } from 'n8n-workflow';

import { asText } from '../values/json';
import { lastPage, MAX_PER_PAGE, MAX_RECORDS, paginate, rowsIn, type ReadEnvelope } from './pages';

/**
 * Finds records of a list by their ID. The service has no operation for one record (contract:
 * Endpoints), so this reads the list until the record comes. It keeps the records, and each page is
 * requested once, no matter how many records are looked for at the same time.
 */
export class RecordList {
	private readonly readEnvelope: ReadEnvelope;

	private readonly maxPages: number;

	private readonly pagesAhead: number;

	private readonly records = new Map<string, IDataObject>();

	private unread: AsyncGenerator<IDataObject[]>;

	private pagesRead = 0;

	private hasEnded = false;

	private reading: Promise<void> | undefined;

	private refreshing: Promise<void> | undefined;

	/**
	 * @param readEnvelope gets the envelope of a page; pages count from 1
	 * @param pagesAhead how many further pages are requested at the same time
	 * @param maxPages the most pages that are read
	 */
	constructor(
		readEnvelope: ReadEnvelope,
		pagesAhead: number,
		maxPages = MAX_RECORDS / MAX_PER_PAGE,
	) {
		this.readEnvelope = readEnvelope;
		this.maxPages = maxPages;
		this.pagesAhead = pagesAhead;
		this.unread = this.readFromStart();
	}

	/** Whether all pages of the list were read. */
	get isComplete(): boolean {
		return this.hasEnded;
	}

	/**
	 * Finds a record.
	 *
	 * @returns undefined when no page has it, or none of the first `maxPages` pages
	 * @throws {ServiceError} when a page cannot be read. The next call begins at the first page again
	 */
	async find(id: string): Promise<IDataObject | undefined> {
		while (!this.records.has(id) && (await this.readOn()));
		return this.get(id);
	}

	/** A record that was read. */
	get(id: string): IDataObject | undefined {
		return this.records.get(id);
	}

	/** The highest ID that was read; undefined when there is no record. An ID that is no number does not count. */
	get highestId(): number | undefined {
		const ids = [...this.records.keys()].map(Number).filter((id) => !Number.isNaN(id));
		return ids.length > 0 ? ids.reduce((one, other) => Math.max(one, other)) : undefined;
	}

	/**
	 * Reads both ends of the list again, because the contract does not show where a new record comes.
	 *
	 * @throws {ServiceError} when a page cannot be read
	 */
	async refresh(): Promise<void> {
		this.refreshing ??= this.readEnds().finally(() => {
			this.refreshing = undefined;
		});
		await this.refreshing;
	}

	/**
	 * Finds something in the records. The first record that has it ends the reading.
	 *
	 * @returns the first value that is not undefined; undefined when no page has one
	 * @throws {ServiceError} when a page cannot be read
	 */
	async findIn<Value>(get: (record: IDataObject) => Value | undefined): Promise<Value | undefined> {
		do {
			for (const record of this.records.values()) {
				const value = get(record);
				if (value !== undefined) return value;
			}
		} while (await this.readOn());
		return undefined;
	}

	/** Whether a record that was read has a field. */
	hasField(name: string): boolean {
		return [...this.records.values()].some((record) => Object.hasOwn(record, name));
	}

	private readFromStart(): AsyncGenerator<IDataObject[]> {
		return paginate(this.readEnvelope, () => this.nextPages);
	}

	/** At most as many as were read: a record is often on one of the first pages. */
	private get nextPages(): number {
		return Math.min(this.pagesAhead, this.pagesRead, this.maxPages - this.pagesRead);
	}

	/** Reads the next page. @returns false when there is none, or none that may be read */
	private async readOn(): Promise<boolean> {
		if (this.hasEnded || this.pagesRead >= this.maxPages) return false;
		this.reading ??= this.readPage().finally(() => {
			this.reading = undefined;
		});
		await this.reading;
		return true;
	}

	private async readEnds(): Promise<void> {
		const first = await this.readEnvelope(1);
		const last = lastPage(first, 1);
		this.add(rowsIn(first));
		if (last > 1) this.add(rowsIn(await this.readEnvelope(last)));
	}

	private async readPage(): Promise<void> {
		const page = await this.unread.next().catch((error: unknown) => {
			this.unread = this.readFromStart();
			this.pagesRead = 0;
			throw error;
		});
		if (page.done) {
			this.hasEnded = true;
			return;
		}
		this.pagesRead++;
		this.add(page.value);
	}

	private add(records: IDataObject[]): void {
		for (const record of records) {
			const id = asText(record.id);
			if (!this.records.has(id)) this.records.set(id, record);
		}
	}
}
