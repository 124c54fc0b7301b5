import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { operations, type JsonObject } from './contract.mts';
import { bodyExamples } from './examples.mts';
import type { Service } from './service.mts';
import { ALICE } from './seed.mts';

/** An operation that takes a body, with a path and a body that it accepts. */
export interface WriteOperation {
	readonly operationId: string;
	readonly method: string;
	readonly path: string;
	readonly valid: JsonObject;
}

/** One {@link WriteOperation} for every operation that takes a body: its example in the contract. */
export const writes: readonly WriteOperation[] = operations.flatMap((operation) =>
	bodyExamples(operation)
		.slice(0, 1)
		.map(({ body }) => ({
			operationId: operation.operationId,
			method: operation.method,
			path: operation.path.replace('{id}', '1'),
			valid: body,
		})),
);

/** The lists of both users. */
export const getState = (service: Service): Promise<unknown[]> =>
	Promise.all(
		[service.alice, service.bob].flatMap((user) =>
			['/user/assistants/get', '/user/calls'].map(async (path) => (await user.get(path)).body),
		),
	);

/** What a client sees of a response, however it goes wrong. */
export interface ObservedResponse {
	/** Null when the connection closed before a response. */
	readonly status: number | null;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	/** Whether the body came as far as its headers say. */
	readonly isWhole: boolean;
	/** How many pieces of the body arrived. */
	readonly chunks: number;
	/** From the request to the headers, in milliseconds. */
	readonly firstByteMs: number;
	/** From the headers to the end. */
	readonly bodyMs: number;
}

/** Sends a GET request of Alice, and watches how the response arrives. Never rejects. */
export async function observe({ url }: Service, path: string): Promise<ObservedResponse> {
	const begin = performance.now();
	const headers = { Authorization: `Bearer ${ALICE}` };
	const request = httpRequest(url + path, { agent: false, headers }).end();
	const response = await once(request, 'response').then(
		([first]: IncomingMessage[]) => first,
		() => undefined,
	);
	const firstByteMs = performance.now() - begin;
	const chunks: Buffer[] = [];
	response?.on('data', (chunk: Buffer) => chunks.push(chunk));
	if (response) await finished(response).catch(() => undefined);
	return {
		status: response?.statusCode ?? null,
		headers: response?.headers ?? {},
		text: Buffer.concat(chunks).toString(),
		isWhole: response?.complete ?? false,
		chunks: chunks.length,
		firstByteMs,
		bodyMs: performance.now() - begin - firstByteMs,
	};
}
