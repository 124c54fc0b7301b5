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

const attempt = z.object({
	at: z.string(),
	/** `first`, `retry`, `duplicate` or `replay` */
	cause: z.string(),
	status: z.number().nullable(),
	error: z.string().nullable(),
});

const delivery = z
	.object({
		id: z.number(),
		event: z.string(),
		call_id: z.number(),
		assistant_id: z.number(),
		url: z.string(),
		body: z.record(z.unknown()),
		attempts: z.array(attempt),
		/** `pending`, `delivered`, `failed` or `cancelled` */
		state: z.string(),
	})
	.passthrough();

const toolRequest = z
	.object({
		id: z.number(),
		at: z.string(),
		call_id: z.number(),
		assistant_id: z.number(),
		tool_id: z.number(),
		tool_name: z.string(),
		method: z.string(),
		url: z.string(),
		arguments: z.record(z.unknown()),
		/** `pending`, `answered` or `failed` */
		state: z.string(),
		/** null when no answer came */
		status: z.number().nullable(),
		/** the beginning of the answer's body */
		answer: z.string(),
		/** real milliseconds; null while it is pending */
		latency_ms: z.number().nullable(),
		error: z.string().nullable(),
	})
	.passthrough();

const call = z
	.object({ id: z.number(), assistant_id: z.number().nullable(), status: z.string() })
	.passthrough();

const event = z
	.object({
		id: z.number(),
		/** sandbox time in milliseconds since 1970 */
		at: z.number(),
		kind: z.string(),
		/** plain sentences */
		text: z.string(),
		/** `info`, `warning` or `error` */
		level: z.string(),
		lead_id: z.number().nullable(),
		call_id: z.number().nullable(),
		/** the request to the service that caused it */
		request_id: z.number().nullable(),
	})
	.passthrough();

const message = z.object({ id: z.number(), to: z.string(), body: z.string() }).passthrough();

const fault = z
	.object({
		/** never used twice while the sandbox runs */
		id: z.number(),
		/** how many more it hits */
		times: z.number(),
	})
	.passthrough();

/** A request that the service received, without its token. */
export type ReceivedRequest = z.infer<typeof receivedRequest>;

/** A webhook that the service delivers, with every attempt. */
export type Delivery = z.infer<typeof delivery>;

/** A request of an assistant to a mid call tool, without the tool's headers. */
export type ToolRequest = z.infer<typeof toolRequest>;

/** Which tool the assistant uses in a call, with which arguments; sandbox/README.md has the defaults. */
export interface ToolChoice {
	name?: string;
	arguments?: Record<string, unknown>;
}

/** What the assistant finds out in a call, by the names of its `post_call_schema`. */
export type ChosenValues = Record<string, string | number | boolean>;

/** When a fault applies, whatever it does; sandbox/control.md describes each field. */
interface FaultLimits {
	/** how many requests or webhooks it hits; 1 when left out */
	times?: number;
	/** how many it lets pass before */
	skip_first?: number;
	probability?: number;
	/** ISO 8601, such as `PT10M`, in the sandbox's time */
	ttl?: string;
}

/** What goes wrong with the next requests; sandbox/control.md describes each field. */
export interface FaultRule extends FaultLimits {
	/** operationId of the contract */
	operation?: string;
	method?: string;
	/** such as `/api/user/leads/*` */
	path?: string;
	token?: string;
	body_field?: { name: string; equals?: unknown };
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	content_type?: string;
	malformed_json?: true;
	/** in bytes */
	truncate_body?: number;
	delay_ms?: number;
	slow_first_byte_ms?: number;
	slow_body_ms?: number;
	drop?: boolean | 'before' | 'after';
}

/** What goes wrong with the next webhooks; sandbox/control.md describes each field. */
export interface DeliveryFaultRule extends FaultLimits {
	target: 'deliveries';
	event?: 'postCall' | 'inboundCall';
	assistant_id?: number;
	duplicate?: number;
	delay?: string;
	retry?: string[];
}

/** A rule in force, as the sandbox shows it. */
export type Fault = z.infer<typeof fault>;

/** A response of the control API as it is. */
export interface ControlResponse {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** the parsed text; undefined when it is not JSON */
	readonly body: unknown;
}

/** Controls a running sandbox; see {@link createSandboxClient}. */
export type SandboxClient = ReturnType<typeof createSandboxClient>;

/**
 * Makes a client of the sandbox's control API, for tests that let calls happen and look at what the
 * service received and delivered. All methods except `request` throw an Error with the sandbox's
 * message when it refuses. All methods throw when it does not respond within a minute.
 *
 * @param controlUrl `control` of a sandbox, ending in `/__sandbox`
 * @param token `controlToken` of a sandbox that has one
 */
export function createSandboxClient(controlUrl: string, token?: string) {
	/** Sends any request of sandbox/README.md. @returns the response, whatever its status is */
	async function request(method: string, path: string, json?: unknown): Promise<ControlResponse> {
		const response = await fetch(`${controlUrl}${path}`, {
			method,
			signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
			headers: {
				...(token !== undefined && { authorization: `Bearer ${token}` }),
				...(json !== undefined && { 'content-type': 'application/json' }),
			},
			...(json !== undefined && { body: JSON.stringify(json) }),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, body: parseJson(text) };
	}

	async function send(method: string, path: string, json?: unknown): Promise<unknown> {
		const { status, text, body } = await request(method, path, json);
		if (status >= 300)
			throw new Error(`The sandbox refused ${method} ${path} (${status}): ${text}`);
		return body;
	}

	async function list<T extends z.ZodTypeAny>(path: string, record: T): Promise<z.infer<T>[]> {
		return z.object({ data: z.array(record) }).parse(await send('GET', path)).data;
	}

	/** All records of a list, which the sandbox gives in parts: the newest first, then those before. */
	async function listAll<T extends z.ZodType<{ id: number }, z.ZodTypeDef, unknown>>(
		path: string,
		record: T,
		query = '',
	): Promise<z.infer<T>[]> {
		const part = z.object({ data: z.array(record), more: z.boolean() });
		const { data, more } = part.parse(await send('GET', path + query));
		if (!more) return data;
		return [...(await listAll(path, record, `?before=${data[0]?.id}`)), ...data];
	}

	return {
		request,

		/**
		 * Moves the clock forward and waits until everything that falls due is done, deliveries and tool requests included.
		 *
		 * @param duration ISO 8601, such as `PT2M`
		 */
		async advance(duration: string): Promise<void> {
			await send('POST', '/clock', { advance: duration });
		},

		/** Somebody calls an assistant. @returns the call */
		async inbound(caller: {
			assistant_id: number;
			from: string;
			scenario?: string;
			tool?: ToolChoice;
			values?: ChosenValues;
		}) {
			return call.parse(await send('POST', '/calls/inbound', caller));
		},

		/** An assistant calls somebody; with `lead_id`, for that lead's campaign. @returns the call */
		async outbound(callee: {
			assistant_id: number;
			to: string;
			lead_id?: number;
			scenario?: string;
			tool?: ToolChoice;
			values?: ChosenValues;
		}) {
			return call.parse(await send('POST', '/calls/outbound', callee));
		},

		/** Has something go wrong with the next requests or webhooks. */
		async fault(rule: FaultRule | DeliveryFaultRule): Promise<Fault> {
			return fault.parse(await send('POST', '/faults', rule));
		},

		/** Has the faults of a preset happen, such as `outage`; sandbox/control.md names them. */
		async faultPreset(preset: string): Promise<Fault[]> {
			return z.object({ data: z.array(fault) }).parse(await send('POST', '/faults', { preset }))
				.data;
		},

		/** The faults in force, the oldest first. */
		faults: async (): Promise<Fault[]> => await list('/faults', fault),

		async removeFault(id: number): Promise<void> {
			await send('DELETE', `/faults/${id}`);
		},

		async clearFaults(): Promise<void> {
			await send('DELETE', '/faults');
		},

		/** What happened (the newest 100 events, or what the query says), the newest first. */
		events: async (query: Record<string, string | number> = {}) =>
			await list(`/events?${queryString(query)}`, event),

		/** The requests to the service (the last 10,000), the oldest first; only API tokens are hidden in them. */
		requests: async (): Promise<ReceivedRequest[]> =>
			await list('/requests?secrets=1', receivedRequest),

		/** The webhooks of all users, the oldest first. */
		deliveries: async (): Promise<Delivery[]> => await listAll('/deliveries', delivery),

		/** The requests of all assistants to their mid call tools, the oldest first. */
		toolRequests: async (): Promise<ToolRequest[]> => await listAll('/tool-requests', toolRequest),

		/** The calls of all users, the oldest first. */
		calls: async () => await listAll('/calls', call),

		/** The SMS of all users, the oldest first. */
		messages: async () => await listAll('/messages', message),

		/** Restores the state of the first start: data, ids, clock, faults, requests, deliveries. */
		async reset(): Promise<void> {
			await send('POST', '/reset', {});
		},
	};
}

const queryString = (query: Record<string, string | number>): string =>
	Object.entries(query)
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
		.join('&');

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
