import { getProxyForUrl } from 'proxy-from-env';
import { fetch, ProxyAgent, type Headers } from 'undici';

import { isLoopbackUrl } from '../base/address.mts';
import { parseJson } from '../base/parseJson.mts';
import { timeLimit, wait } from '../base/realTime.mts';
import { CannotCheck, isObject, Stop } from './finding.mts';

/** The body is undefined when it is not JSON. */
export type ReceivedResponse = Readonly<{ status: number; headers: Headers; body: unknown }>;

export interface ClientOptions {
	/** Without a slash at its end. */
	baseUrl: string;
	token: string;
	/** Ends the run. */
	signal: AbortSignal;
	/** Milliseconds between two requests. */
	pause?: number;
}

const READ_LIMIT_MS = 20_000;
/** Longer: nobody is told of a write that is accepted after its time limit. */
const WRITE_LIMIT_MS = 120_000;
const MAX_REPEATS = 2;
const MAX_WAIT_MS = 90_000;
/** The wait after a 429 that names none. */
const UNNAMED_WAIT_S = 10;
/** Ctrl-C does not cut a write off: if the service accepts it, the user has to know. */
const NEVER = new AbortController().signal;

/** Sends paced requests to one host. It follows no redirect. A request is repeated only after a 429. */
export class Client {
	readonly #options: ClientOptions;
	/** That of HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY has the host. */
	readonly #proxy: string;
	requestCount = 0;

	constructor(options: ClientOptions) {
		this.#options = options;
		this.#proxy = isLoopbackUrl(options.baseUrl) ? '' : getProxyForUrl(options.baseUrl);
	}

	/** @throws {CannotCheck} when no response comes, or only 429 */
	async get(path: string, withToken = true): Promise<ReceivedResponse> {
		const response = await this.#send('GET', path, undefined, withToken);
		if (response.status === 429) throw new CannotCheck('The service answered 429 again and again.');
		return response;
	}

	/**
	 * Sends a write that the service has to refuse.
	 *
	 * @throws {Stop} when the service accepts it
	 * @throws {CannotCheck} when no response comes
	 */
	async refused(method: string, path: string, body: object): Promise<ReceivedResponse> {
		const response = await this.#send(method, path, JSON.stringify(body), true);
		if (response.status < 200 || response.status > 299) return response;
		throw new Stop(
			`The service accepted ${method} ${path}, which it should refuse (${response.status}). ${createdRecord(response)} No further request was sent.`,
		);
	}

	async #send(method: string, path: string, body: string | undefined, withToken: boolean) {
		const { baseUrl, token, signal, pause = 250 } = this.#options;
		for (let repeat = 0; ; repeat += 1) {
			if (this.requestCount > 0) await wait(pause, signal);
			this.#stopIfAborted();
			this.requestCount += 1;
			const response = await this.#exchange(baseUrl + path, {
				method,
				headers: {
					Accept: 'application/json',
					...(withToken && { Authorization: `Bearer ${token}` }),
					...(body !== undefined && { 'Content-Type': 'application/json' }),
				},
				...(body !== undefined && { body }),
				signal:
					body === undefined ? timeLimit(READ_LIMIT_MS, signal) : timeLimit(WRITE_LIMIT_MS, NEVER),
			});
			if (response.status !== 429 || repeat === MAX_REPEATS) return response;
			await wait(waitAfter(response), signal);
		}
	}

	async #exchange(url: string, options: Parameters<typeof fetch>[1]): Promise<ReceivedResponse> {
		const proxy = this.#proxy;
		const dispatcher = proxy === '' ? {} : { dispatcher: new ProxyAgent(proxy) };
		try {
			const response = await fetch(url, { ...options, ...dispatcher, redirect: 'manual' });
			const { status, headers } = response;
			return { status, headers, body: parseJson(await response.text()) };
		} catch (error) {
			this.#stopIfAborted();
			const { cause = error } = error as Error;
			const { code, name } = Object(cause) as { code?: string; name?: string };
			const way = proxy === '' ? '' : ` through the proxy ${new URL(proxy).host}`;
			const text = `${new URL(url).host} could not be reached${way} (${code ?? name}). Check the Base URL.`;
			throw new CannotCheck(text, { cause: error });
		}
	}

	#stopIfAborted(): void {
		if (!this.#options.signal.aborted) return;
		throw new Stop('The verification was interrupted, or took too long.');
	}
}

/** The milliseconds to wait after a 429 (public-service.md, Errors). @throws {Stop} when the service asks for a long wait */
function waitAfter({ headers, body }: ReceivedResponse): number {
	const inBody = isObject(body) ? body['retry_after'] : undefined;
	const span = Number(headers.get('retry-after') ?? inBody ?? UNNAMED_WAIT_S) * 1000;
	if (span <= MAX_WAIT_MS) return span;
	throw new Stop('The service asks for a pause of more than 90 seconds. Try again later.');
}

/** What the user may have to remove. The ID is all that a message says of a record. */
function createdRecord({ body }: ReceivedResponse): string {
	const id = isObject(body) && isObject(body['data']) ? String(body['data']['id']) : '';
	const isId = /^[\da-f-]{1,40}$/.test(id);
	return isId ? `It may have created or changed the record ${id}.` : 'It named no record.';
}
