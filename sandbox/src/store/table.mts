import { InvalidInput } from '../base/invalidInput.mts';
import { likeContaining, type Database } from './database.mts';

export interface Row {
	id: number;
}

type Scalar = string | number | boolean | null;
/** The top-level fields that conditions and indexes can have. */
export type ScalarKey<Record> = {
	[Key in keyof Record]-?: Record[Key] extends Scalar | undefined ? Key : never;
}[keyof Record] &
	string;

/** A condition on one top-level field: equal to a value, at least, less than, or a text with this part. */
export type Condition<Record> = [
	field: ScalarKey<Record>,
	operator: 'is' | 'is not' | '>=' | '<' | '<=' | 'contains',
	value: Scalar,
];

/** Order and section of a result. Without it: everything, by id. */
export interface Section<Record> {
	by?: ScalarKey<Record>;
	newestFirst?: boolean;
	limit?: number | undefined;
	offset?: number;
}

/** Which records a list has, the newest first, and where it goes on. */
interface ListQuery<Record> {
	conditions: Array<Condition<Record>>;
	/** Only records with this text in one of the fields, see LIKE for its case; dots lead into a field. */
	search?: { text: string; fields: string[] } | undefined;
	/** Only records with smaller ids, which the total counts nevertheless. */
	before?: number | undefined;
	limit: number;
}

const column = (field: string): string => (field === 'id' ? 'id' : `record ->> '$.${field}'`);

type SqlValue = string | number | null;

const test = <Record,>([field, operator]: Condition<Record>): string =>
	operator === 'contains' ? `instr(${column(field)}, ?)` : `${column(field)} ${operator} ?`;

const toSqlValue = <Record,>([, , value]: Condition<Record>): SqlValue =>
	typeof value === 'boolean' ? Number(value) : value;

const where = (tests: string[]): string =>
	tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`;

/**
 * Records of one kind, each a JSON document under its id. Ids count upwards and are never used
 * twice in the life of the data, whoever owns the record.
 */
export class Table<Record extends Row> {
	readonly #database: Database;
	readonly #name: string;
	/** The table's name in statements of {@link Table.list}. */
	readonly #listed: string;

	/**
	 * @param indexes lists of fields that are looked up together
	 * @param listed fields that {@link Table.list} filters and searches without reading the records
	 */
	constructor(
		database: Database,
		name: string,
		indexes: Array<Array<ScalarKey<Record>>> = [],
		listed?: Array<ScalarKey<Record>>,
	) {
		this.#database = database;
		this.#name = name;
		database.execute(
			`CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL) STRICT`,
		);
		for (const fields of indexes) this.#createIndex(fields.join('_'), fields);
		// The order of the list is that of the index, and conditions on its fields are met by reading it alone.
		if (listed) this.#createIndex('list', ['id', ...listed]);
		this.#listed = listed ? `${name} INDEXED BY ${name}_list` : name;
	}

	#createIndex(name: string, fields: string[]): void {
		this.#database.execute(
			`CREATE INDEX IF NOT EXISTS ${this.#name}_${name} ON ${this.#name} (${fields.map(column).join(', ')})`,
		);
	}

	/**
	 * Stores a new record. Without an id it gets the next one.
	 *
	 * @throws {InvalidInput} when its id is taken
	 */
	insert(record: Omit<Record, 'id'> & { id?: number | undefined }): Record {
		if (record.id !== undefined && this.get(record.id)) {
			throw new InvalidInput(`The id ${record.id} is already taken in ${this.#name}.`);
		}
		const id = record.id ?? this.nextId();
		const stored = Object.assign({ id }, record, { id }) as object as Record;
		this.#database.run(
			`INSERT INTO ${this.#name} (id, record) VALUES (?, ?)`,
			id,
			JSON.stringify(stored),
		);
		return stored;
	}

	/**
	 * The id of the next record that is stored without one. Known before the record is written, because
	 * every index is written with it.
	 */
	nextId(): number {
		const last = 'SELECT seq AS n FROM sqlite_sequence WHERE name = ?';
		return this.#database.number(last, this.#name) + 1;
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
	get(id: number | null | undefined): Record | undefined {
		const query = `SELECT record FROM ${this.#name} WHERE id = ?`;
		return this.#parse(this.#database.all(query, id ?? null))[0];
	}

	/** The first record that meets all conditions, or undefined. */
	first(conditions: Array<Condition<Record>>, section: Section<Record> = {}): Record | undefined {
		return this.select(conditions, { ...section, limit: 1 })[0];
	}

	/** The records that meet all conditions. */
	select(conditions: Array<Condition<Record>> = [], section: Section<Record> = {}): Record[] {
		const direction = section.newestFirst ? 'DESC' : 'ASC';
		const by = section.by ? `${column(section.by)} ${direction},` : '';
		const rows = this.#database.all(
			`SELECT record FROM ${this.#name} ${where(conditions.map(test))} ORDER BY ${by} id ${direction} LIMIT ? OFFSET ?`,
			...conditions.map(toSqlValue),
			section.limit ?? -1,
			// SQLite refuses what is no 64 bit integer; nobody stores so many records anyway.
			Math.min(section.offset ?? 0, Number.MAX_SAFE_INTEGER),
		);
		return this.#parse(rows);
	}

	/** The values that one field of all records has. */
	values(field: ScalarKey<Record>): unknown[] {
		return this.#database
			.all(`SELECT ${column(field)} AS value FROM ${this.#name}`)
			.map(({ value }) => value);
	}

	/** A section of the list of records that meet the query, whether older ones follow, and how many it has. */
	list({ conditions, search, before, limit }: ListQuery<Record>) {
		const tests = conditions.map(test);
		const values = conditions.map(toSqlValue);
		if (search) {
			const contains = search.fields.map((field) => `${column(field)} LIKE ? ESCAPE '\\'`);
			tests.push(`(${contains.join(' OR ')})`);
			values.push(...search.fields.map(() => likeContaining(search.text)));
		}
		// Without conditions SQLite walks the table itself, and counts by its pages.
		const from = tests.length > 0 ? this.#listed : this.#name;
		const found = this.#parse(
			this.#database.all(
				`SELECT record FROM ${from} ${where([...tests, 'id < ?'])} ORDER BY id DESC LIMIT ?`,
				...values,
				before ?? Number.MAX_SAFE_INTEGER,
				limit + 1,
			),
		);
		const more = found.length > limit;
		const isWhole = !more && before === undefined;
		const total = isWhole ? found.length : this.#total(from, tests, values);
		return { records: found.slice(0, limit), more, total };
	}

	/** How many records meet all conditions. */
	count(conditions: Array<Condition<Record>> = []): number {
		return this.#total(this.#name, conditions.map(test), conditions.map(toSqlValue));
	}

	#total(from: string, tests: string[], values: SqlValue[]): number {
		return this.#database.number(`SELECT count(*) AS n FROM ${from} ${where(tests)}`, ...values);
	}

	#parse(rows: Array<{ [column: string]: unknown }>): Record[] {
		// Only `update` writes this column, so the text is a Record.
		return rows.map((row) => JSON.parse(String(row['record'])) as Record);
	}
}
