import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { afterAll, beforeEach } from '@jest/globals';
import type express from 'express';
import type { IN8nHttpFullResponse, INodeExecutionData } from 'n8n-workflow';
import { listenOnLoopback } from '../loopback.mts';
import { letTimePass } from './letTimePass.mts';
import { itemsOf, type WebhookKind, type TriggerNode } from './triggerNode.mts';
import type { Lifecycle } from './lifecycle.mts';

/** Runs a workflow to its end. `respond` takes what a node of it answers. */
type RunWorkflow = (
	items: INodeExecutionData[],
	respond: (answer: IN8nHttpFullResponse) => void,
) => Promise<unknown>;

/** Receives webhook requests as n8n does, and records the executions that they start. */
export interface WebhookServer {
	url: string;
	/** Passes requests to these triggers while they are published or listening. */
	serve(...lifecycles: Lifecycle[]): void;
	/** The first items of each execution, oldest first. */
	executions: Array<{ node: TriggerNode; items: INodeExecutionData[] }>;
	/** Runs the workflow of each execution, for triggers that a node answers. Default: it ends at once. */
	runWorkflow?: RunWorkflow | undefined;
	/** The number of requests, to any address. */
	requestCount: number;
}

/**
 * Starts a web server that passes webhook requests to the triggers as n8n 2.41 does: no execution without
 * `workflowData`, 500 if the function throws, 404 for an unknown address. A test ends with its first event.
 * A workflow that has to answer itself ends without an answer.
 * The server is reset before each test of a file. Call it at the top of the file.
 */
export async function startWebhookServer(): Promise<WebhookServer> {
	let lifecycles: Lifecycle[] = [];
	const { origin, close } = await listenOnLoopback((request, response) => {
		void handle(request, response);
	});

	const webhookServer: WebhookServer = {
		url: origin,
		serve: (...served) => {
			lifecycles = served;
		},
		executions: [],
		requestCount: 0,
	};
	beforeEach(() => {
		letTimePass();
		lifecycles = [];
		webhookServer.executions = [];
		webhookServer.runWorkflow = undefined;
		webhookServer.requestCount = 0;
	});
	afterAll(close);

	/** Decodes the path of a request, but not the path of a webhook (n8n 2.0, 2.41). */
	async function receiverAt(
		encoded: string,
	): Promise<{ lifecycle: Lifecycle; kind: WebhookKind } | undefined> {
		const path = decodeURIComponent(encoded);
		const pathOf = async (lifecycle: Lifecycle, kind: WebhookKind) =>
			new URL(await lifecycle.node.url(kind)).pathname;
		for (const lifecycle of lifecycles) {
			if (lifecycle.isPublished && (await pathOf(lifecycle, 'production')) === path) {
				return { lifecycle, kind: 'production' };
			}
			if (lifecycle.testData && (await pathOf(lifecycle, 'test')) === path) {
				return { lifecycle, kind: 'test' };
			}
		}
		return undefined;
	}

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		webhookServer.requestCount += 1;
		const { pathname, search } = new URL(request.url ?? '', webhookServer.url);
		const received = await receivedBody(request);
		const receiver = await receiverAt(pathname);
		if (!receiver) {
			response.writeHead(404).end();
			return;
		}
		const { lifecycle, kind } = receiver;
		const data = (kind === 'test' ? lifecycle.testData : lifecycle.staticData) ?? {};
		const httpResponse = expressResponse(response);
		try {
			const result = await lifecycle.node.receive(kind, data, {
				httpRequest: Object.assign(request, {
					...received,
					params: {},
					query: parse(search.slice(1)),
				}) as Partial<express.Request> as express.Request,
				httpResponse,
			});
			if (result.workflowData) {
				webhookServer.executions.push({ node: lifecycle.node, items: itemsOf(result) });
				if (kind === 'test') await lifecycle.stopListening();
				await webhookServer.runWorkflow?.(itemsOf(result), (answer) => {
					for (const [name, value] of Object.entries(answer.headers))
						response.setHeader(name, value as string);
					httpResponse.status(answer.statusCode).json(answer.body);
				});
				if (response.writableEnded) return;
			}
			if (!result.noWebhookResponse) response.end(lifecycle.node.responseBody);
		} catch {
			if (!response.headersSent) httpResponse.status(500).end();
		}
	}
	return webhookServer;
}

/** What n8n adds to a request. */
interface ReceivedBody {
	contentType: string | undefined;
	encoding: BufferEncoding;
	body?: unknown;
	/** n8n does not keep the text of a form (n8n 2.0, 2.41). */
	rawBody?: Buffer;
}

/** Parses a body as n8n does (n8n 2.0, 2.41, from typeVersion 2 on). */
async function receivedBody(request: IncomingMessage): Promise<ReceivedBody> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const rawBody = Buffer.concat(chunks);
	const header = request.headers['content-type'];
	const contentType = header?.split(';')[0];
	const received = { contentType, encoding: 'utf-8' } as const;
	if (contentType === 'multipart/form-data') {
		return { ...received, body: formIn(rawBody.toString(), header) };
	}
	const isJson = contentType === 'application/json';
	// n8n gives no body for an unknown content type.
	if (!isJson) return received;
	if (rawBody.length === 0) return { ...received, rawBody };
	return { ...received, rawBody, body: JSON.parse(rawBody.toString().replace(/^\uFEFF/, '')) };
}

/** The parts of a form: texts, and what n8n tells about files. */
function formIn(text: string, type = ''): { data: object; files: object } {
	const [data, files] = [new Map<string, string>(), new Map<string, object>()];
	const [, boundary = ''] = type.split('boundary=');
	for (const part of text.split(`--${boundary}`).slice(1, -1)) {
		const [head = '', content = ''] = part.split(/\r\n\r\n|\r\n$/);
		const [, name = '', file] = /name="([^"]*)"(?:; filename="([^"]*)")?/.exec(head) ?? [];
		if (file === undefined) data.set(name, content);
		else files.set(name, { originalFilename: file, size: content.length });
	}
	return { data: Object.fromEntries(data), files: Object.fromEntries(files) };
}

/** The part of express's response that the package's webhook function uses. */
function expressResponse(response: ServerResponse): express.Response {
	const extended = Object.assign(response, {
		status: (code: number) => Object.assign(extended, { statusCode: code }),
		json: (body: unknown) => {
			extended.setHeader('content-type', 'application/json');
			extended.end(JSON.stringify(body));
			return extended;
		},
	}) as Partial<express.Response> as express.Response;
	return extended;
}
