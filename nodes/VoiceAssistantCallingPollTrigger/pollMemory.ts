import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { ProcessMemory } from '../shared/processMemory';
import type { Reading } from './reading';
import type { StoredCursor } from './storedCursor';

/** The cursor of each query. */
export type Cursors = Record<string, StoredCursor | undefined>;

/** The cursors that the last poll left, and the static data that it began with. */
interface LeftCursors {
	before: string;
	cursors: Cursors;
}

const leftCursors = new ProcessMemory<LeftCursors>('polls');

const fingerprint = (staticData: IDataObject) =>
	createHash('sha256').update(JSON.stringify(staticData)).digest('base64');

/**
 * The cursors that the last poll left in this process, if n8n has stored nothing since that poll began. n8n
 * 2.41 with its scheduler gives each poll what is stored, and does not always store what a poll leaves that
 * hands out nothing: never without durable cursors, and with them not after a publish.
 *
 * @param owner see `getCursorOwner`
 * @returns undefined when the static data are as new, or newer
 */
export function recallCursors(owner: string, staticData: IDataObject): Cursors | undefined {
	const left = leftCursors.get(owner);
	return left?.before === fingerprint(staticData) ? left.cursors : undefined;
}

/**
 * Keeps the cursors of a poll for the next one.
 *
 * @param staticData before the poll changes them
 * @param cursors undefined when the poll hands out calls. Only n8n knows whether their execution starts, and
 * if not, they have to come again
 */
export function keepCursors(owner: string, staticData: IDataObject, cursors?: Cursors): void {
	if (cursors) leftCursors.set(owner, { before: fingerprint(staticData), cursors });
	else leftCursors.delete(owner);
}

/** What a poll leaves when its time is over before all is read. */
interface Unfinished {
	/** By the key of the query. */
	readings: Map<string, Reading>;
	/** The keys of the queries, first those that were not read to their end. */
	order: string[];
}

const unfinishedPolls = new ProcessMemory<Unfinished>('polls');

/** Keeps what a poll has not finished. */
export function keepUnfinished(owner: string, unfinished: Unfinished): void {
	unfinishedPolls.set(owner, unfinished);
}

/** Gives what the last poll has not finished, once: polls that overlap must not share it. */
export function takeUnfinished(owner: string): Unfinished {
	const unfinished = unfinishedPolls.get(owner);
	unfinishedPolls.delete(owner);
	return unfinished ?? { readings: new Map(), order: [] };
}

/** Forgets what the last poll left. */
export function forgetPolls(owner: string): void {
	leftCursors.delete(owner);
	unfinishedPolls.delete(owner);
}
