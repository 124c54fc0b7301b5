import * as z from 'zod';

/** Moving the clock takes as long as all deliveries that fall due. */
const RESPONSE_LIMIT_MS = 60_000;

const receivedRequest = z
	.object({
		method: z.string(),
		path: z.string(),
		query: z.unknown(),
		/** operationId of the contract; null when no operation has this method and path */
		operation: z.string().nullable(),
		body: z.unknown(),
		/** how many requests were in progress when it came, itself included */
		in_flight: z.number(),
		/** null until the response is sent, and when the connection was dropped */
		status: z.number().nullable(),
	})
	.passthrough();

const delivery = z
	.object({
		id: z.number(),
		event: z.string(),
		call_id: z.number(),
		assistant_id: z.number(),
		url: z.string(),
		body: z.record(z.unknown()),
		attempts: z.array(
			z.object({ at: z.string(), status: z.number().nullable(), error: z.string().nullable() }),
		),
		/** `pending`, `delivered`, `failed` or `cancelled` */
		state: z.string(),
	})
	.passthrough();

const call = z
	.object({ id: z.number(), status: z.string(), assistant_id: z.number() })
	.passthrough();

const message = z.object({ id: z.number(), to: z.string(), body: z.string() }).passthrough();

/** A request that the service received, without its token. */
export type ReceivedRequest = z.infer<typeof receivedRequest>;

/** A webhook that the service delivers, with every attempt. */
export type Delivery = z.infer<typeof delivery>;

/** A call, whoever's it is. */
export type SandboxCall = z.infer<typeof call>;

/** An SMS, whoever's it is. */
export type SandboxMessage = z.infer<typeof message>;

/** What goes wrong with the next requests; sandbox/README.md says what each field does. */
export interface FaultRule {
	/** operationId of the contract; any request when left out */
	operation?: string;
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	delay_ms?: number;
	drop?: boolean | 'before' | 'after';
	probability?: number;
	/** how many requests it hits; 1 when left out */
	times?: number;
}

/** A response of the control API as it is. */
export interface ControlResponse {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** the parsed text; undefined when it is not JSON */
	readonly body: unknown;
}

/**
 * The control API of a running sandbox. Unless said otherwise, each method throws an Error with the
 * sandbox's own words when the sandbox refuses, does not respond in time, or sends something else
 * than expected.
 */
export interface SandboxClient {
	/** Sends any request of sandbox/README.md and gives the response, whatever its status is. */
	request(method: string, path: string, json?: unknown): Promise<ControlResponse>;
	/**
	 * Moves the clock forward and waits until everything that falls due is done, deliveries included.
	 *
	 * @param duration ISO 8601, such as `PT2M`
	 */
	advance(duration: string): Promise<void>;
	/** Somebody calls an assistant. */
	inbound(call: { assistant_id: number; from: string; scenario?: string }): Promise<SandboxCall>;
	/** An assistant calls somebody; with `lead_id`, on behalf of that lead's campaign. */
	outbound(call: {
		assistant_id: number;
		to: string;
		lead_id?: number;
		scenario?: string;
	}): Promise<SandboxCall>;
	/** Has something go wrong with the next requests. */
	fault(rule: FaultRule): Promise<void>;
	clearFaults(): Promise<void>;
	/** The requests to the service (the last 10,000), the oldest first. */
	requests(): Promise<ReceivedRequest[]>;
	/** All webhooks, the oldest first. */
	deliveries(): Promise<Delivery[]>;
	/** The calls of all users, the oldest first. */
	calls(): Promise<SandboxCall[]>;
	/** The SMS of all users, the oldest first. */
	messages(): Promise<SandboxMessage[]>;
	/** Restores the state of the first start: data, ids, clock, faults, requests, deliveries. */
	reset(): Promise<void>;
}

/**
 * Makes a client of the control API, for tests that let calls happen and look at what the service
 * received and delivered.
 *
 * @param controlUrl `control` of a sandbox, ending in `/__sandbox`
 */
export function createSandboxClient(controlUrl: string): SandboxClient {
	const request: SandboxClient['request'] = async (method, path, json) => {
		const response = await fetch(`${controlUrl}${path}`, {
			method,
			signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
			...(json !== undefined && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(json),
			}),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, body: parseJson(text) };
	};
	const read = async <T,>(
		schema: z.ZodType<T, z.ZodTypeDef, unknown>,
		method: string,
		path: string,
		json?: unknown,
	): Promise<T> => {
		const { status, text, body } = await request(method, path, json);
		if (status >= 300)
			throw new Error(`The sandbox refused ${method} ${path} (${status}): ${text}`);
		return schema.parse(body);
	};
	const list = async <T,>(
		record: z.ZodType<T, z.ZodTypeDef, unknown>,
		path: string,
	): Promise<T[]> => (await read(z.object({ data: z.array(record) }), 'GET', path)).data;

	return {
		request,
		advance: async (duration) => {
			await read(z.unknown(), 'POST', '/clock', { advance: duration });
		},
		inbound: async (wanted) => await read(call, 'POST', '/calls/inbound', wanted),
		outbound: async (wanted) => await read(call, 'POST', '/calls/outbound', wanted),
		fault: async (rule) => {
			await read(z.unknown(), 'POST', '/faults', rule);
		},
		clearFaults: async () => {
			await read(z.unknown(), 'DELETE', '/faults');
		},
		requests: async () => await list(receivedRequest, '/requests'),
		deliveries: async () => await list(delivery, '/deliveries'),
		calls: async () => await list(call, '/calls'),
		messages: async () => await list(message, '/messages'),
		reset: async () => {
			await read(z.unknown(), 'POST', '/reset', {});
		},
	};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
