import type { Client } from './client.mts';
import { readPage, type Row } from './read/page.mts';
import { CannotCheck } from './stop.mts';

/** Which assistant, and where the service lists it. */
export interface AssistantAddress {
	id: number;
	/** Below the base URL. */
	listPath: string;
	perPage: number;
	/** The page on which it was last. */
	page: number;
}

/** The webhook after calls, as the service shows it. */
export interface Webhook {
	webhook_url: string | null;
	is_webhook_active: boolean;
}

/** IDs can be texts. */
const idOf = ({ id }: Row): number => Number(id);

/** A URL; null when there is none, undefined when the record does not say. */
function urlOf(value: unknown): string | null | undefined {
	if (value === null || value === '') return null;
	return typeof value === 'string' ? value : undefined;
}

/** How services write true and false. */
const BOOLEANS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** @throws {CannotCheck} when the record does not show it: then it could not be restored */
export function webhookOf(record: Row): Webhook {
	const { webhook_url: url, is_webhook_active: isActive } = record;
	const webhook_url = urlOf(url);
	const is_webhook_active = BOOLEANS.get(String(isActive));
	if (webhook_url === undefined || is_webhook_active === undefined) throw notShown('webhook');
	return { webhook_url, is_webhook_active };
}

/** @throws {CannotCheck} when the record does not show it */
export function inboundWebhookOf({ inbound_webhook_url: value }: Row): string | null {
	const url = urlOf(value);
	if (url === undefined) throw notShown('inbound webhook');
	return url;
}

/** @throws {CannotCheck} when the record does not show them */
export function toolIdsOf({ tools }: Row): number[] {
	const ids = Array.isArray(tools) ? tools.map((tool: Row | null) => Number(tool?.['id'])) : [NaN];
	if (!ids.every(Number.isSafeInteger)) throw notShown('tools');
	return ids;
}

const notShown = (what: string) =>
	new CannotCheck(`The list of assistants does not show the ${what}, so it could not be restored.`);

/**
 * Reads one assistant again and again. The service only has the list, which may be long: the page is
 * searched by the ID and remembered.
 */
export class AssistantReader {
	readonly #client: Client;
	#address: AssistantAddress;

	constructor(client: Client, address: AssistantAddress) {
		this.#client = client;
		this.#address = address;
	}

	/** With the page on which the assistant was last. */
	get address(): AssistantAddress {
		return this.#address;
	}

	/** @throws {CannotCheck} when it is not in the list, or the list cannot be read */
	async read(): Promise<Row> {
		const { id, listPath, page } = this.#address;
		const rows = await this.#rows(page);
		const found = this.#find(rows) ?? (await this.#search(page === 1 ? rows : await this.#rows(1)));
		if (found) return found;
		throw new CannotCheck(`Assistant ${id} is not in the list ${listPath}. Check the ID.`);
	}

	#find(rows: Row[]): Row | undefined {
		return rows.find((row) => idOf(row) === this.#address.id);
	}

	/** The lists are ordered by ID, upwards or downwards. */
	async #search(first: Row[]): Promise<Row | undefined> {
		const { id } = this.#address;
		const isUpwards = firstId(first) <= idOf(first.at(-1) ?? {});
		const isBehind = (rows: Row[]): boolean => {
			const last = rows.at(-1);
			return !last || (isUpwards ? idOf(last) >= id : idOf(last) <= id);
		};
		let [before, page, rows] = [0, 1, first];
		while (!isBehind(rows)) {
			const next = await this.#rows(page * 2);
			// Some services give their only page, or the last one, for every number.
			if (Object.is(firstId(next), firstId(rows))) return undefined;
			[before, page, rows] = [page, page * 2, next];
		}
		while (page - before > 1) {
			const middle = Math.floor((before + page) / 2);
			if (isBehind(await this.#rows(middle))) page = middle;
			else before = middle;
		}
		this.#address = { ...this.#address, page };
		return this.#find(await this.#rows(page));
	}

	async #rows(page: number): Promise<Row[]> {
		const { listPath, perPage } = this.#address;
		const response = await this.#client.getNow(listPath, { page, per_page: perPage });
		const rows = readPage(response)?.rows;
		// A page behind the last may be refused.
		if (!rows && page > 1 && response.status === 404) return [];
		if (!rows)
			throw new CannotCheck(`The list of assistants could not be read (${response.status}).`);
		return rows;
	}
}

const firstId = ([first = {}]: Row[]): number => idOf(first);
