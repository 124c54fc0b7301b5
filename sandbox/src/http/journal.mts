/** One request to the service, as GET /__sandbox/requests shows it. The token is never in it. */
export interface JournalEntry {
	/** Counts upwards from 1. */
	id: number;
	/** Sandbox time, ISO 8601. */
	at: string;
	method: string;
	path: string;
	query: unknown;
	/** Null when no operation has this method and path. */
	operation: string | null;
	/** As parsed, or the beginning of a text that the service does not accept. */
	body: unknown;
	/** Id of the user; null without a valid token. */
	user: number | null;
	/** How many requests were in flight when this one came, including itself. */
	in_flight: number;
	/** Null until there is a response, and when the connection was dropped. */
	status: number | null;
	/** Id of the fault rule that hit it. */
	fault?: number;
}

const MAX_ENTRIES = 10_000;

/** The last requests, in the order they came. Kept in memory. */
export class Journal {
	#entries: JournalEntry[] = [];
	#count = 0;
	#inFlight = 0;

	/** Adds a request that has come. */
	begin(request: Omit<JournalEntry, 'id' | 'in_flight' | 'status'>): JournalEntry {
		this.#count += 1;
		this.#inFlight += 1;
		const entry: JournalEntry = {
			id: this.#count,
			...request,
			in_flight: this.#inFlight,
			status: null,
		};
		this.#entries.push(entry);
		if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
		return entry;
	}

	/** Completes the entry of a request. The status is null when its connection was dropped. */
	end(entry: JournalEntry, status: number | null): void {
		this.#inFlight -= 1;
		entry.status = status;
	}

	get entries(): readonly JournalEntry[] {
		return this.#entries;
	}

	/** Removes all entries. Requests in flight still count as in flight. */
	clear(): void {
		this.#entries = [];
		this.#count = 0;
	}
}
