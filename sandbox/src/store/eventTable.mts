import type { SQLInputValue } from 'node:sqlite';

import * as z from 'zod';

import { id, text } from '../base/queryFields.mts';
import { likeContaining, type Database } from './database.mts';

export const EVENT_KINDS = [
	'request-refused',
	'lead-added',
	'lead-changed',
	'campaign-started',
	'campaign-stopped',
	'campaign-changed',
	'assistant-changed',
	'tool-changed',
	'call-started',
	'question-asked',
	'question-answered',
	'call-ringing',
	'call-answered',
	'call-ended',
	'call-deleted',
	'tool-called',
	'tool-answered',
	'tool-missing',
	'webhook-delivered',
	'webhook-failed',
	'webhook-cancelled',
	'webhook-left-out',
	'sms-sent',
	'weather',
	'sandbox',
] as const;

export const EVENT_LEVELS = ['info', 'warning', 'error'] as const;

const SUBJECTS = [
	'user_id',
	'assistant_id',
	'campaign_id',
	'lead_id',
	'call_id',
	'message_id',
	'delivery_id',
	'tool_request_id',
	// The request to the service that caused it.
	'request_id',
] as const;

/** The records that an event is about; null where there is none. */
type EventSubjects = { [Subject in (typeof SUBJECTS)[number]]: number | null };

/** One thing that happened, as people read it. */
export interface TimelineEvent extends EventSubjects {
	/** Counts upwards from 1. */
	id: number;
	/** Sandbox time in milliseconds since 1970. */
	at: number;
	kind: (typeof EVENT_KINDS)[number];
	/** One sentence, or a few. */
	text: string;
	level: (typeof EVENT_LEVELS)[number];
}

/** An event to add: info unless it says otherwise, about nothing that it does not name. */
export type NewEvent = Pick<TimelineEvent, 'at' | 'kind' | 'text'> &
	Partial<Pick<TimelineEvent, 'level'> & EventSubjects>;

/** The subjects that a list of events can be limited to. */
const EVENT_FILTERS = ['assistant_id', 'campaign_id', 'lead_id', 'call_id'] as const;

/** "a,b" of known words, in a query. */
const words = <Word extends string>(known: readonly [Word, ...Word[]]) =>
	text.transform((list) => list.split(',')).pipe(z.array(z.enum(known)));

export const eventQuery = z
	.object({
		limit: z.coerce.number().int().min(1).max(1000).default(100).describe('How many at most.'),
		before: id.optional().describe('Only events with smaller IDs.'),
		after: z.coerce.number().int().min(0).optional().describe('Only events with greater IDs.'),
		kind: words(EVENT_KINDS).optional().describe('Only events of these kinds.'),
		level: words(EVENT_LEVELS).optional().describe('Only events of these levels.'),
		search: text
			.optional()
			.describe('A part of the text; case counts only for letters beyond ASCII.'),
		assistant_id: id.optional().describe('Only events about this assistant.'),
		campaign_id: id.optional().describe('Only events about this campaign.'),
		lead_id: id.optional().describe('Only events about this lead.'),
		call_id: id.optional().describe('Only events about this call.'),
	})
	.strict();

type WantedEvents = z.output<typeof eventQuery>;

export const MAX_EVENTS = 100_000;

/** The oldest events are deleted this many at a time. */
const PRUNED_AT_ONCE = 1000;

const NO_SUBJECTS = Object.fromEntries(SUBJECTS.map((name) => [name, null])) as EventSubjects;
const INSERT = `INSERT INTO events (at, kind, text, level, ${SUBJECTS.join(', ')}) VALUES (?, ?, ?, ?${', ?'.repeat(SUBJECTS.length)})`;

/** A search for one record, such as "lead 5": not all of its events have its name in their text. */
const SUBJECT_IN_SEARCH = /^\s*(assistant|campaign|lead|call)\s+(\d{1,15})\s*$/i;

/** Subjects whose events are few among many. */
const INDEXED = ['lead_id', 'call_id', 'request_id'] as const;

/**
 * The newest events. Unlike other records they are columns, because they are written often, never
 * changed, and searched in many ways.
 */
export class EventTable {
	readonly #database: Database;
	#uncommitted: TimelineEvent[] = [];
	readonly #listeners: Array<(event: TimelineEvent) => void> = [];
	/** Changes whenever events were added or removed for good. */
	revision = 0;

	constructor(database: Database) {
		this.#database = database;
		// Without AUTOINCREMENT, because the newest event is never deleted alone.
		database.execute(
			`CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, level TEXT NOT NULL, ${SUBJECTS.map((name) => `${name} INTEGER`).join(', ')}) STRICT`,
		);
		for (const name of INDEXED) {
			database.execute(
				`CREATE INDEX IF NOT EXISTS events_${name} ON events (${name}) WHERE ${name} IS NOT NULL`,
			);
		}
	}

	/** The id of the newest event; 0 when there is none. */
	get lastId(): number {
		return this.#database.number('SELECT max(id) AS n FROM events');
	}

	/** The greatest id of a request that an event names; 0 when none does. */
	get lastRequestId(): number {
		return this.#database.number('SELECT max(request_id) AS n FROM events');
	}

	/** Adds an event, and deletes the oldest ones beyond the limit. */
	add({ at, kind, text, level = 'info', ...given }: NewEvent): void {
		const subjects = SUBJECTS.map((name) => given[name] ?? null);
		const id = this.#database.run(INSERT, Math.round(at), kind, text, level, ...subjects);
		if (id % PRUNED_AT_ONCE === 0) {
			this.#database.run('DELETE FROM events WHERE id <= ?', id - MAX_EVENTS);
		}
		this.#uncommitted.push({ id, at, kind, text, level, ...NO_SUBJECTS, ...given });
	}

	/** The newest of the wanted events, newest first, whether there are more, and how many there are without `before`. */
	list(wanted: WantedEvents): { data: TimelineEvent[]; more: boolean; total: number } {
		const tests = ['id > ?'];
		const values: SQLInputValue[] = [Math.max(wanted.after ?? 0, this.lastId - MAX_EVENTS)];
		const add = (test: string, ...tested: SQLInputValue[]) => {
			tests.push(test);
			values.push(...tested);
		};
		for (const name of EVENT_FILTERS) {
			const id = wanted[name];
			if (id !== undefined) add(`${name} = ?`, id);
		}
		for (const name of ['kind', 'level'] as const) {
			const any = wanted[name];
			if (any) add(`${name} IN (${any.map(() => '?').join(', ')})`, ...any);
		}
		if (wanted.search !== undefined) {
			const [, subject, id] = SUBJECT_IN_SEARCH.exec(wanted.search) ?? [];
			if (subject !== undefined) add(`${subject.toLowerCase()}_id = ?`, Number(id));
			else add("text LIKE ? ESCAPE '\\'", likeContaining(wanted.search));
		}
		const fitting = `FROM events WHERE ${tests.join(' AND ')}`;
		// The columns are those of a TimelineEvent, and only `add` writes them.
		const rows = this.#database.all(
			`SELECT * ${fitting} AND id < ? ORDER BY id DESC LIMIT ?`,
			...values,
			wanted.before ?? Number.MAX_SAFE_INTEGER,
			wanted.limit + 1,
		) as object[] as TimelineEvent[];
		return {
			data: rows.slice(0, wanted.limit),
			more: rows.length > wanted.limit,
			total: this.#database.number(`SELECT count(*) AS n ${fitting}`, ...values),
		};
	}

	/** The ids of the events that a request caused, in the order of time. */
	causedBy(requestId: number): number[] {
		return this.#database
			.all('SELECT id FROM events WHERE request_id = ? ORDER BY id', requestId)
			.map(({ id }) => Number(id));
	}

	/** From now on `listener` gets every event when it is committed. */
	listen(listener: (event: TimelineEvent) => void): void {
		this.#listeners.push(listener);
	}

	/** Says that the transaction was committed. */
	committed(): void {
		if (this.#uncommitted.length === 0) return;
		this.revision += 1;
		const events = this.#uncommitted.splice(0);
		for (const event of events) for (const listener of this.#listeners) listener(event);
	}

	/** Says that the transaction was rolled back. */
	rolledBack(): void {
		this.#uncommitted = [];
	}
}
