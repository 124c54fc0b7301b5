import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';

import { z } from 'zod';

import { listenOnLoopback } from './loopback.mts';

const text = z.string().nullish();

/** The parts of a request to `POST /chat/completions` that the suite looks at. */
const modelRequest = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.union([text, z.array(z.unknown())]) })),
	tools: z
		.array(
			z.object({
				function: z.object({
					name: z.string(),
					description: z.string(),
					parameters: z.object({
						properties: z.record(z.object({ type: z.string(), description: text })),
						required: z.array(z.string()).default([]),
					}),
				}),
			}),
		)
		.default([]),
});

/** What an agent sent to the model. */
export type ModelRequest = z.infer<typeof modelRequest>;

/** A tool as the model sees it. */
export type OfferedTool = ModelRequest['tools'][number]['function'];

/** What the model does in one turn: it uses a tool, or says its last words. */
export type Turn = { tool: string; args: Record<string, unknown> } | { says: string };

/** A language model that does what a script says, with OpenAI's wire format. */
export interface ScriptedModel {
	/** Base URL for n8n's OpenAI credential. */
	url: string;
	/** What the agent sent at each turn. */
	requests: ModelRequest[];
	close: () => Promise<void>;
}

function toMessage(turn: Turn) {
	if ('says' in turn) return { role: 'assistant', content: turn.says };
	const { tool: name, args } = turn;
	const call = { name, arguments: JSON.stringify(args) };
	const calls = [{ id: `call_${randomUUID()}`, type: 'function', function: call }];
	return { role: 'assistant', content: null, tool_calls: calls };
}

/** The response of the Chat Completions API, which both n8n 2.0 and 2.41 understand. */
const toCompletion = (turn: Turn) => ({
	id: `chatcmpl-${randomUUID()}`,
	object: 'chat.completion',
	created: 0,
	model: 'scripted',
	choices: [
		{
			index: 0,
			message: toMessage(turn),
			finish_reason: 'says' in turn ? 'stop' : 'tool_calls',
		},
	],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/**
 * Starts a model.
 *
 * @param script what it does at each turn; further turns get an error
 */
export async function startScriptedModel(script: Turn[]): Promise<ScriptedModel> {
	const requests: ModelRequest[] = [];
	const server = await listenOnLoopback((request, response) => {
		void json(request)
			.then((body) => {
				const turn = script[requests.length];
				requests.push(modelRequest.parse(body));
				if (turn === undefined) throw new Error('The script is over.');
				return { status: 200, body: toCompletion(turn) };
			})
			.catch((error: unknown) => ({ status: 400, body: { error: { message: String(error) } } }))
			.then(({ status, body }) => {
				response.writeHead(status, { 'Content-Type': 'application/json' });
				response.end(JSON.stringify(body));
			});
	});
	return { url: `${server.origin}/v1`, requests, close: server.close };
}
