import { Database } from './database.mts';
import type {
	Assistant,
	Call,
	Campaign,
	Delivery,
	Lead,
	PhoneNumber,
	Sms,
	Timer,
	Tool,
	ToolRequest,
	User,
} from './records.mts';
import { Table } from './table.mts';

/** All records of the sandbox, of all users. */
export interface State {
	users: Table<User>;
	phoneNumbers: Table<PhoneNumber>;
	campaigns: Table<Campaign>;
	assistants: Table<Assistant>;
	tools: Table<Tool>;
	leads: Table<Lead>;
	calls: Table<Call>;
	messages: Table<Sms>;
	deliveries: Table<Delivery>;
	toolRequests: Table<ToolRequest>;
	timers: Table<Timer>;
}

/** Raise it whenever records or tables change: the sandbox refuses data files of another format. */
const FORMAT = 2;

/** The tables of a data file. */
const TABLES = [
	'users',
	'phone_numbers',
	'campaigns',
	'assistants',
	'tools',
	'leads',
	'calls',
	'messages',
	'deliveries',
	'tool_requests',
	'timers',
	'notes',
];

/** The sandbox's data, in memory or in a file. */
export class Store {
	readonly state: State;
	readonly #database: Database;

	/**
	 * @param file path of the data file; without one the data lives in memory
	 * @throws {Error} when the file cannot be used, is no data file, or is of another version
	 */
	constructor(file: string | undefined) {
		this.#database = new Database(file ?? ':memory:');
		try {
			requireOwnFile(this.#database, file);
			this.#database.keepCommits();
			this.state = this.transaction(() => createTables(this.#database));
		} catch (error) {
			this.#database.close();
			throw error;
		}
	}

	/** See {@link Database.transaction}. */
	transaction<Result>(work: () => Result): Result {
		return this.#database.transaction(work);
	}

	/** What {@link Store.setMeta} kept under this name, or undefined. */
	getMeta(name: string): unknown {
		const [row] = this.#database.all('SELECT value FROM notes WHERE name = ?', name);
		return row && JSON.parse(String(row['value']));
	}

	/** Stores a JSON value under a name. */
	setMeta(name: string, value: unknown): void {
		this.#database.run(
			'INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
			name,
			JSON.stringify(value),
		);
	}

	/** Deletes every record and starts all ids again at 1. */
	empty(): void {
		for (const name of TABLES) this.#database.execute(`DELETE FROM ${name}`);
		this.#database.execute('DELETE FROM sqlite_sequence');
	}

	close(): void {
		this.#database.close();
	}
}

/** Accepts a new file, and one that this version of the sandbox has made. */
function requireOwnFile(database: Database, file: string | undefined): void {
	const { format, tables } = database;
	if (tables.length === 0 && format === 0) return;
	if (!TABLES.every((name) => tables.includes(name))) {
		throw new Error(
			`The file ${file} is not a sandbox data file. It was left as it is; name another one.`,
		);
	}
	if (format !== FORMAT) {
		throw new Error(
			`The data file ${file} is of another version of the sandbox. Delete it or move it away: the next start makes a new one.`,
		);
	}
	database.check();
}

function createTables(database: Database): State {
	database.format = FORMAT;
	database.execute(
		'CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
	);
	return {
		users: new Table<User>(database, 'users', [['token']]),
		phoneNumbers: new Table<PhoneNumber>(database, 'phone_numbers', [['user_id']]),
		campaigns: new Table<Campaign>(database, 'campaigns', [['user_id']]),
		assistants: new Table<Assistant>(database, 'assistants', [['user_id']]),
		tools: new Table<Tool>(database, 'tools', [['user_id']]),
		leads: new Table<Lead>(database, 'leads', [
			['campaign_id', 'phone_number'],
			['campaign_id', 'status', 'next_attempt_at'],
		]),
		calls: new Table<Call>(database, 'calls', [
			['user_id', 'created_at'],
			['campaign_id', 'running'],
		]),
		messages: new Table<Sms>(database, 'messages', [['user_id']]),
		deliveries: new Table<Delivery>(database, 'deliveries', [['state', 'next_attempt_at']]),
		toolRequests: new Table<ToolRequest>(database, 'tool_requests', [['state', 'at'], ['call_id']]),
		timers: new Table<Timer>(database, 'timers', [['due']]),
	};
}
