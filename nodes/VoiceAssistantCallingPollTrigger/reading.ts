import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../shared/client/errors';
import type { PagePlace } from '../shared/client/pages';
import { asText } from '../shared/values/json';
import {
	getOldestTime,
	getRecentTime,
	hasSeen,
	isKnown,
	listedSince,
	WATCHED_MS,
	type CallsRead,
	type Cursor,
} from './cursor';
import type { ListedCall } from './listedCall';
import { ListOrder, OVERLAP_MS } from './listOrder';

/** The first poll reads no more, if the newest calls come first: a publish waits for it. */
const MAX_FIRST_CALLS = 2_000;

/**
 * Decides how far the list of a query is read, and keeps what the cursor does not know. When the time of a
 * poll ends before, the next poll goes on with the same reading.
 */
export class Reading {
	/** Only calls of this day and later are listed, `YYYY-MM-DD`; undefined for all calls. */
	readonly since?: string;

	/** As it was when the reading began. */
	readonly cursor: Cursor;

	/** Whether it is the first one of the query: its cursor has no call. */
	readonly isFirst: boolean;

	/** The last page that was read; undefined before the first one. */
	place?: PagePlace;

	/** What ended the poll before the reading has ended; undefined when it has ended. */
	endedBy?: ServiceError;

	/** Whether the present poll has ended before it read a page that no poll has read before. */
	isStuck = false;

	/** The list was read to its end. */
	isWhole = false;

	private readonly now: number;

	private readonly readsAll: boolean;

	private readonly order = new ListOrder();

	/** How many calls the service counted, in each page. */
	private readonly totals: number[] = [];

	/** Of all records that came, also of those that are skipped. */
	private readonly ids = new Set<string>();

	/** Of all calls that came, by ID. */
	private readonly createdAt = new Map<string, number>();

	/** The IDs that the cursor does not have. */
	private readonly added = new Set<string>();

	private calls: ListedCall[] = [];

	/** @param now by n8n's clock */
	constructor(cursor: Cursor, isFirst: boolean, now: number) {
		this.cursor = cursor;
		this.isFirst = isFirst;
		this.now = now;
		const { counted } = cursor;
		// Once a day, because the service may have removed calls, which the number of calls does not tell.
		this.readsAll = !counted || Math.abs(now - counted.readAllAt) >= WATCHED_MS;
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

	/** Whether a record was read that the cursor can compare. */
	get hasCalls(): boolean {
		return this.createdAt.size > 0;
	}

	/** Whether a record was read that an earlier poll has read too. */
	get hasSeenCalls(): boolean {
		return [...this.createdAt].some(([id, createdAt]) => hasSeen(this.cursor, id, createdAt));
	}

	/** Whether the next pages have nothing that matters. False as long as the order of the list is unknown. */
	get isEnough(): boolean {
		const { cursor, order, isFirst, readsAll, createdAt } = this;
		if (isFirst) return order.isNewestFirst && createdAt.size >= MAX_FIRST_CALLS;
		if (order.isPast(getOldestTime(cursor))) return true;
		if (readsAll || !order.isPast(cursor.recent ?? -Infinity)) return false;
		// As many new calls as the service has added, and all that are open.
		const isMissing = this.missingOf(this.totals[0]) > 0;
		return !isMissing && [...cursor.open.keys()].every((id) => createdAt.has(id));
	}

	/**
	 * Whether the first poll may have skipped calls, because others were removed meanwhile. They would be new
	 * for the next poll, although they may have finished long ago.
	 */
	get mayHaveSkipped(): boolean {
		return this.isFirst && !this.isComplete;
	}

	/** Whether the cursor cannot move. The first poll of a query has to know all calls. */
	get tellsNothing(): boolean {
		return this.endedBy !== undefined && (this.isFirst || !this.place);
	}

	/** A second reading of the list, in the same poll. It has the calls of this one too. */
	again(): Reading {
		const second = new Reading(this.cursor, this.isFirst, this.now);
		second.calls.push(...this.calls);
		return second;
	}

	/**
	 * What was read. When the reading has not ended, these are the calls since the last time. They move the
	 * cursor, but not how far back calls are watched, because others are still to come.
	 */
	result(): CallsRead {
		const { calls, total, cursor, since, createdAt, isFirst, readsAll, now } = this;
		this.calls = [];
		if (this.endedBy) return { calls, isFirst, gone: [] };
		const readAllAt = readsAll ? now : (cursor.counted?.readAllAt ?? now);
		const gone = [...cursor.open.keys()].filter((id) => !createdAt.has(id));
		return {
			calls,
			recent: getRecentTime(createdAt.values()),
			counted: total === undefined ? undefined : { since, total, readAllAt },
			since: isFirst ? this.firstSince : undefined,
			isFirst,
			gone: total === undefined ? [] : gone,
		};
	}

	/** How many calls the service has added that are older than those that are watched. */
	get addedTooOld(): number {
		// A record that is skipped is counted too.
		const hasSkipped = this.ids.size > this.createdAt.size;
		return this.endedBy || hasSkipped ? 0 : Math.max(0, this.missingOf(this.total, 0));
	}

	/** Whether no call was skipped, although the list may shift while it is read, as far as the service counts. */
	private get isComplete(): boolean {
		const { totals, ids, isWhole } = this;
		const hasShrunk = totals.some((total, index) => total < (totals[index - 1] ?? 0));
		return !hasShrunk && !(isWhole && ids.size < (totals.at(-1) ?? 0));
	}

	/**
	 * How many calls the list has, for the next poll to compare; undefined when calls may have been skipped, or
	 * the service does not say. Before the end of the list, calls that came during the reading were not seen.
	 */
	private get total(): number | undefined {
		return this.isComplete ? this.totals.at(this.isWhole ? -1 : 0) : undefined;
	}

	/** Since when the first poll has surely read all calls; undefined when it has read all that are watched. */
	private get firstSince(): number | undefined {
		// The newest call alone may be dated in the future.
		if (this.mayHaveSkipped) return getRecentTime(this.createdAt.values());
		return this.isWhole ? undefined : this.order.oldest + OVERLAP_MS;
	}

	/** How many of the calls that were added since the last poll have not come. @param unknown if nothing tells */
	private missingOf(total: number | undefined, unknown = Infinity): number {
		const { counted } = this.cursor;
		if (!counted || counted.since !== this.since || total === undefined) return unknown;
		return total - counted.total - this.added.size;
	}
}
