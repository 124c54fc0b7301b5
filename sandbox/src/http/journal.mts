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
	/** As parsed, or the beginning of the text where the service would not read it. */
	body: unknown;
	/** Id of the user; null without a valid token. */
	user: number | null;
	/** How many requests were being answered when this one came, itself included. */
	in_flight: number;
	/** Null while it is being answered, and when the connection was dropped. */
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

	/** Notes that a request has come. */
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

	/** Notes that a request has been answered; without a status, that its connection was dropped. */
	end(entry: JournalEntry, status: number | null): void {
		this.#inFlight -= 1;
		entry.status = status;
	}

	get entries(): readonly JournalEntry[] {
		return this.#entries;
	}

	/** Forgets all entries; requests that are being answered still count as in flight. */
	clear(): void {
		this.#entries = [];
		this.#count = 0;
	}
}
