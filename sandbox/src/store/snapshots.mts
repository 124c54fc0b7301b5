import { existsSync } from 'node:fs';

import { InvalidInput } from '../base/invalidInput.mts';
import type { Database } from './database.mts';

/** A copy of all data. */
export interface Snapshot {
	name: string;
	/** Sandbox time when it was made, in milliseconds since 1970. */
	at: number;
}

const MAX_SNAPSHOTS = 50;

/** Copies of all tables by name, each in tables of its own: in memory, or in a file beside the data file. */
export class Snapshots {
	readonly #database: Database;
	readonly #file: string | undefined;
	readonly #format: number;
	#isOpen = false;

	/** @param format of the tables; copies of another format are of another version, and not listed */
	constructor(database: Database, dataFile: string | undefined, format: number) {
		this.#database = database;
		this.#file = dataFile === undefined ? undefined : `${dataFile}.snapshots`;
		this.#format = format;
	}

	/** The newest first. */
	list(): Snapshot[] {
		if (!this.#exist()) return [];
		this.open();
		const rows = this.#database.all(
			'SELECT name, at FROM snapshots.saved WHERE format = ? ORDER BY id DESC',
			this.#format,
		);
		return rows.map(({ name, at }) => ({ name: String(name), at: Number(at) }));
	}

	/** Makes room for copies. Call it before the transaction that saves the first one, which may fail. */
	open(): void {
		if (this.#isOpen) return;
		this.#database.run('ATTACH ? AS snapshots', this.#file ?? ':memory:');
		this.#database.execute(
			'CREATE TABLE IF NOT EXISTS snapshots.saved (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, at INTEGER NOT NULL, format INTEGER NOT NULL, UNIQUE (name, format)) STRICT',
		);
		this.#isOpen = true;
	}

	/** Keeps all data under a name, in place of an earlier copy. @throws {InvalidInput} when there are too many */
	save({ name, at }: Snapshot): void {
		this.delete(name);
		if (this.list().length >= MAX_SNAPSHOTS) {
			throw new InvalidInput(
				`There are ${MAX_SNAPSHOTS} snapshots, and no more fit. Delete one first.`,
			);
		}
		const id = this.#database.run(
			'INSERT INTO snapshots.saved (name, at, format) VALUES (?, ?, ?)',
			name,
			at,
			this.#format,
		);
		for (const table of this.#copied()) {
			this.#database.execute(
				`CREATE TABLE snapshots.copy_${table}_${id} AS SELECT * FROM main.${table}`,
			);
		}
	}

	/** Puts the copy in place of all data. @returns whether there is one */
	restore(name: string): boolean {
		const id = this.#idOf(name);
		if (id === undefined) return false;
		for (const table of this.#copied()) {
			this.#database.execute(
				`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM snapshots.copy_${table}_${id}`,
			);
		}
		return true;
	}

	/** @returns whether there was one */
	delete(name: string): boolean {
		const id = this.#idOf(name);
		if (id === undefined) return false;
		for (const table of this.#copied()) {
			this.#database.execute(`DROP TABLE snapshots.copy_${table}_${id}`);
		}
		this.#database.run('DELETE FROM snapshots.saved WHERE id = ?', id);
		return true;
	}

	/** All tables; SQLite's own with the next ids is the last one, because inserting changes it. */
	#copied(): string[] {
		return [...this.#database.tables, 'sqlite_sequence'];
	}

	/** Whether there is room for copies already. */
	#exist(): boolean {
		return this.#isOpen || (this.#file !== undefined && existsSync(this.#file));
	}

	#idOf(name: string): number | undefined {
		if (!this.#exist()) return undefined;
		this.open();
		const [row] = this.#database.all(
			'SELECT id FROM snapshots.saved WHERE name = ? AND format = ?',
			name,
			this.#format,
		);
		return row && Number(row['id']);
	}
}
