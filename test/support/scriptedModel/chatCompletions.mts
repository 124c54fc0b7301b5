import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { offeredTool, type ModelApi, type Turn } from './script.mts';

const request = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
	tools: z.array(z.object({ function: offeredTool })).default([]),
});

function toMessage(turn: Turn) {
	if (typeof turn === 'string') return { role: 'assistant', content: turn };
	const calls = turn.map(({ tool: name, args }) => ({
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(args) },
	}));
	return { role: 'assistant', content: null, tool_calls: calls };
}

/** `POST /v1/chat/completions` */
export const chatCompletions: ModelApi = {
	readRequest(body) {
		const { messages, tools } = request.parse(body);
		const answers = messages.filter(({ role }) => role === 'tool');
		return {
			tools: tools.map(({ function: tool }) => tool),
			toolAnswers: answers.map(({ content }) => String(content)),
		};
	},

	toResponse: (turn) => ({
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [
			{
				index: 0,
				message: toMessage(turn),
				finish_reason: typeof turn === 'string' ? 'stop' : 'tool_calls',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	}),
};
