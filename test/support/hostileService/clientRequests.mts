import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** Node's channel of the requests that `node:http` sends, on which n8n's HTTP client rests. */
const CHANNEL = 'http.client.request.start';

/**
 * Counts the requests of this process that are on their way: from their first byte until their connection
 * is closed. On a busy machine, many milliseconds pass before a server hears of them.
 */
export class ClientRequests implements Disposable {
	#count = 0;

	constructor() {
		subscribe(CHANNEL, this.#add);
	}

	get count(): number {
		return this.#count;
	}

	[Symbol.dispose](): void {
		unsubscribe(CHANNEL, this.#add);
	}

	readonly #add = (message: unknown): void => {
		const { request } = message as { request: ClientRequest };
		this.#count += 1;
		request.once('close', () => {
			this.#count -= 1;
		});
	};
}
