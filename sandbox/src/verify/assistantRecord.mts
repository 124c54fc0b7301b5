import type { Client } from './client.mts';
import { readPage, type Row } from './read/page.mts';
import { CannotCheck } from './stop.mts';

/** Which assistant, and the path below the base URL that lists it. */
export interface AssistantAddress {
	id: number;
	listPath: string;
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

/** @throws {CannotCheck} when the record does not show it: then it could not be restored */
export function webhookOf(record: Row): Webhook {
	const { webhook_url: url, is_webhook_active: isActive } = record;
	const webhook_url = urlOf(url);
	if (webhook_url === undefined || typeof isActive !== 'boolean') throw notShown('webhook');
	return { webhook_url, is_webhook_active: isActive };
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
	readonly #address: AssistantAddress;
	#page = 1;

	constructor(client: Client, address: AssistantAddress) {
		this.#client = client;
		this.#address = address;
	}

	/** @throws {CannotCheck} when it is not in the list, or the list cannot be read */
	async read(): Promise<Row> {
		const { id, listPath } = this.#address;
		const known = this.#find(await this.#rows(this.#page));
		const found = known ?? (await this.#search());
		if (found) return found;
		throw new CannotCheck(`Assistant ${id} is not in the list ${listPath}. Check the ID.`);
	}

	#find(rows: Row[]): Row | undefined {
		return rows.find((row) => idOf(row) === this.#address.id);
	}

	/** The lists are ordered by ID, upwards or downwards. */
	async #search(): Promise<Row | undefined> {
		const { id } = this.#address;
		const [first, ...others] = await this.#rows(1);
		if (!first) return undefined;
		const isUpwards = idOf(first) <= idOf(others.at(-1) ?? first);
		const isBehind = (rows: Row[]): boolean => {
			const last = rows.at(-1);
			return !last || (isUpwards ? idOf(last) >= id : idOf(last) <= id);
		};
		let [before, page] = [0, 1];
		while (!isBehind(await this.#rows(page))) [before, page] = [page, page * 2];
		while (page - before > 1) {
			const middle = Math.floor((before + page) / 2);
			if (isBehind(await this.#rows(middle))) page = middle;
			else before = middle;
		}
		this.#page = page;
		return this.#find(await this.#rows(page));
	}

	async #rows(page: number): Promise<Row[]> {
		const response = await this.#client.getNow(this.#address.listPath, { page });
		const rows = readPage(response)?.rows;
		// A page behind the last may be refused.
		if (!rows && page > 1 && response.status === 404) return [];
		if (!rows)
			throw new CannotCheck(`The list of assistants could not be read (${response.status}).`);
		return rows;
	}
}
