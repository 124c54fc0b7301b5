import { parseJson } from '../base/parseJson.mts';
import { stopwatch } from '../base/realTime.mts';
import { hideInHeaders, hideSecrets, type HttpHeaders } from '../base/secrets.mts';
import type { ShownFault } from '../faults/faults.mts';
import type { FaultEffect } from '../faults/requestFaults.mts';
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
	/** What that rule did to it; not known until it ends. */
	fault_effect?: FaultEffect;
	/** What the weather did to it, in sentences. */
	weather?: string[];
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

export interface OpenRequest {
	readonly entry: JournalEntry;
	readonly headers: HttpHeaders;
	/** What the request gave as its token. */
	readonly token: string | undefined;
	readonly elapsed: () => number;
	fault: ShownFault | undefined;
	faultEffect: FaultEffect | undefined;
	/** See {@link JournalEntry}. */
	readonly weather: string[];
}

const BODY_LENGTH = 20_000;

/** The last requests. The store has those that have ended. */
export class Journal {
	readonly #table: RequestTable;
	readonly #tokens: UserTokens;
	readonly #open = new Set<OpenRequest>();
	#inFlight = 0;
	/** The id of the newest request; 0 when there is none. */
	lastId: number;
	/** Changes whenever an entry changes. */
	revision = 0;

	/** @param lastId no request gets an id up to this one, because something names it */
	constructor(table: RequestTable, tokens: UserTokens, lastId: number) {
		this.#table = table;
		this.#tokens = tokens;
		this.lastId = Math.max(lastId, table.lastId);
	}

	/** Adds a request that has come. */
	begin(
		request: Omit<
			JournalEntry,
			'id' | 'in_flight' | 'status' | 'fault' | 'fault_effect' | 'weather' | 'duration_ms'
		>,
		headers: HttpHeaders,
		token: string | undefined,
	): OpenRequest {
		this.lastId += 1;
		this.#inFlight += 1;
		this.revision += 1;
		const state = { in_flight: this.#inFlight, status: null, duration_ms: null };
		const entry = { id: this.lastId, ...request, ...state };
		const hit = { fault: undefined, faultEffect: undefined, weather: [] };
		const open = { entry, headers, token, elapsed: stopwatch(), ...hit };
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
		this.revision += 1;
		open.entry.status = response?.status ?? null;
		open.entry.duration_ms = open.elapsed();
		this.#table.insert(open.entry.id, this.#toStored(open, response));
	}

	/**
	 * The newest of the wanted requests, newest first. A search or filter leaves out those in flight.
	 *
	 * @param withSecrets whether only API tokens are hidden
	 */
	list(wanted: WantedRequests, withSecrets = false) {
		const { search, refused, before = Infinity, limit } = wanted;
		const { entries, more, total } = this.#table.list(wanted, this.lastId - MAX_REQUESTS);
		const isChoice = search !== undefined || refused !== undefined;
		const open = isChoice ? [] : [...this.#open];
		const older = open.filter(({ entry }) => entry.id < before);
		const all = [...entries, ...older.map((request) => this.#toStored(request).entry)]
			.map((text) => parseEntry(withSecrets ? text : hideSecrets(text)))
			.sort((one, other) => other.id - one.id);
		return {
			data: all.slice(0, limit),
			more: more || all.length > limit,
			total: total + open.length,
		};
	}

	/** One request, as GET /__sandbox/requests/{id} shows it, or undefined. */
	find(id: number) {
		const open = [...this.#open].find(({ entry }) => entry.id === id);
		const stored = open ? this.#toStored(open) : this.#table.get(id);
		if (!stored) return undefined;
		const { fault_rule, ...headers } = JSON.parse(hideSecrets(stored.details)) as Details;
		const response = hideSecrets(stored.response);
		return {
			...parseEntry(hideSecrets(stored.entry)),
			...headers,
			/** A value if it is whole JSON, else the beginning of the text; empty while there is none. */
			response_body: parseJson(response, response),
			fault_rule,
		};
	}

	/**
	 * Goes on with other stored requests. Those in flight are forgotten, and still count as such.
	 *
	 * @param lastId as that of the constructor
	 */
	restart(lastId: number): void {
		this.#open.clear();
		this.lastId = Math.max(lastId, this.#table.lastId);
		this.revision += 1;
	}

	/** A request without API tokens. Other secrets are hidden when somebody reads it. */
	#toStored(
		{ entry, headers, token, fault, faultEffect, weather }: OpenRequest,
		response?: SentResponse,
	): StoredRequest {
		const tokens = this.#tokens.hidden(token);
		const { duration_ms, ...rest } = entry;
		const { body } = rest;
		const shown: JournalEntry = {
			...rest,
			// A text that is no JSON would be hidden from the search for names in the JSON around it.
			body: typeof body === 'string' ? hideSecrets(body) : body,
			...(fault && { fault: fault.id }),
			...(faultEffect && { fault_effect: faultEffect }),
			...(weather.length > 0 && { weather }),
			duration_ms,
		};
		const details: Details = {
			request_headers: hideInHeaders(headers),
			response_headers: hideInHeaders(response?.headers ?? {}),
			fault_rule: fault ?? null,
		};
		// A token that is cut off at the end is whole in twice the length.
		const beginning = (response?.text ?? '').slice(0, 2 * BODY_LENGTH);
		return {
			entry: withShortBody(tokens.inJson(JSON.stringify(shown))),
			details: tokens.inJson(JSON.stringify(details)),
			response: tokens.inText(beginning).slice(0, BODY_LENGTH),
		};
	}
}

/** The entry; of a body that is too long, with the beginning of its JSON and a mark. */
function withShortBody(json: string): string {
	if (json.length <= BODY_LENGTH) return json;
	const entry = parseEntry(json);
	const body = JSON.stringify(entry.body);
	if (body.length <= BODY_LENGTH) return json;
	return JSON.stringify({ ...entry, body: `${hideSecrets(body.slice(0, BODY_LENGTH))}…` });
}

/** Only {@link Journal} makes these texts. */
const parseEntry = (text: string): JournalEntry => JSON.parse(text) as JournalEntry;
