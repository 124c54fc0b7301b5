import type * as z from 'zod';

import { parseJson } from './src/base/parseJson.mts';
import type { inputs } from './src/control/inputs.mts';
import type { deliveryRule } from './src/faults/deliveryFaults.mts';
import type { ShownFault } from './src/faults/faults.mts';
import type { requestFields } from './src/faults/requestFaults.mts';
import type { JournalEntry } from './src/http/journal.mts';
import type { TimelineEvent } from './src/store/eventTable.mts';
import type { WeatherName } from './src/weather/names.mts';
import type * as records from './src/store/records.mts';

/** Moving the clock takes as long as all deliveries that fall due. */
const RESPONSE_LIMIT_MS = 60_000;

/** A record as the control API shows it; sandbox/control.md describes each field. */
interface Shown {
	[field: string]: unknown;
	id: number;
}

/** A request that the service received, without its token. */
export type ReceivedRequest = Shown & JournalEntry;

/** A webhook that the service delivers, with every attempt. */
export type Delivery = Shown &
	Omit<records.Delivery, 'body' | 'next_attempt_at'> & { body: Record<string, unknown> };

/** A request of an assistant to a mid call tool, without the tool's headers. */
export type ToolRequest = Shown & Omit<records.ToolRequest, 'at' | 'headers'> & { at: string };

interface Call extends Shown {
	assistant_id: number | null;
	status: string;
}

interface Sms extends Shown {
	to: string;
	body: string;
}

interface SavedSnapshot {
	name: string;
	/** Sandbox time when it was made, ISO 8601. */
	at: string;
}

/** What the assistant finds out in a call, by the names of its `post_call_schema`. */
export type ChosenValues = NonNullable<z.input<typeof inputs.outboundCall>['values']>;

/** What goes wrong with the next requests; sandbox/control.md describes each field. */
export type FaultRule = z.input<typeof requestFields>;

/** What goes wrong with the next webhooks; sandbox/control.md describes each field. */
export type DeliveryFaultRule = z.input<typeof deliveryRule>;

/** A response of the control API as it is. */
export interface ControlResponse {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** the parsed text; undefined when it is not JSON */
	readonly body: unknown;
}

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

	const list = async (path: string) =>
		(await send('GET', path)) as { data: Shown[]; more?: boolean };

	/** All records of a list, which the sandbox gives in parts: the newest first, then those before. */
	async function listAll(path: string, query = ''): Promise<Shown[]> {
		const { data, more } = await list(path + query);
		return more ? [...(await listAll(path, `?before=${data[0]?.id}`)), ...data] : data;
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

		/** Changes the weather. @param scale the factor of its times; as it was when left out */
		async setWeather(weather: WeatherName, scale?: number): Promise<void> {
			await send('POST', '/weather', { weather, scale });
		},

		/** Somebody calls an assistant. @returns the call */
		inbound: async (caller: z.input<typeof inputs.inboundCall>) =>
			(await send('POST', '/calls/inbound', caller)) as Call,

		/** An assistant calls somebody; with `lead_id`, for that lead's campaign. @returns the call */
		outbound: async (callee: z.input<typeof inputs.outboundCall>) =>
			(await send('POST', '/calls/outbound', callee)) as Call,

		/** Has something go wrong with the next requests or webhooks. */
		fault: async (rule: FaultRule | DeliveryFaultRule) =>
			(await send('POST', '/faults', rule)) as ShownFault,

		/** Has the faults of a preset happen, such as `outage`; sandbox/control.md names them. */
		faultPreset: async (preset: string) =>
			((await send('POST', '/faults', { preset })) as { data: ShownFault[] }).data,

		/** The faults in force, the oldest first. */
		faults: async () => (await list('/faults')).data as ShownFault[],

		async removeFault(id: number): Promise<void> {
			await send('DELETE', `/faults/${id}`);
		},

		async clearFaults(): Promise<void> {
			await send('DELETE', '/faults');
		},

		/** What happened (the newest 100 events, or what the query says), the newest first. */
		async events(query: Record<string, string | number> = {}) {
			const search = new URLSearchParams();
			for (const [name, value] of Object.entries(query)) search.set(name, String(value));
			return (await list(`/events?${search.toString()}`)).data as Array<Shown & TimelineEvent>;
		},

		/** The requests to the service (the last 10,000), the oldest first; only API tokens are hidden in them. */
		requests: async () => (await list('/requests?secrets=1')).data as ReceivedRequest[],

		/** The body of the response to one of the requests: JSON, or a text. */
		async responseTo({ id }: Pick<ReceivedRequest, 'id'>): Promise<unknown> {
			const details = (await send('GET', `/requests/${id}?secrets=1`)) as Shown;
			return details['response_body'];
		},

		/** The webhooks of all users, the oldest first. */
		deliveries: async () => (await listAll('/deliveries')) as Delivery[],

		/** The requests of all assistants to their mid call tools, the oldest first. */
		toolRequests: async () => (await listAll('/tool-requests')) as ToolRequest[],

		/** The calls of all users, the oldest first. */
		calls: async () => (await listAll('/calls')) as Call[],

		/** The SMS of all users, the oldest first. */
		messages: async () => (await listAll('/messages')) as Sms[],

		/** The snapshots, the newest first. */
		snapshots: async () => (await list('/snapshots')).data as object[] as SavedSnapshot[],

		/** Keeps all data, the time and the random numbers under a name, in place of an earlier snapshot. */
		saveSnapshot: async (name: string) =>
			(await send('POST', '/snapshots', { name })) as SavedSnapshot,

		/** Goes back to a snapshot. Faults end. */
		async restoreSnapshot(name: string): Promise<void> {
			await send('POST', `/snapshots/${encodeURIComponent(name)}/restore`, {});
		},

		async deleteSnapshot(name: string): Promise<void> {
			await send('DELETE', `/snapshots/${encodeURIComponent(name)}`);
		},

		/** Restores the state of the first start: data, ids, clock, faults, requests, deliveries. */
		async reset(): Promise<void> {
			await send('POST', '/reset', {});
		},
	};
}
