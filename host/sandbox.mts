import * as z from 'zod';

const REQUEST_LIMIT_MS = 60_000;

const requests = z.array(
	z.object({
		method: z.string(),
		path: z.string(),
		status: z.number().nullable(),
		body: z.record(z.unknown()).optional().catch(undefined),
	}),
);
const deliveries = z.array(
	z.object({
		event: z.string(),
		call_id: z.number(),
		url: z.string(),
		state: z.string(),
		body: z.record(z.unknown()),
		attempts: z.array(z.object({ status: z.number().nullable(), error: z.string().nullable() })),
	}),
);

/** A request the sandbox received. */
export type ReceivedRequest = z.infer<typeof requests>[number];

/** A webhook the sandbox delivered, or tried to. */
export type Delivery = z.infer<typeof deliveries>[number];

/** The sandbox from outside: what the control API shows and does. */
export interface SandboxControl {
	/** Moves the clock on (ISO 8601 duration) and waits until all that fell due is done. */
	advance(duration: string): Promise<void>;
	requests(): Promise<ReceivedRequest[]>;
	deliveries(): Promise<Delivery[]>;
}

/**
 * Opens the sandbox's control API.
 *
 * @param url its address, ending in `/__sandbox`
 */
export function openSandboxControl(url: string): SandboxControl {
	const call = async (path: string, body?: unknown): Promise<unknown> => {
		const response = await fetch(`${url}${path}`, {
			...(body !== undefined && {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
			signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
		});
		if (!response.ok) {
			throw new Error(`The sandbox refused ${path} (${response.status}): ${await response.text()}`);
		}
		return await response.json();
	};
	return {
		async advance(duration) {
			await call('/clock', { advance: duration });
		},
		async requests() {
			return listOf(requests, await call('/requests'));
		},
		async deliveries() {
			return listOf(deliveries, await call('/deliveries'));
		},
	};
}

/** The control API gives its lists under `data`. */
function listOf<Item>(items: z.ZodType<Item[], z.ZodTypeDef, unknown>, body: unknown): Item[] {
	return items.parse(z.object({ data: z.unknown() }).parse(body).data);
}
