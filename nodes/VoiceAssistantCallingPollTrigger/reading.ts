import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../shared/client/errors';
import type { PagePlace } from '../shared/client/pages';
import { asText } from '../shared/values/json';
import {
	getOldestTime,
	getRecentTime,
	isKnown,
	listedSince,
	WATCHED_MS,
	type CallsRead,
	type Cursor,
} from './cursor';
import type { ListedCall } from './listedCall';
import { ListOrder, OVERLAP_MS } from './listOrder';
import type { CallQuery } from './selection';

/** The first poll reads no more, if the newest calls come first: a publish waits for it. */
const MAX_FIRST_CALLS = 2_000;

/**
 * Decides how far the list of a query is read, and keeps what the cursor does not know. When the time of a
 * poll ends before, the next poll goes on with the same reading.
 */
export class Reading {
	readonly query: CallQuery;
	/** Only calls of this day and later are listed, `YYYY-MM-DD`; undefined for all calls. */
	readonly since?: string;
	/** As it was when the reading began. */
	readonly cursor: Cursor;
	/** Whether it is the first one of the query: its cursor has no call. */
	readonly isFirst: boolean;
	/** When each call was created that came, by ID. */
	readonly createdAt = new Map<string, number>();
	/** The last page that was read; undefined before the first one. */
	place?: PagePlace;
	/** Whether the list was read to its end. */
	isWhole = false;
	/** What ended the poll before the reading has ended; undefined when it has ended. */
	endedBy?: ServiceError;
	/** Whether the poll has ended before it read a page that no poll has read before. */
	isStuck = false;

	/** When a poll has last read all calls that are watched. */
	private readonly readAllAt: number;
	private readonly readsAll: boolean;
	private readonly order = new ListOrder();
	/** How many calls the list had, at each page. */
	private readonly totals: number[] = [];
	/** The IDs of all records, also of those that are skipped. */
	private readonly ids = new Set<string>();
	/** The IDs that the cursor does not have. */
	private readonly added = new Set<string>();
	private calls: ListedCall[];

	/** @param calls of a reading of the same poll that came before */
	constructor(
		query: CallQuery,
		cursor: Cursor,
		isFirst: boolean,
		now: number,
		calls: ListedCall[] = [],
	) {
		const { counted } = cursor;
		this.query = query;
		this.cursor = cursor;
		this.isFirst = isFirst;
		this.calls = calls;
		// Once a day, because the service may have removed calls, which the number of calls does not tell.
		this.readsAll = !counted || Math.abs(now - counted.readAllAt) >= WATCHED_MS;
		this.readAllAt = this.readsAll ? now : (counted?.readAllAt ?? now);
		this.since = this.readsAll ? listedSince(cursor) : counted?.since;
	}

	/** Takes the envelope of the next page. */
	addPage({ total }: IDataObject): void {
		if (typeof total === 'number') this.totals.push(total);
	}

	/**
	 * Takes the next record of the list.
	 *
	 * @param call undefined when the cursor cannot compare it
	 * @param isNewPage whether no poll has read its page before, so that it tells the order of the list
	 */
	addRecord(record: IDataObject, call: ListedCall | undefined, isNewPage: boolean): void {
		this.ids.add(asText(record.id) || JSON.stringify(record));
		if (!call) return;
		// One record with a wrong date must not hide the order of the others.
		const isAhead = call.createdAt > (this.cursor.recent ?? Infinity) + WATCHED_MS;
		if (isNewPage && !isAhead) this.order.add(call);
		this.createdAt.set(call.id, call.createdAt);
		if (isKnown(this.cursor, call)) return;
		this.calls.push(call);
		if (!this.cursor.open.has(call.id)) this.added.add(call.id);
	}

	/** Whether the next pages have nothing that matters. False as long as the order of the list is unknown. */
	get isEnough(): boolean {
		const { cursor, order, createdAt, totals } = this;
		if (this.isFirst) return order.isNewestFirst && createdAt.size >= MAX_FIRST_CALLS;
		if (order.isPast(getOldestTime(cursor))) return true;
		if (this.readsAll || !order.isPast(cursor.recent ?? -Infinity)) return false;
		return (this.missingOf(totals[0]) ?? 1) <= 0 && this.gone.length === 0;
	}

	/** Whether no call was skipped because the list has shifted, as far as the service counts them. */
	get isComplete(): boolean {
		const { totals, ids, isWhole } = this;
		const hasShrunk = totals.some((total, index) => total < (totals[index - 1] ?? 0));
		return !hasShrunk && !(isWhole && ids.size < (totals.at(-1) ?? 0));
	}

	/** A second reading of the list, in the same poll. It has the calls of this one too. */
	again(): Reading {
		const { query, cursor, isFirst, readAllAt, calls } = this;
		return new Reading(query, cursor, isFirst, readAllAt, [...calls]);
	}

	/** How many calls the service has added that are older than those that are watched. */
	get addedTooOld(): number {
		// A record that is skipped is counted too.
		const isKnown = !this.endedBy && this.ids.size === this.createdAt.size;
		return isKnown ? Math.max(0, this.missingOf(this.total) ?? 0) : 0;
	}

	/**
	 * Gives the calls since the last time. When the reading has not ended, they move the cursor, but not how far
	 * back calls are watched, because others are still to come.
	 */
	takeCalls(): CallsRead {
		const { calls, total, since, isFirst, readAllAt, isWhole, order } = this;
		this.calls = [];
		if (this.endedBy) return { calls, isFirst, gone: [] };
		const recent = getRecentTime(this.createdAt.values());
		const firstSince = isWhole ? undefined : order.oldest + OVERLAP_MS;
		return {
			calls,
			recent,
			counted: total === undefined ? undefined : { since, total, readAllAt },
			// What the first poll skips would be new for the next one, although it may have finished long ago.
			since: isFirst ? (this.isComplete ? firstSince : recent) : undefined,
			isFirst,
			gone: total === undefined ? [] : this.gone,
		};
	}

	/** The open calls that have not come. */
	private get gone(): string[] {
		return [...this.cursor.open.keys()].filter((id) => !this.createdAt.has(id));
	}

	/** How many calls the list has, without those that came behind the reading; undefined when that is unknown. */
	private get total(): number | undefined {
		return this.isComplete ? this.totals.at(this.isWhole ? -1 : 0) : undefined;
	}

	/** How many calls were added since the last poll, without those that came; undefined when that is unknown. */
	private missingOf(total: number | undefined): number | undefined {
		const { counted } = this.cursor;
		if (!counted || counted.since !== this.since || total === undefined) return undefined;
		return total - counted.total - this.added.size;
	}
}
