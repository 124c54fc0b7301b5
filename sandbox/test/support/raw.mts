import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
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

/** Sends a request without body, and watches how the response arrives. Never rejects. */
export function observe(
	service: Service,
	path: string,
	{ method = 'GET', token = ALICE }: { method?: string; token?: string } = {},
): Promise<ObservedResponse> {
	const begin = performance.now();
	return new Promise((resolve) => {
		const request = httpRequest(
			`${service.url}${path}`,
			{ method, agent: false, headers: { Authorization: `Bearer ${token}` } },
			(response) => {
				const firstByteMs = performance.now() - begin;
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', () => undefined);
				response.on('close', () =>
					resolve({
						status: response.statusCode ?? null,
						headers: response.headers,
						text: Buffer.concat(chunks).toString(),
						isWhole: response.complete,
						chunks: chunks.length,
						firstByteMs,
						bodyMs: performance.now() - begin - firstByteMs,
					}),
				);
			},
		);
		request.on('error', () => {
			const nothing = { text: '', isWhole: false, chunks: 0, bodyMs: 0 };
			resolve({ status: null, headers: {}, firstByteMs: performance.now() - begin, ...nothing });
		});
		request.end();
	});
}
