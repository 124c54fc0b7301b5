import { stopwatch } from '../base/realTime.mts';
import {
	hideInHeaders,
	hideSecrets,
	type HiddenTokens,
	type HttpHeaders,
} from '../base/secrets.mts';
import type { ShownFault } from '../faults/faults.mts';
import {
	MAX_REQUESTS,
	type RequestTable,
	type StoredRequest,
	type WantedRequests,
} from '../store/requestTable.mts';
import type { UserTokens } from '../store/userTokens.mts';
import type { SentResponse } from './sendReply.mts';

/** One request to the service, as GET /__sandbox/requests shows it. Secrets are never in it. */
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
	/** As parsed; the beginning of its text when it is long or the service does not accept it. */
	body: unknown;
	/** Id of the user; null without a valid token. */
	user: number | null;
	/** How many requests were in flight when this one came, including itself. */
	in_flight: number;
	/** Null until there is a response, and when the connection was dropped. */
	status: number | null;
	/** Id of the fault rule that hit it. */
	fault?: number;
	/** Real milliseconds from the request to its response; null until then. */
	duration_ms: number | null;
}

/** Stored fields that lists leave out. */
interface Details {
	request_headers: HttpHeaders;
	response_headers: HttpHeaders;
	/** The whole rule that hit the request. */
	fault_rule: ShownFault | null;
}

/** A request as GET /__sandbox/requests/{id} shows it. */
interface WholeRequest extends JournalEntry, Details {
	/** A value if it is whole JSON, else the beginning of the text; empty while there is none. */
	response_body: unknown;
}

/** A request that has come. */
export interface OpenRequest {
	readonly entry: JournalEntry;
	readonly headers: HttpHeaders;
	/** What the request gave as its token. */
	readonly token: string | undefined;
	readonly elapsed: () => number;
	/** The rule that hits it. */
	fault: ShownFault | undefined;
}

/** How many characters of a body are kept. */
const BODY_LENGTH = 20_000;

/** The last requests. The store has those that have ended. */
export class Journal {
	readonly #table: RequestTable;
	readonly #tokens: UserTokens;
	readonly #open = new Set<OpenRequest>();
	#lastId: number;
	#inFlight = 0;
	#revision = 0;

	/** @param lastId no request gets an id up to this one, because something names it */
	constructor(table: RequestTable, tokens: UserTokens, lastId: number) {
		this.#table = table;
		this.#tokens = tokens;
		this.#lastId = Math.max(lastId, table.lastId);
	}

	/** Changes whenever an entry changes. */
	get revision(): number {
		return this.#revision;
	}

	/** The id of the newest request; 0 when there is none. */
	get lastId(): number {
		return this.#lastId;
	}

	/** Adds a request that has come. */
	begin(
		request: Omit<JournalEntry, 'id' | 'in_flight' | 'status' | 'fault' | 'duration_ms'>,
		headers: HttpHeaders,
		token: string | undefined,
	): OpenRequest {
		this.#lastId += 1;
		this.#inFlight += 1;
		this.#revision += 1;
		const open: OpenRequest = {
			entry: {
				id: this.#lastId,
				...request,
				in_flight: this.#inFlight,
				status: null,
				duration_ms: null,
			},
			headers,
			token,
			elapsed: stopwatch(),
			fault: undefined,
		};
		this.#open.add(open);
		return open;
	}

	/** The id for what the request does; null when a reset has removed its entry. */
	idOf(open: OpenRequest): number | null {
		return this.#open.has(open) ? open.entry.id : null;
	}

	/**
	 * Stores a request that has ended.
	 *
	 * @param response undefined when its connection was dropped
	 */
	end(open: OpenRequest, response: SentResponse | undefined): void {
		this.#inFlight -= 1;
		if (!this.#open.delete(open)) return;
		this.#revision += 1;
		open.entry.status = response?.status ?? null;
		open.entry.duration_ms = open.elapsed();
		this.#table.insert(open.entry.id, this.#toStored(open, response));
	}

	/** How many requests are kept. */
	get total(): number {
		return Math.min(this.#table.count(this.#lastId - MAX_REQUESTS) + this.#open.size, MAX_REQUESTS);
	}

	/** The newest entries, oldest first. @param withSecrets whether only API tokens are hidden */
	newest(limit = MAX_REQUESTS, withSecrets = false): JournalEntry[] {
		const ended = this.#table.entries(this.#lastId - MAX_REQUESTS, limit);
		const open = [...this.#open].map((request) => this.#toStored(request).entry);
		return [...ended, ...open]
			.map((text) => entryOf(withSecrets ? text : hideSecrets(text)))
			.sort((one, other) => one.id - other.id)
			.slice(-limit);
	}

	/** The newest of the wanted requests, newest first. A search or filter leaves out those in flight. */
	list(wanted: Omit<WantedRequests, 'after'>): {
		data: JournalEntry[];
		more: boolean;
		total: number;
	} {
		const { search, refused, before = Infinity, limit } = wanted;
		const after = this.#lastId - MAX_REQUESTS;
		const { entries, more, total } = this.#table.list({ ...wanted, after });
		const isChoice = search !== undefined || refused !== undefined;
		const open = isChoice ? [] : [...this.#open];
		const older = open.filter(({ entry }) => entry.id < before);
		const all = [...entries, ...older.map((request) => this.#toStored(request).entry)]
			.map((text) => entryOf(hideSecrets(text)))
			.sort((one, other) => other.id - one.id);
		return {
			data: all.slice(0, limit),
			more: more || all.length > limit,
			total: total + open.length,
		};
	}

	/** One request, or undefined. */
	find(id: number): WholeRequest | undefined {
		const open = [...this.#open].find(({ entry }) => entry.id === id);
		const stored = open ? this.#toStored(open) : this.#table.get(id);
		return stored && wholeRequest(stored);
	}

	/** Forgets all requests; the store is emptied elsewhere. Requests in flight still count as such. */
	clear(): void {
		this.#open.clear();
		this.#lastId = 0;
		this.#revision += 1;
	}

	#toStored(open: OpenRequest, response?: SentResponse): StoredRequest {
		return toStored(open, this.#tokens.hidden(open.token), response);
	}
}

/** A request without API tokens. Other secrets are hidden when somebody reads it. */
function toStored(
	{ entry, headers, fault }: OpenRequest,
	tokens: HiddenTokens,
	response?: SentResponse,
): StoredRequest {
	const { duration_ms, ...rest } = entry;
	const { body } = rest;
	const shown: JournalEntry = {
		...rest,
		// A text that is no JSON would be hidden from the search for names in the JSON around it.
		body: typeof body === 'string' ? hideSecrets(body) : body,
		...(fault && { fault: fault.id }),
		duration_ms,
	};
	const details: Details = {
		request_headers: hideInHeaders(headers),
		response_headers: hideInHeaders(response?.headers ?? {}),
		fault_rule: fault ?? null,
	};
	// A token that is cut off at the end is whole in twice the length.
	const beginning = (response?.text ?? '').slice(0, 2 * BODY_LENGTH);
	const responseText = tokens.inText(beginning);
	return {
		entry: withShortBody(tokens.inJson(JSON.stringify(shown))),
		details: tokens.inJson(JSON.stringify(details)),
		response: responseText.slice(0, BODY_LENGTH),
	};
}

/** The entry; of a body that is too long, with the beginning of its JSON and a mark. */
function withShortBody(json: string): string {
	if (json.length <= BODY_LENGTH) return json;
	const entry = entryOf(json);
	const body = JSON.stringify(entry.body);
	if (body.length <= BODY_LENGTH) return json;
	return JSON.stringify({ ...entry, body: `${hideSecrets(body.slice(0, BODY_LENGTH))}…` });
}

/** Only {@link toStored} makes these texts. */
const entryOf = (text: string): JournalEntry => JSON.parse(text) as JournalEntry;

function wholeRequest({ entry, details, response }: StoredRequest): WholeRequest {
	const { fault_rule, ...headers } = JSON.parse(hideSecrets(details)) as Details;
	return {
		...entryOf(hideSecrets(entry)),
		...headers,
		response_body: jsonOrText(hideSecrets(response)),
		fault_rule,
	};
}

function jsonOrText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
