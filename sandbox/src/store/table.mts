import { InvalidInput } from '../base/invalidInput.mts';
import type { Database } from './database.mts';

/** What every stored record has. */
export interface Row {
	id: number;
}

type Scalar = string | number | boolean | null;
type ScalarKey<Record> = {
	[Key in keyof Record]-?: Record[Key] extends Scalar | undefined ? Key : never;
}[keyof Record] &
	string;

/** A condition on one top-level field: equal to a value, at least, or less than. */
export type Condition<Record> = [
	field: ScalarKey<Record>,
	operator: 'is' | 'is not' | '>=' | '<' | '<=',
	value: Scalar,
];

/** Order and section of a result. Without it: everything, by id. */
export interface Section<Record> {
	by?: ScalarKey<Record>;
	newestFirst?: boolean;
	limit?: number | undefined;
	offset?: number;
}

const sqlValue = (value: Scalar): string | number | null =>
	typeof value === 'boolean' ? Number(value) : value;

/**
 * Records of one kind, each a JSON document under its id. Ids count upwards and are never used
 * twice in the life of the data, whoever owns the record.
 */
export class Table<Record extends Row> {
	readonly #database: Database;
	readonly #name: string;

	/** @param indexes lists of fields that are looked up together */
	constructor(database: Database, name: string, indexes: Array<Array<ScalarKey<Record>>> = []) {
		this.#database = database;
		this.#name = name;
		database.execute(
			`CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL) STRICT`,
		);
		for (const fields of indexes) {
			const columns = fields.map((field) => `record ->> '$.${field}'`).join(', ');
			database.execute(
				`CREATE INDEX IF NOT EXISTS ${name}_${fields.join('_')} ON ${name} (${columns})`,
			);
		}
	}

	/**
	 * Stores a new record and gives it back with its id: the next one, unless it brings its own.
	 * @throws {InvalidInput} in words, when that id is taken
	 */
	insert(record: Omit<Record, 'id'> & { id?: number | undefined }): Record {
		if (record.id !== undefined && this.get(record.id)) {
			throw new InvalidInput(`The id ${record.id} is already taken in ${this.#name}.`);
		}
		const id = this.#database.run(
			`INSERT INTO ${this.#name} (id, record) VALUES (?, '{}')`,
			record.id ?? null,
		);
		const stored = Object.assign({ id }, record, { id }) as object as Record;
		this.update(stored);
		return stored;
	}

	/** Writes the whole record over the stored one. */
	update(record: Record): void {
		this.#database.run(
			`UPDATE ${this.#name} SET record = ? WHERE id = ?`,
			JSON.stringify(record),
			record.id,
		);
	}

	delete(id: number): void {
		this.#database.run(`DELETE FROM ${this.#name} WHERE id = ?`, id);
	}

	/** The record with this id, or undefined. */
	get(id: number): Record | undefined {
		return this.#parse(this.#database.all(`SELECT record FROM ${this.#name} WHERE id = ?`, id))[0];
	}

	/** The first record that meets all conditions, or undefined. */
	first(conditions: Array<Condition<Record>>, section: Section<Record> = {}): Record | undefined {
		return this.select(conditions, { ...section, limit: 1 })[0];
	}

	/** The records that meet all conditions. */
	select(conditions: Array<Condition<Record>> = [], section: Section<Record> = {}): Record[] {
		const direction = section.newestFirst ? 'DESC' : 'ASC';
		const by = section.by ? `record ->> '$.${section.by}' ${direction},` : '';
		const rows = this.#database.all(
			`SELECT record FROM ${this.#name} ${this.#where(conditions)} ORDER BY ${by} id ${direction} LIMIT ? OFFSET ?`,
			...conditions.map(([, , value]) => sqlValue(value)),
			section.limit ?? -1,
			// SQLite refuses what is no 64 bit integer; nobody stores so many records anyway.
			Math.min(section.offset ?? 0, Number.MAX_SAFE_INTEGER),
		);
		return this.#parse(rows);
	}

	/** How many records meet all conditions. */
	count(conditions: Array<Condition<Record>> = []): number {
		const [row] = this.#database.all(
			`SELECT count(*) AS n FROM ${this.#name} ${this.#where(conditions)}`,
			...conditions.map(([, , value]) => sqlValue(value)),
		);
		return Number(row?.['n']);
	}

	#where(conditions: Array<Condition<Record>>): string {
		if (conditions.length === 0) return '';
		const tests = conditions.map(([field, operator]) => `record ->> '$.${field}' ${operator} ?`);
		return `WHERE ${tests.join(' AND ')}`;
	}

	#parse(rows: Array<{ [column: string]: unknown }>): Record[] {
		// Only `update` writes this column, so the text is a Record.
		return rows.map((row) => JSON.parse(String(row['record'])) as Record);
	}
}
