import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { ServiceError } from '../shared/client/errors';
import { Completeness } from './completeness';
import {
	hasSeen,
	isKnown,
	listedSince,
	getOldestTime,
	getRecentTime,
	WATCHED_MS,
	type CallsRead,
	type Cursor,
} from './cursor';
import type { ListedCall } from './listedCall';
import { ListOrder, OVERLAP_MS } from './listOrder';
import { PagesRead } from './pagesRead';

/** The first poll reads no more, if the newest calls come first: a publish waits for it. */
const MAX_FIRST_CALLS = 2_000;

/** What a poll read, with what the user should know. */
export interface CallsOfPoll extends CallsRead {
	/** How many calls the service has added that are older than those that are watched. */
	addedTooOld: number;
}

/**
 * Decides how far the list of a query is read, and keeps what the cursor does not know. When the time of a
 * poll ends before, the next poll goes on with the same reading.
 */
export class Reading {
	/** Only calls of this day and later are listed, `YYYY-MM-DD`; undefined for all calls. */
	readonly since?: string;

	/** See {@link Cursor.place}. */
	readonly place = randomUUID();

	/** Whether it is the first one of the query. */
	readonly isFirst: boolean;

	readonly pages = new PagesRead();

	/** What ended the poll before the reading has ended; undefined when it has ended. */
	endedBy?: ServiceError;

	private readonly cursor: Cursor;

	private readonly now: number;

	/** The reading of the same poll that came before, and may have skipped calls. */
	private readonly former?: Reading;

	private readonly readsAll: boolean;

	private readonly order = new ListOrder();

	private readonly completeness = new Completeness();

	private calls: ListedCall[] = [];

	/** Of all calls that came, by ID. */
	private readonly createdAt = new Map<string, number>();

	/** The IDs that the cursor does not have. */
	private readonly added = new Set<string>();

	private hasSkipped = false;

	private isWhole = false;

	/**
	 * @param cursor before the poll
	 * @param isFirst whether it is the first poll of the query: its cursor has no call
	 * @param now by n8n's clock
	 * @param former see {@link Reading.again}
	 */
	constructor(cursor: Cursor, isFirst: boolean, now: number, former?: Reading) {
		this.cursor = cursor;
		this.isFirst = isFirst;
		this.now = now;
		this.former = former;
		const { counted } = cursor;
		// Once a day, because the service may have removed calls, which the number of calls does not tell.
		this.readsAll = !counted || Math.abs(now - counted.readAllAt) >= WATCHED_MS;
		this.since = this.readsAll ? listedSince(cursor) : counted?.since;
	}

	/** Takes the envelope of the next page. */
	addPage(envelope: IDataObject): void {
		this.completeness.addPage(envelope);
	}

	/**
	 * Takes the next record of the list.
	 *
	 * @param call undefined when the cursor cannot compare it
	 * @param isNewPage whether no poll has read its page before, so that it tells the order of the list
	 */
	addRecord(record: IDataObject, call: ListedCall | undefined, isNewPage: boolean): void {
		this.completeness.addRecord(record);
		if (!call) {
			this.hasSkipped = true;
			return;
		}
		// One record with a wrong date must not hide the order of the others.
		const isAhead = call.createdAt > (this.cursor.recent ?? Infinity) + WATCHED_MS;
		if (isNewPage && !isAhead) this.order.add(call);
		this.createdAt.set(call.id, call.createdAt);
		if (isKnown(this.cursor, call)) return;
		this.calls.push(call);
		if (!this.cursor.open.has(call.id)) this.added.add(call.id);
	}

	/** The list was read to its end. */
	reachEnd(): void {
		this.isWhole = true;
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
		return !readsAll && order.isPast(cursor.recent ?? -Infinity) && this.hasFoundAll;
	}

	/**
	 * Whether the first poll may have skipped calls, because others were removed meanwhile. They would be new
	 * for the next poll, although they may have finished long ago.
	 */
	get mayHaveSkipped(): boolean {
		return this.isFirst && !this.completeness.isComplete(this.isWhole);
	}

	/** A second reading of the list, in the same poll. What this one has seen of a call counts. */
	again(): Reading {
		return new Reading(this.cursor, this.isFirst, this.now, this);
	}

	/**
	 * What was read. When the reading has not ended, these are the calls since the last time. They move the
	 * cursor, but not how far back calls are watched, because others are still to come.
	 */
	result(): CallsOfPoll {
		const calls = this.takeCalls();
		if (this.endedBy) {
			return { calls, place: this.place, isFirst: this.isFirst, gone: [], addedTooOld: 0 };
		}
		const { cursor, since, createdAt, added, isFirst } = this;
		const total = this.completeness.total(this.isWhole);
		const readAllAt = this.readsAll ? this.now : (cursor.counted?.readAllAt ?? this.now);
		const missing = (this.addedTo(total) ?? 0) - added.size;
		return {
			calls,
			recent: getRecentTime(createdAt.values()),
			counted: total === undefined ? undefined : { since, total, readAllAt },
			since: isFirst ? this.firstSince : undefined,
			isFirst,
			gone: total === undefined ? [] : this.gone,
			// A record that was skipped is counted too.
			addedTooOld: this.hasSkipped ? 0 : Math.max(0, missing),
		};
	}

	private takeCalls(): ListedCall[] {
		const { calls, former } = this;
		this.calls = [];
		if (!former) return calls;
		return [...former.takeCalls(), ...calls.filter(({ id }) => !former.createdAt.has(id))];
	}

	/** Since when the first poll has surely read all calls; undefined when it has read all that are watched. */
	private get firstSince(): number | undefined {
		// The newest call alone may be dated in the future.
		if (this.mayHaveSkipped) return getRecentTime(this.createdAt.values());
		return this.isWhole ? undefined : this.order.oldest + OVERLAP_MS;
	}

	/** The open calls that did not come, without those that would be old if they came back. */
	private get gone(): string[] {
		const { open, knownSince } = this.cursor;
		return [...open].flatMap(([id, createdAt]) =>
			this.createdAt.has(id) || createdAt < knownSince ? [] : [id],
		);
	}

	/** Whether all open calls came, and as many new ones as the service has added. */
	private get hasFoundAll(): boolean {
		const expected = this.addedTo(this.completeness.firstTotal) ?? Infinity;
		if (expected > this.added.size) return false;
		return [...this.cursor.open.keys()].every((id) => this.createdAt.has(id));
	}

	/** How many calls were added since the last poll; undefined when that is unknown. */
	private addedTo(total: number | undefined): number | undefined {
		const { counted } = this.cursor;
		if (!counted || counted.since !== this.since || total === undefined) return undefined;
		return total - counted.total;
	}
}
