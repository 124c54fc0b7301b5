import { asObject, contractViolations, getObjects, type JsonObject } from './contract.mts';

/** A response of the service. */
export interface ServiceResponse {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The parsed body; undefined when it is not JSON. */
	readonly body: unknown;
}

interface RequestOptions {
	/** Sent as JSON. */
	readonly json?: unknown;
	/** Sent unchanged, instead of `json`. */
	readonly raw?: string | Uint8Array<ArrayBuffer>;
	readonly query?: Readonly<Record<string, string | number>>;
	readonly headers?: Readonly<Record<string, string>>;
	/** Does not compare the response with the contract, because a fault changed it. */
	readonly ignoreContract?: boolean;
}

const RESPONSE_LIMIT_MS = 10_000;

/** A client of the service for one user. It compares every response with contract/openapi.yaml. */
export interface ServiceClient {
	readonly token: string;
	request(method: string, path: string, options?: RequestOptions): Promise<ServiceResponse>;
	get(path: string, query?: RequestOptions['query']): Promise<ServiceResponse>;
	post(path: string, json: unknown): Promise<ServiceResponse>;
	put(path: string, json: unknown): Promise<ServiceResponse>;
	delete(path: string): Promise<ServiceResponse>;
}

/**
 * Creates a client that sends one bearer token.
 * @param url the base URL, ending in `/api`
 * @throws (each request) when a response breaks the contract, or takes longer than ten seconds
 */
export function serviceClient(url: string, token: string): ServiceClient {
	async function request(
		method: string,
		path: string,
		options: RequestOptions = {},
	): Promise<ServiceResponse> {
		const target = new URL(url + path);
		for (const [name, value] of Object.entries(options.query ?? {})) {
			target.searchParams.set(name, String(value));
		}
		const body =
			options.raw ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
		const response = await sendRequest(target, {
			method,
			body,
			headers: {
				Authorization: `Bearer ${token}`,
				...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
				...options.headers,
			},
		});
		const violations = options.ignoreContract
			? []
			: contractViolations(method, path, response.status, response.body);
		if (violations.length === 0) return response;
		throw new Error(
			`${method} ${path} answered ${response.status} ${response.text.slice(0, 600)}\nwhich breaks the contract: ${violations.join('; ')}`,
		);
	}
	return {
		token,
		request,
		get: (path, query = {}) => request('GET', path, { query }),
		post: (path, json) => request('POST', path, { json }),
		put: (path, json) => request('PUT', path, { json }),
		delete: (path) => request('DELETE', path),
	};
}

/** Sends one request and reads the whole response. It does not follow redirects. */
export async function sendRequest(
	url: string | URL,
	init: RequestInit = {},
): Promise<ServiceResponse> {
	const response = await fetch(url, {
		redirect: 'manual',
		signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
		...init,
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parseJson(text) };
}

/** The `data` object of a response. */
export function getData(response: ServiceResponse): JsonObject {
	return asObject(asObject(response.body, 'body').data, `data of ${response.text}`);
}

/** The id of the record in a response's `data`. */
export function getId(response: ServiceResponse): number {
	const { id } = getData(response);
	if (typeof id !== 'number') throw new Error(`no id in ${response.text}`);
	return id;
}

/** The rows of a list response. */
export function getRows(response: ServiceResponse): JsonObject[] {
	return getObjects(asObject(response.body, 'body').data);
}

/** @returns undefined when the text is not JSON */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
