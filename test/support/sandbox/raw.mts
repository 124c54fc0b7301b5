import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { errorBodyViolations, type JsonObject } from './contract.mts';
import type { Service } from './service.mts';
import { ALICE, newAssistant, newTool } from './seed.mts';

/** An operation that takes a body, with a path and a body that it accepts. */
export interface WriteOperation {
	readonly operationId: string;
	readonly method: string;
	readonly path: string;
	readonly valid: JsonObject;
}

const write = (
	operationId: string,
	method: string,
	path: string,
	valid: JsonObject,
): WriteOperation => ({ operationId, method, path, valid });

/** One {@link WriteOperation} for every operation that takes a body. */
export const writes: readonly WriteOperation[] = [
	write('createLead', 'POST', '/user/lead', { campaign_id: 1, phone_number: '+4915112345699' }),
	write('updateLead', 'PUT', '/user/leads/1', { status: 'completed' }),
	write('updateCampaignStatus', 'POST', '/user/campaigns/update-status', {
		campaign_id: 1,
		action: 'start',
	}),
	write('createAssistant', 'POST', '/user/assistant', newAssistant),
	write('updateAssistant', 'PUT', '/user/assistant/1', { assistant_name: 'Changed' }),
	write('disableWebhook', 'POST', '/user/assistants/disable-webhook', { assistant_id: 1 }),
	write('enableInboundWebhook', 'POST', '/user/assistants/enable-inbound-webhook', {
		assistant_id: 1,
		webhook_url: 'https://example.com',
	}),
	write('disableInboundWebhook', 'POST', '/user/assistants/disable-inbound-webhook', {
		assistant_id: 1,
	}),
	write('createTool', 'POST', '/user/tools', newTool),
	write('updateTool', 'PUT', '/user/tools/1', { timeout: 3 }),
	write('sendSms', 'POST', '/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' }),
];

/** The lists of both users. */
export const stateOf = (service: Service): Promise<unknown[]> =>
	Promise.all(
		[service.alice, service.bob].flatMap((user) =>
			['/user/assistants/get', '/user/calls'].map(async (path) => (await user.get(path)).body),
		),
	);

export interface RawResponse {
	readonly status: number;
	readonly contentType: string;
	readonly body: unknown;
}

/**
 * Sends path and body unchanged. Accepts a response that comes before the service has read the whole
 * body.
 */
export function sendRaw(
	service: Service,
	method: string,
	path: string,
	body: string | Buffer = '',
	headers: Record<string, string> = {},
): Promise<RawResponse> {
	const { hostname, port } = new URL(service.url);
	return new Promise((resolve, reject) => {
		const request = httpRequest(
			{
				hostname,
				port,
				method,
				path: `/api${path}`,
				headers: {
					Authorization: `Bearer ${ALICE}`,
					'Content-Type': 'application/json',
					'Content-Length': Buffer.byteLength(body),
					...headers,
				},
				timeout: 10_000,
			},
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('end', () => {
					const text = Buffer.concat(chunks).toString();
					resolve({
						status: response.statusCode ?? 0,
						contentType: response.headers['content-type'] ?? '',
						body: text === '' ? undefined : JSON.parse(text),
					});
				});
			},
		);
		request.on('timeout', () => request.destroy(new Error('no answer')));
		request.on('error', reject);
		request.end(body);
	});
}

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

/** The ways in which a response is not a refusal with one of these statuses. */
export function refusalViolations(response: RawResponse, statuses: readonly number[]): string[] {
	return [
		...(statuses.includes(response.status) ? [] : [`status ${response.status}`]),
		...(response.contentType.startsWith('application/json') ? [] : [`a ${response.contentType}`]),
		...errorBodyViolations(response.body),
	];
}
