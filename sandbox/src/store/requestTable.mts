import type { SQLInputValue } from 'node:sqlite';

import * as z from 'zod';

import { flag, id, pageSize, text } from '../base/queryFields.mts';
import { likeContaining, type Database } from './database.mts';

/** A request: what lists show, and what GET /requests/{id} adds. All but the response is JSON. */
export interface StoredRequest {
	entry: string;
	details: string;
	response: string;
}

export const requestQuery = z
	.object({
		limit: pageSize,
		before: id.optional().describe('Only requests with smaller IDs.'),
		search: text.optional().describe('A part of method and path, operation or body, in any case.'),
		refused: flag
			.optional()
			.describe('Only those that were refused or dropped, or only the others.'),
	})
	.strict();

export type WantedRequests = z.output<typeof requestQuery>;

/** What a search looks into. */
const SEARCHED =
	"concat_ws(' ', entry ->> '$.method', entry ->> '$.path', entry ->> '$.operation', entry ->> '$.body')";
const REFUSED = "coalesce(entry ->> '$.status', 500) >= 400";

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
		return this.#database.number('SELECT max(id) AS n FROM requests');
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

	/** The newest of the wanted entries with an id greater than `after`, whether there are more, and how many fit. */
	list({ before, search, refused, limit }: WantedRequests, after: number) {
		const tests = ['id > ?'];
		const values: SQLInputValue[] = [after];
		if (search !== undefined) {
			tests.push(`${SEARCHED} LIKE ? ESCAPE '\\'`);
			values.push(likeContaining(search));
		}
		if (refused !== undefined) tests.push(refused ? REFUSED : `NOT (${REFUSED})`);
		const wanted = `FROM requests WHERE ${tests.join(' AND ')}`;
		const rows = this.#database.all(
			`SELECT entry ${wanted} AND id < ? ORDER BY id DESC LIMIT ?`,
			...values,
			before ?? Number.MAX_SAFE_INTEGER,
			limit + 1,
		);
		return {
			entries: rows.slice(0, limit).map(({ entry }) => String(entry)),
			more: rows.length > limit,
			total: this.#database.number(`SELECT count(*) AS n ${wanted}`, ...values),
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
