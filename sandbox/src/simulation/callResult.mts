import type { Random } from '../base/random.mts';
import type { Schemas } from '../contract/schemas.mts';
import type { Assistant, Call, Variables } from '../store/records.mts';
import { recordingPath } from '../domain/call/recording.mts';
import type { Context } from '../domain/context.mts';
import { toolLines } from './toolLines.mts';

/** What the customer can say, turn by turn. */
const REPLIES = [
	['Hello, yes, this is a good time.', 'Hi, who is speaking?', 'Yes, hello?'],
	['That sounds interesting, please go on.', 'What would that cost?', 'Can you call me next week?'],
	['Fine, thank you. Goodbye!', 'Good, let us do it like that. Bye!', 'Thanks for the call, bye.'],
] as const;

const FOLLOW_UPS = [
	'I am calling about your enquiry. May I tell you more?',
	'Of course. I will send you the details.',
	'Thank you for your time. Goodbye!',
] as const;

/** The turn in which the assistant calls a tool, counted from 0. */
const TOOL_TURN = 1;

/** The result of an answered call: transcript, collected variables, evaluation, recording. */
export function callResult(
	{ state, random, assumptions }: Context,
	call: Call,
	{ settings }: Assistant,
): Partial<Call> {
	const toolRequest = state.toolRequests.first([['call_id', 'is', call.id]]);
	return {
		transcript: transcript(
			random,
			settings.initial_message,
			toolRequest && toolLines(toolRequest, assumptions),
		),
		variables: collected(random, settings.post_call_schema),
		evaluation: settings.post_call_evaluation ? evaluation(random) : {},
		answered_by: 'human',
		recording_url: settings.record_call ? recordingPath(call.id) : null,
	};
}

/** @param tool lines about a tool call; they take the place of the reply in the middle */
function transcript(random: Random, initialMessage: string, tool: string[] | undefined): string {
	const lines = [`Assistant: ${initialMessage}`];
	REPLIES.forEach((replies, turn) => {
		lines.push(`Customer: ${replies[random.integer(0, replies.length - 1)]}`);
		lines.push(...(tool && turn === TOOL_TURN ? tool : [`Assistant: ${FOLLOW_UPS[turn]}`]));
	});
	return lines.join('\n');
}

function collected(random: Random, fields: Array<Schemas['PostCallField']>): Variables {
	const value = {
		string: ({ description }: Schemas['PostCallField']) => `Example: ${description}`,
		number: () => random.integer(1, 10),
		bool: () => random.next() < 0.5,
	};
	return Object.fromEntries(fields.map((field) => [field.name, value[field.type](field)]));
}

function evaluation(random: Random): Variables {
	return { score: random.integer(6, 10), goal_reached: true, summary: 'A friendly conversation.' };
}
