import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { ProcessMemory } from '../shared/processMemory';
import { asText } from '../shared/values/json';
import type { Reading } from './reading';
import type { StoredCursor } from './storedCursor';

/** The cursor of each query. */
export type Cursors = Record<string, StoredCursor | undefined>;

/** What a poll leaves for the next one, in the static data. */
export interface PollState {
	/** See `getCursorOwner`. */
	owner: string;
	/** A hash of the API token; undefined when an older version has stored the state. */
	account?: string;
	/** How often calls were handed out, or a query began. The higher of two is the newer one. */
	step: number;
	cursors: Cursors;
}

/** What the last poll left in this process. */
interface LeftState {
	/** The static data that it began with. */
	before: string;
	state: PollState;
	/** Whether it handed out calls. Only n8n knows whether their execution starts. */
	hasHandedOut: boolean;
}

const leftStates = new ProcessMemory<LeftState>('polls');

const fingerprint = (staticData: IDataObject) =>
	createHash('sha256').update(JSON.stringify(staticData)).digest('base64');

/** The state in the static data; an empty one when they have that of another owner. */
function storedState(owner: string, staticData: IDataObject): PollState {
	if (staticData.owner !== owner) return { owner, step: 0, cursors: {} };
	const { account, step, cursors } = staticData;
	return {
		owner,
		account: asText(account) || undefined,
		step: Number(step ?? 0),
		cursors: cursors as Cursors,
	};
}

/**
 * The newest state of an owner. What this process knows is newer than the static data
 * - when n8n has stored nothing since that poll began. n8n 2.41 with its scheduler gives each poll what is
 *   stored, and does not always store what a poll leaves that hands out nothing: never without durable
 *   cursors, and with them not after a publish;
 * - when somebody has written back an older export.
 * Calls that were handed out come again if n8n has stored nothing since, because then their execution may not
 * have started.
 *
 * @param trigger see `triggerKey`. It is the same after the node was renamed, which leaves its static data behind
 * @param isPublish whether the user publishes. Then an execution that did not start is less likely than an
 * export that was written back
 */
export function latestState(
	trigger: string,
	owner: string,
	staticData: IDataObject,
	isPublish: boolean,
): PollState {
	const stored = storedState(owner, staticData);
	const left = leftStates.get(trigger);
	if (left?.state.owner !== owner) return stored;
	const isUnchanged = left.before === fingerprint(staticData);
	const isOlder = left.state.step > stored.step;
	const isNewer = left.hasHandedOut
		? isOlder && (isPublish || !isUnchanged)
		: isOlder || isUnchanged;
	return isNewer ? left.state : stored;
}

/** Keeps the state of a poll for the next one, in the static data and in this process. */
export function keepState(
	trigger: string,
	staticData: IDataObject,
	state: PollState,
	hasHandedOut: boolean,
): void {
	leftStates.set(trigger, { before: fingerprint(staticData), state, hasHandedOut });
	Object.assign(staticData, state);
}

/** What a poll leaves when its time is over before all is read. */
interface Unfinished {
	/** By the key of the query. */
	readings: Map<string, Reading>;
	/** The keys of the queries, first those that were not read to their end. */
	order: string[];
}

const unfinishedPolls = new ProcessMemory<Unfinished>('polls');

/** Keeps what a poll has not finished. @param key names the owner and the account */
export function keepUnfinished(key: string, unfinished: Unfinished): void {
	unfinishedPolls.set(key, unfinished);
}

/** Gives what the last poll has not finished, once: polls that overlap must not share it. */
export function takeUnfinished(key: string): Unfinished {
	const unfinished = unfinishedPolls.get(key);
	unfinishedPolls.delete(key);
	return unfinished ?? { readings: new Map(), order: [] };
}

/** Forgets what the last poll left in this process. */
export function forgetPolls(trigger: string): void {
	leftStates.delete(trigger);
}
