import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { offeredTool, type ModelApi, type Turn } from './script.mts';

const request = z.object({
	input: z.array(z.object({ type: z.string().optional(), output: z.unknown() })),
	tools: z.array(offeredTool).default([]),
});

function toOutput(turn: Turn): object[] {
	if (typeof turn !== 'string') {
		return turn.map(({ tool: name, args }) => ({
			type: 'function_call',
			id: `fc_${randomUUID()}`,
			call_id: `call_${randomUUID()}`,
			name,
			arguments: JSON.stringify(args),
			status: 'completed',
		}));
	}
	const content = [{ type: 'output_text', text: turn, annotations: [] }];
	const id = `msg_${randomUUID()}`;
	return [{ type: 'message', id, role: 'assistant', status: 'completed', content }];
}

/** `POST /v1/responses` */
export const responses: ModelApi = {
	readRequest(body) {
		const { input, tools } = request.parse(body);
		const answers = input.filter(({ type }) => type === 'function_call_output');
		return { tools, toolAnswers: answers.map(({ output }) => String(output)) };
	},

	toResponse: (turn) => ({
		id: `resp_${randomUUID()}`,
		object: 'response',
		created_at: 0,
		model: 'scripted',
		status: 'completed',
		error: null,
		incomplete_details: null,
		output: toOutput(turn),
		usage: {
			input_tokens: 1,
			input_tokens_details: { cached_tokens: 0 },
			output_tokens: 1,
			output_tokens_details: { reasoning_tokens: 0 },
			total_tokens: 2,
		},
	}),
};
