import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach } from '@jest/globals';
import type express from 'express';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { listenOnLoopback } from '../loopback.mts';
import { letTimePass } from './letTimePass.mts';
import type { WebhookKind, TriggerNode } from './triggerNode.mts';
import type { EmulatedLifecycle } from './emulatedLifecycle.mts';

export type WebhookServer = Awaited<ReturnType<typeof startWebhookServer>>;

/**
 * Starts a web server that passes webhook requests to the triggers as n8n 2.41 does: no execution without
 * `workflowData`, 500 if the function throws, 404 for an unknown address. A test ends with its first event.
 * A workflow that has to answer itself ends without an answer.
 * The server is reset before each test of a file. Call it at the top of the file.
 */
export async function startWebhookServer() {
	let lifecycles: EmulatedLifecycle[] = [];
	const { origin, close } = await listenOnLoopback((request, response) => {
		void handle(request, response);
	});

	const webhookServer = {
		url: origin,
		/** Passes requests to these triggers while they are published or listening. @returns the first */
		serve: (first: EmulatedLifecycle, ...others: EmulatedLifecycle[]) => {
			lifecycles = [first, ...others];
			return first;
		},
		/** What n8n does before it has started an execution. A test can make it wait or fail. */
		beforeStart: (): Promise<void> => Promise.resolve(),
		/** What the workflow does with the response, which it has to end. A test can make it answer. */
		respond: end,
		/** The executions that were started, with their first items, oldest first. */
		executions: [] as Array<{ node: TriggerNode; items: INodeExecutionData[] }>,
		/** The JSON of all their items. */
		get items(): IDataObject[] {
			return this.executions.flatMap(({ items }) => items.map(({ json }) => json));
		},
	};
	beforeEach(() => {
		letTimePass();
		lifecycles = [];
		webhookServer.executions = [];
		webhookServer.beforeStart = () => Promise.resolve();
		webhookServer.respond = end;
	});
	afterAll(close);

	/** Decodes the path of a request, but not the path of a webhook, and ignores a slash at its end (n8n 2.0, 2.41). */
	async function receiverAt(encoded: string) {
		const path = decodeURIComponent(encoded).replace(/\/$/, '');
		for (const lifecycle of lifecycles) {
			const { isPublished, staticData, testData, node } = lifecycle;
			for (const webhook of node.webhooks) {
				const isAt = async (kind: WebhookKind) =>
					new URL(await node.url(kind, webhook.name)).pathname === path;
				if (isPublished && (await isAt('production'))) {
					return { lifecycle, webhook, kind: 'production', data: staticData } as const;
				}
				if (testData && (await isAt('test'))) {
					return { lifecycle, webhook, kind: 'test', data: testData } as const;
				}
			}
		}
		return undefined;
	}

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, search } = new URL(request.url ?? '', webhookServer.url);
		const received = await receivedBody(request);
		const receiver = await receiverAt(pathname);
		const { method = '' } = request;
		const methods = receiver?.webhook.httpMethod.split(',') ?? [];
		if (!receiver || !methods.includes(method)) {
			const message = receiver
				? `This webhook is not registered for ${method} requests. Did you mean to make a ${methods.join(' or ')} request?`
				: `The requested webhook "${method} ${pathname}" is not registered.`;
			response.writeHead(404, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ code: 404, message }));
			return;
		}
		const { lifecycle, webhook, kind, data } = receiver;
		const httpResponse = expressResponse(response);
		try {
			const httpRequest = Object.assign(request, {
				...received,
				params: {},
				query: parse(search.slice(1)),
			}) as Partial<express.Request> as express.Request;
			const requestAndResponse = { httpRequest, httpResponse };
			const result = await lifecycle.node.receive(kind, data, requestAndResponse, webhook);
			if (result.workflowData) {
				await webhookServer.beforeStart();
				webhookServer.executions.push({
					node: lifecycle.node,
					items: result.workflowData[0] ?? [],
				});
				if (kind === 'test') await lifecycle.stopListening();
			}
			if (!result.noWebhookResponse)
				webhookServer.respond(response, lifecycle.node.responseBody(webhook));
		} catch {
			if (!response.headersSent) httpResponse.status(500).end();
		}
	}
	return webhookServer;
}

const end = (response: ServerResponse, body: string): void => {
	response.end(body);
};

/**
 * Reads a body as n8n does (n8n 2.0, 2.41, from typeVersion 2 on): of JSON, a form and a text at once, of any
 * other type when it is asked. It does not keep the text of a form with parts.
 */
async function receivedBody(request: IncomingMessage) {
	const content = await buffer(request);
	const header = request.headers['content-type'] ?? '';
	const contentType = header === '' ? undefined : header.split(';')[0];
	const received = {
		contentType,
		encoding: 'utf-8' as const,
		rawBody: undefined as Buffer | undefined,
		readRawBody(): Promise<void> {
			this.rawBody ??= content;
			return Promise.resolve();
		},
	};
	if (contentType === 'multipart/form-data') {
		return { ...received, body: formIn(content.toString(), header) };
	}
	const parse = PARSERS[contentType ?? ''];
	if (!parse) return received;
	const body = content.length === 0 ? undefined : parse(content.toString());
	return { ...received, rawBody: content, body };
}

/** What n8n makes of a text, by its type. */
const PARSERS: Record<string, (text: string) => unknown> = {
	'application/json': (text) => JSON.parse(text.replace(/^\uFEFF/, '')) as unknown,
	'application/x-www-form-urlencoded': (text) => parse(text),
	'text/plain': (text) => text,
};

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
