import type { SQLInputValue } from 'node:sqlite';

import type { Database } from './database.mts';

/** A request: what lists show, and what GET /requests/{id} adds. */
export interface StoredRequest {
	/** JSON. */
	entry: string;
	/** JSON. */
	details: string;
	/** Any text. */
	response: string;
}

/** Which requests a list has. */
export interface WantedRequests {
	/** Only requests with a greater id. */
	after: number;
	/** Only requests with a smaller id. */
	before?: number | undefined;
	/** A part of method and path, operation or body, in any case. */
	search?: string | undefined;
	/** Only those that were refused or dropped, or only the others. */
	refused?: boolean | undefined;
	limit: number;
}

/** What a search looks into. */
const SEARCHED =
	"concat_ws(' ', entry ->> '$.method', entry ->> '$.path', entry ->> '$.operation', entry ->> '$.body')";
const REFUSED = "coalesce(entry ->> '$.status', 500) >= 400";

/** How many requests are kept. */
export const MAX_REQUESTS = 10_000;

/** The oldest requests are deleted this many at a time. */
const PRUNED_AT_ONCE = 1000;

/** The newest requests to the service that have ended. */
export class RequestTable {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
		database.execute(
			'CREATE TABLE IF NOT EXISTS requests (id INTEGER PRIMARY KEY, entry TEXT NOT NULL, details TEXT NOT NULL, response TEXT NOT NULL) STRICT',
		);
	}

	/** The greatest id; 0 when there is none. */
	get lastId(): number {
		return Number(this.#database.all('SELECT max(id) AS id FROM requests')[0]?.['id']);
	}

	/** How many requests have a greater id than `after`. */
	count(after: number): number {
		const [row] = this.#database.all('SELECT count(*) AS n FROM requests WHERE id > ?', after);
		return Number(row?.['n']);
	}

	/** Stores a request, and deletes the oldest ones beyond the limit. */
	insert(id: number, { entry, details, response }: StoredRequest): void {
		this.#database.run(
			'INSERT INTO requests (id, entry, details, response) VALUES (?, ?, ?, ?)',
			id,
			entry,
			details,
			response,
		);
		if (id % PRUNED_AT_ONCE === 0) {
			this.#database.run('DELETE FROM requests WHERE id <= ?', id - MAX_REQUESTS);
		}
	}

	/** The newest entries whose id is greater than `after`, newest first. */
	entries(after: number, limit: number): string[] {
		return this.#database
			.all('SELECT entry FROM requests WHERE id > ? ORDER BY id DESC LIMIT ?', after, limit)
			.map(({ entry }) => String(entry));
	}

	/** The newest of the wanted entries, newest first, whether there are more, and how many fit. */
	list({ after, before, search, refused, limit }: WantedRequests) {
		const tests = ['id > ?'];
		const values: SQLInputValue[] = [after];
		if (search !== undefined) {
			tests.push(`${SEARCHED} LIKE ? ESCAPE '\\'`);
			values.push(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
		}
		if (refused !== undefined) tests.push(refused ? REFUSED : `NOT (${REFUSED})`);
		const [row] = this.#database.all(
			`SELECT count(*) AS n FROM requests WHERE ${tests.join(' AND ')}`,
			...values,
		);
		const rows = this.#database.all(
			`SELECT entry FROM requests WHERE ${tests.join(' AND ')} AND id < ? ORDER BY id DESC LIMIT ?`,
			...values,
			before ?? Number.MAX_SAFE_INTEGER,
			limit + 1,
		);
		return {
			entries: rows.slice(0, limit).map(({ entry }) => String(entry)),
			more: rows.length > limit,
			total: Number(row?.['n']),
		};
	}

	/** The request with this id, or undefined. */
	get(id: number): StoredRequest | undefined {
		// The columns are those of a StoredRequest, and only `insert` writes them.
		return this.#database.all(
			'SELECT entry, details, response FROM requests WHERE id = ?',
			id,
		)[0] as StoredRequest | undefined;
	}
}
