import { Database } from './database.mts';
import { EventTable } from './eventTable.mts';
import type * as records from './records.mts';
import { RequestTable } from './requestTable.mts';
import { Snapshots } from './snapshots.mts';
import { Table } from './table.mts';
import { UserTokens } from './userTokens.mts';

export type State = ReturnType<typeof createTables>['state'];

/** Raise it whenever records or tables change: the sandbox refuses data files of another format. */
const FORMAT = 5;

/** The sandbox's data, in memory or in a file. */
export class Store {
	readonly state: State;
	/** The requests to the service. They are no part of its state. */
	readonly requests: RequestTable;
	readonly snapshots: Snapshots;
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
			const { state, requests } = this.#database.transaction(() => createTables(this.#database));
			this.state = state;
			this.requests = requests;
			this.snapshots = new Snapshots(this.#database, file, FORMAT);
		} catch (error) {
			this.#database.close();
			throw error;
		}
	}

	/** See {@link Database.writes}. */
	get writes(): number {
		return this.#database.writes;
	}

	/** See {@link Database.transaction}. */
	transaction<Result>(work: () => Result): Result {
		const { events } = this.state;
		let result: Result;
		try {
			result = this.#database.transaction(work);
		} catch (error) {
			events.rolledBack();
			throw error;
		}
		events.committed();
		return result;
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
		for (const name of this.#database.tables) this.#database.execute(`DELETE FROM ${name}`);
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
	if (!newTables().every((name) => tables.includes(name))) {
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

/** The names of the tables that a new data file has. */
function newTables(): string[] {
	const database = new Database(':memory:');
	createTables(database);
	const { tables } = database;
	database.close();
	return tables;
}

function createTables(database: Database) {
	database.format = FORMAT;
	database.execute(
		'CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
	);
	const users = new Table<records.User>(database, 'users', [['token']]);
	const state = {
		users,
		tokens: new UserTokens(users),
		phoneNumbers: new Table<records.PhoneNumber>(database, 'phone_numbers', [['user_id']]),
		campaigns: new Table<records.Campaign>(database, 'campaigns', [['user_id']]),
		assistants: new Table<records.Assistant>(database, 'assistants', [['user_id']]),
		tools: new Table<records.Tool>(database, 'tools', [['user_id']]),
		leads: new Table<records.Lead>(
			database,
			'leads',
			[
				['campaign_id', 'phone_number'],
				['campaign_id', 'status', 'next_attempt_at'],
				['secondary_of'],
				['user_id', 'created_at'],
			],
			['campaign_id', 'status', 'phone_number'],
		),
		calls: new Table<records.Call>(
			database,
			'calls',
			[
				// The order of the service's list, and then the fields of its filters.
				[
					'user_id',
					'created_at',
					'id',
					'status',
					'type',
					'assistant_id',
					'campaign_id',
					'client_phone_number',
				],
				['campaign_id', 'running', 'status'],
			],
			[
				'status',
				'assistant_id',
				'campaign_id',
				'lead_id',
				'running',
				'type',
				'scenario',
				'client_phone_number',
			],
		),
		messages: new Table<records.Sms>(database, 'messages', [['user_id']], ['to', 'user_id']),
		deliveries: new Table<records.Delivery>(
			database,
			'deliveries',
			[['state', 'next_attempt_at']],
			['state', 'event', 'call_id', 'assistant_id', 'url'],
		),
		toolRequests: new Table<records.ToolRequest>(
			database,
			'tool_requests',
			[['state', 'at'], ['call_id']],
			['state', 'call_id', 'tool_name', 'url'],
		),
		timers: new Table<records.Timer>(database, 'timers', [['due']]),
		events: new EventTable(database),
	};
	return { state, requests: new RequestTable(database) };
}
