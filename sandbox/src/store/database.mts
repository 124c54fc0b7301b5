import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** One SQLite database with prepared statements kept, and transactions that either happen or do not. */
export class Database {
	readonly #sqlite: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	/**
	 * Opens and holds the file, and changes nothing in it.
	 * @param file path of the data file, or `:memory:`
	 * @throws {Error} when the file cannot be opened, another sandbox holds it, or it is no
	 *   database
	 */
	constructor(file: string) {
		this.#sqlite = open(file);
		try {
			// One process per file.
			this.#sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;');
		} catch (error) {
			this.#sqlite.close();
			throw new Error(
				`The data file ${file} cannot be used: another sandbox has it open, or it is not a sandbox data file.`,
				{ cause: error },
			);
		}
	}

	/** From now on a commit survives when the process is killed. Writes to the file. */
	keepCommits(): void {
		this.#sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
	}

	/** Names of the tables in the file, SQLite's own left out. */
	get tables(): string[] {
		return this.all(
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
		).map(({ name }) => String(name));
	}

	/** A number in the file that says how to read it; 0 for a new one. */
	get format(): number {
		return Number(this.#sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
	}

	set format(version: number) {
		this.#sqlite.exec(`PRAGMA user_version = ${version}`);
	}

	/** Runs statements that return nothing. */
	execute(sql: string): void {
		this.#sqlite.exec(sql);
	}

	/** Runs one statement with values; gives the id of the row it inserted. */
	run(sql: string, ...values: SQLInputValue[]): number {
		return Number(this.#statement(sql).run(...values).lastInsertRowid);
	}

	/** All rows of a query, as SQLite returns them. */
	all(sql: string, ...values: SQLInputValue[]): Array<Record<string, unknown>> {
		return this.#statement(sql).all(...values);
	}

	/** Runs `work` in a transaction. An error rolls it back, and is thrown again. */
	transaction<Result>(work: () => Result): Result {
		this.#sqlite.exec('BEGIN IMMEDIATE');
		try {
			const result = work();
			this.#sqlite.exec('COMMIT');
			return result;
		} catch (error) {
			this.#sqlite.exec('ROLLBACK');
			throw error;
		}
	}

	close(): void {
		this.#statements.clear();
		this.#sqlite.close();
	}

	#statement(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#sqlite.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}

function open(file: string): DatabaseSync {
	try {
		return new DatabaseSync(file);
	} catch (error) {
		throw new Error(
			`The data file ${file} cannot be opened. Its folder must exist, and be yours to write to.`,
			{ cause: error },
		);
	}
}
