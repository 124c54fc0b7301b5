import { json } from 'node:stream/consumers';

import { listenOnLoopback } from '../loopback.mts';
import { chatCompletions } from './chatCompletions.mts';
import { responses } from './responses.mts';
import type { ModelApi, ModelRequest, Turn } from './script.mts';

/** A language model that does what a script says, with OpenAI's wire format. */
export interface ScriptedModel {
	/** Base URL for n8n's OpenAI credential. */
	url: string;
	/** What the agent sent at each turn, and the path of the API that it uses. */
	requests: Array<ModelRequest & { path: string }>;
	close: () => Promise<void>;
}

const APIS = new Map<string | undefined, ModelApi>([
	['/v1/chat/completions', chatCompletions],
	['/v1/responses', responses],
]);

/**
 * Starts a model.
 *
 * @param script what it does at each turn; further turns get an error
 */
export async function startScriptedModel(script: Turn[]): Promise<ScriptedModel> {
	const requests: ScriptedModel['requests'] = [];
	const answer = (path: string, body: unknown): object => {
		const api = APIS.get(path);
		if (api === undefined) throw new Error(`The model has no API at ${path}.`);
		const turn = script[requests.length];
		requests.push({ ...api.readRequest(body), path });
		if (turn === undefined) throw new Error('The script is over.');
		return api.toResponse(turn);
	};
	const server = await listenOnLoopback((request, response) => {
		void json(request)
			.then((body) => ({ status: 200, body: answer(request.url ?? '', body) }))
			.catch((error: unknown) => ({ status: 400, body: { error: { message: String(error) } } }))
			.then(({ status, body }) => {
				response.writeHead(status, { 'Content-Type': 'application/json' });
				response.end(JSON.stringify(body));
			});
	});
	return { url: `${server.origin}/v1`, requests, close: server.close };
}
