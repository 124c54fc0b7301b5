import { createSandbox } from '../../../sandbox/index.mts';
import { answerOf, serviceClient, type Answer, type ServiceClient } from './client.mts';
import { asObject, objectsOf, type JsonObject } from './contract.mts';
import { ALICE, BOB, NOW, twoUsers } from './seed.mts';

/** Moving the clock on takes as long as all deliveries that fall due. */
const CONTROL_LIMIT_MS = 60_000;

/** What createSandbox takes. */
export type SandboxOptions = NonNullable<Parameters<typeof createSandbox>[0]>;

/** The control API of a sandbox; every function throws unless the sandbox answers 2xx. */
export interface Control {
	/** Moves a manual clock by an ISO 8601 duration and waits for all that became due. */
	advance(duration: string): Promise<void>;
	inbound(body: JsonObject): Promise<JsonObject>;
	outbound(body: JsonObject): Promise<JsonObject>;
	fault(rule: JsonObject): Promise<void>;
	clearFaults(): Promise<void>;
	requests(): Promise<JsonObject[]>;
	deliveries(): Promise<JsonObject[]>;
	/** Any control request, whatever it is answered with. */
	request(method: string, path: string, json?: unknown): Promise<Answer>;
}

export interface Service {
	readonly url: string;
	readonly controlUrl: string;
	readonly alice: ServiceClient;
	readonly bob: ServiceClient;
	readonly control: Control;
	as(token: string): ServiceClient;
	reset(): Promise<void>;
	close(): Promise<void>;
}

/** Starts a sandbox of its own on a free port: two users, and a clock that only moves when told to. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
	const sandbox = await createSandbox({
		port: 0,
		seed: twoUsers(),
		clock: { mode: 'manual', now: NOW },
		...options,
	});
	return {
		url: sandbox.url,
		controlUrl: sandbox.control,
		alice: serviceClient(sandbox.url, ALICE),
		bob: serviceClient(sandbox.url, BOB),
		control: controlOf(sandbox.control),
		as: (token) => serviceClient(sandbox.url, token),
		reset: async () => {
			await sandbox.reset();
		},
		close: async () => {
			await sandbox.close();
		},
	};
}

/**
 * The control API under a URL ending in `/__sandbox`.
 */
export function controlOf(url: string): Control {
	const request = (method: string, path: string, json?: unknown): Promise<Answer> =>
		answerOf(url + path, {
			method,
			signal: AbortSignal.timeout(CONTROL_LIMIT_MS),
			...(json !== undefined && {
				body: JSON.stringify(json),
				headers: { 'Content-Type': 'application/json' },
			}),
		});
	const done = async (method: string, path: string, json?: unknown): Promise<unknown> => {
		const answer = await request(method, path, json);
		if (answer.status >= 300) {
			throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
		}
		return answer.body;
	};
	return {
		request,
		advance: async (duration) => {
			await done('POST', '/clock', { advance: duration });
		},
		inbound: async (body) => asObject(await done('POST', '/calls/inbound', body), 'inbound call'),
		outbound: async (body) =>
			asObject(await done('POST', '/calls/outbound', body), 'outbound call'),
		fault: async (rule) => {
			await done('POST', '/faults', rule);
		},
		clearFaults: async () => {
			await done('DELETE', '/faults');
		},
		requests: async () => listOf(await done('GET', '/requests')),
		deliveries: async () => listOf(await done('GET', '/deliveries')),
	};
}

function listOf(body: unknown): JsonObject[] {
	return objectsOf(asObject(body, 'list').data);
}
