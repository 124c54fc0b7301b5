import { getProxyForUrl } from 'proxy-from-env';
import { fetch, ProxyAgent, type Headers } from 'undici';
import { isLoopbackUrl } from '../base/address.mts';
import { parseJson } from '../base/parseJson.mts';
import { timeLimit, wait } from '../base/realTime.mts';
import { connectionFailure } from './connectionFailure.mts';
import { createdRecord } from './createdRecord.mts';
import { limitedText } from './limitedText.mts';
import { withQuery, type Query } from './query.mts';
import { waitAfter } from './rateLimit.mts';
import { CannotCheck, INTERRUPTED, Stop } from './stop.mts';

/** A response of the service. Nothing of its body goes into a report as it is. */
export interface Response {
	readonly status: number;
	readonly headers: Headers;
	/** The parsed body; undefined when it is not JSON. */
	readonly body: unknown;
}

/** Which token a request has: the user's, one that cannot be right, or none. */
export type Token = 'right' | 'wrong' | 'none';

/** What a write has other than usual. */
interface WriteOptions {
	token?: Token;
	contentType?: string;
}

export interface ClientOptions {
	/** Without a slash at its end. */
	baseUrl: string;
	token: string;
	/** Ends the run. */
	signal: AbortSignal;
	/** Milliseconds between the end of a request and the next one. */
	pause?: number;
	/** How many GETs are sent at most. */
	maxReads?: number;
}

const PAUSE_MS = 250;
const READ_LIMIT_MS = 20_000;
/** Longer: nobody is told of a write that is accepted after its time limit. */
const WRITE_LIMIT_MS = 120_000;
const MAX_READS = 30;
/** How often a request is sent again after a 429. */
const MAX_REPEATS = 2;
/** Ctrl-C does not cut a write off: if the service accepts it, the user has to know. */
const NEVER = new AbortController().signal;
/** No service has handed out this token. */
const WRONG_TOKEN = 'not-a-token-of-this-service';

/** The proxy that the environment names for a URL; empty for none, and for this machine. */
const proxyOf = (url: string): string => (isLoopbackUrl(url) ? '' : getProxyForUrl(url));

/**
 * Sends requests to one service, one at a time, paced, and never to another host: it follows no
 * redirect. A 429 is obeyed. A write is sent again only after a 429.
 */
export class Client {
	readonly #options: Required<ClientOptions>;
	readonly #reads = new Map<string, Promise<Response>>();
	#queue: Promise<unknown> = Promise.resolve();
	/** That of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, unless NO_PROXY has the host. */
	readonly #proxy: ProxyAgent | undefined;
	#requestCount = 0;
	#readCount = 0;

	constructor(options: ClientOptions) {
		this.#options = { pause: PAUSE_MS, maxReads: MAX_READS, ...options };
		const proxy = proxyOf(options.baseUrl);
		this.#proxy = proxy === '' ? undefined : new ProxyAgent(proxy);
	}

	/** How many requests were sent. */
	get requestCount(): number {
		return this.#requestCount;
	}

	/**
	 * Reads. The same request is sent once in a run, so checks can ask for what another one has read.
	 *
	 * @throws {CannotCheck} when no response comes, or only 429, or the run has sent too many
	 */
	get(path: string, query: Query = {}, token: Token = 'right'): Promise<Response> {
		const pathAndQuery = withQuery(path, query);
		const name = `${token} ${pathAndQuery}`;
		const response = this.#reads.get(name) ?? this.#read(pathAndQuery, token);
		this.#reads.set(name, response);
		return response;
	}

	/** Reads another address of the same host, without a token. @throws {CannotCheck} as `get` does */
	getWithoutToken(url: string): Promise<Response> {
		if (new URL(url).host !== new URL(this.#options.baseUrl).host) {
			throw new Error(`${url} is on another host.`);
		}
		return this.#inTurn(() => this.#exchange(new URL(url), 'GET', undefined, { token: 'none' }));
	}

	/**
	 * Sends a write that the service has to refuse. Its body is JSON; a text is sent as it is.
	 *
	 * @throws {Stop} when the service accepts it
	 * @throws {CannotCheck} when no response comes
	 */
	async refused(
		method: string,
		path: string,
		body: unknown,
		options: WriteOptions = {},
	): Promise<Response> {
		const response = await this.#inTurn(() => this.#withRateLimit(method, path, body, options));
		if (response.status < 200 || response.status > 299) return response;
		throw new Stop(
			`The service accepted ${method} ${path}, which it should refuse (${response.status}). ${createdRecord(response)} No further request was sent.`,
		);
	}

	#read(path: string, token: Token): Promise<Response> {
		const { maxReads } = this.#options;
		this.#readCount += 1;
		if (this.#readCount > maxReads) {
			return Promise.reject(new CannotCheck(`No more than ${maxReads} requests are sent.`));
		}
		return this.#inTurn(async () => {
			const response = await this.#withRateLimit('GET', path, undefined, { token });
			// It says nothing of what was asked.
			if (response.status === 429)
				throw new CannotCheck('The service answered 429 again and again.');
			return response;
		});
	}

	#inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
		const { pause, signal } = this.#options;
		const result = this.#queue.then(async () => {
			if (this.#requestCount > 0) await wait(pause, signal);
			if (signal.aborted) throw new Stop(INTERRUPTED);
			return task();
		});
		this.#queue = result.catch(() => undefined);
		return result;
	}

	async #withRateLimit(method: string, path: string, body: unknown, options: WriteOptions) {
		const url = new URL(`${this.#options.baseUrl}${path}`);
		for (let repeat = 0; ; repeat += 1) {
			const response = await this.#exchange(url, method, body, options);
			if (response.status !== 429 || repeat === MAX_REPEATS) return response;
			await wait(waitAfter(response), this.#options.signal);
			if (this.#options.signal.aborted) throw new Stop(INTERRUPTED);
		}
	}

	async #exchange(
		url: URL,
		method: string,
		body: unknown,
		options: WriteOptions,
	): Promise<Response> {
		const { signal } = this.#options;
		const { token = 'right', contentType = 'application/json' } = options;
		this.#requestCount += 1;
		try {
			const response = await fetch(url, {
				...(this.#proxy !== undefined && { dispatcher: this.#proxy }),
				method,
				redirect: 'manual',
				signal:
					method === 'GET' ? timeLimit(READ_LIMIT_MS, signal) : timeLimit(WRITE_LIMIT_MS, NEVER),
				headers: {
					Accept: 'application/json',
					...this.#authorization(token),
					...(body !== undefined && { 'Content-Type': contentType }),
				},
				...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
			});
			const text = await limitedText(response);
			// The nodes leave a byte order mark out, too.
			const parsed = parseJson(text.replace(/^\uFEFF/, ''));
			return { status: response.status, headers: response.headers, body: parsed };
		} catch (error) {
			if (signal.aborted) throw new Stop(INTERRUPTED, { cause: error });
			if (error instanceof CannotCheck) throw error;
			const proxy = proxyOf(url.href);
			throw new CannotCheck(connectionFailure(error, url, proxy), { cause: error });
		}
	}

	#authorization(token: Token) {
		if (token === 'none') return {};
		return { Authorization: `Bearer ${token === 'right' ? this.#options.token : WRONG_TOKEN}` };
	}
}
