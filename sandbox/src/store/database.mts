import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

import { DataFileError } from '../base/dataFileError.mts';

/** What SQLite's result codes mean for whoever starts the sandbox (sqlite.org/rescode.html). */
const REASONS: { [code: number]: string } = {
	5: 'Another sandbox has it open, perhaps in another terminal. Stop that one first.',
	8: 'It may not be written to. You need write permission for it and its folder. Or name another file.',
	11: 'It is damaged. Delete it or move it away: the next start makes a new one.',
	13: 'The disk is full. Make room: what was stored so far is not lost.',
	14: 'Its folder must exist, and you need write permission for it.',
	26: 'It is damaged, or it is not a sandbox data file. Name another file; if it is the sandbox’s own, delete it or move it away.',
};

/** One SQLite database with prepared statements kept, and transactions that either happen or do not. */
export class Database {
	readonly #file: string;
	readonly #sqlite: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	/** How many statements {@link Database.run} has run. */
	writes = 0;

	/**
	 * Opens and holds the file, and changes nothing in it.
	 * @param file path of the data file, or `:memory:`
	 * @throws {DataFileError} when the file cannot be opened, another sandbox holds it, or it is no
	 *   database. All methods throw it when the file can no longer be used, as on a full disk.
	 */
	constructor(file: string) {
		this.#file = file;
		this.#sqlite = this.#withReason(() => new DatabaseSync(file));
		try {
			// One process per file.
			this.execute('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;');
		} catch (error) {
			this.#sqlite.close();
			throw error;
		}
	}

	/** Reads the whole file. @throws {DataFileError} when it is damaged */
	check(): void {
		const [result] = this.all('PRAGMA quick_check(1)');
		if (result?.['quick_check'] !== 'ok') throw dataFileError(this.#file, 11, result);
	}

	/** From now on a commit survives when the process is killed. Writes to the file. */
	keepCommits(): void {
		this.execute('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
		// Copying commits into the file costs more the more often it is done.
		this.execute('PRAGMA wal_autocheckpoint = 8000');
	}

	/** Names of the tables in the file, SQLite's own left out. */
	get tables(): string[] {
		return this.all(
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
		).map(({ name }) => String(name));
	}

	/** A number in the file that says how to read it; 0 for a new one. */
	get format(): number {
		return this.number('SELECT user_version AS n FROM pragma_user_version');
	}

	set format(version: number) {
		this.execute(`PRAGMA user_version = ${version}`);
	}

	/** Runs statements that return nothing. */
	execute(sql: string): void {
		this.#withReason(() => this.#sqlite.exec(sql));
	}

	/** Runs one statement that writes, with values; gives the id of the row it inserted. */
	run(sql: string, ...values: SQLInputValue[]): number {
		this.writes += 1;
		return this.#withReason(() => Number(this.#statement(sql).run(...values).lastInsertRowid));
	}

	/** All rows of a query, as SQLite returns them. */
	all(sql: string, ...values: SQLInputValue[]): Array<Record<string, unknown>> {
		return this.#withReason(() => this.#statement(sql).all(...values));
	}

	/** The number in the one column `n` of a query; 0 when there is none. */
	number(sql: string, ...values: SQLInputValue[]): number {
		return Number(this.all(sql, ...values)[0]?.['n'] ?? 0);
	}

	/** Runs `work` in a transaction. An error rolls it back, and is thrown again. */
	transaction<Result>(work: () => Result): Result {
		this.all('BEGIN IMMEDIATE');
		try {
			const result = work();
			this.all('COMMIT');
			return result;
		} catch (error) {
			// On a full disk SQLite may have rolled it back already.
			if (this.#sqlite.isTransaction) this.all('ROLLBACK');
			throw error;
		}
	}

	close(): void {
		this.#statements.clear();
		this.#sqlite.close();
	}

	#statement(sql: string): StatementSync {
		const statement = this.#statements.get(sql) ?? this.#sqlite.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}

	#withReason<Result>(work: () => Result): Result {
		try {
			return work();
		} catch (error) {
			// SQLite adds details in the higher bits.
			const code = Number((error as { errcode?: number }).errcode) & 0xff;
			throw code in REASONS ? dataFileError(this.#file, code, error) : error;
		}
	}
}

/** What LIKE compares a text with that has this part. */
export const likeContaining = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;

const dataFileError = (file: string, code: number, cause: unknown): DataFileError =>
	new DataFileError(`The data file ${file} cannot be used. ${REASONS[code]}`, { cause });
