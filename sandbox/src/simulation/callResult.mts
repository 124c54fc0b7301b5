import type { Random } from '../base/random.mts';
import type { Assistant, AssistantSettings, Call, Variables } from '../store/records.mts';
import { recordingPath } from '../domain/call/recording.mts';
import { TRANSCRIPT_KINDS, type Scenario } from '../domain/call/scenarioFormat.mts';
import type { Context } from '../domain/context.mts';
import { collectValues } from './collectedValues.mts';
import { greeting } from './greeting.mts';
import { oneLine } from './oneLine.mts';
import { kindOf, phrasesFor, type Phrases } from './phrases.mts';
import { toolLines } from './toolLines.mts';

/** What is said in a call, in its order. */
interface Talk {
	call: Call;
	settings: AssistantSettings;
	phrases: Phrases;
	random: Random;
	/** About a tool call. */
	toolLines: string[];
	/** In which the customer says the values. */
	valueLines: string[];
}

/** The result of an answered call: transcript, collected variables, evaluation, recording. */
export function callResult(context: Context, call: Call, { settings }: Assistant): Partial<Call> {
	const { state, now, random, assumptions, scenarios } = context;
	const phrases = phrasesFor(settings);
	const scenario = scenarios.get(call.scenario);
	const kind = scenario?.transcript ?? 'conversation';
	const collected = TRANSCRIPT_KINDS[kind].collects
		? collectValues(settings.post_call_schema, { call, now, random, phrases })
		: { values: {}, lines: [] };
	const toolRequest = state.toolRequests.first([['call_id', 'is', call.id]]);
	const talk: Talk = {
		call,
		settings,
		phrases,
		random,
		toolLines: toolRequest
			? [random.pick(phrases.tool), ...toolLines(toolRequest, assumptions)]
			: [],
		valueLines: collected.lines,
	};
	return {
		transcript: transcript(talk, kind, scenario?.ended_by ?? 'nobody').join('\n'),
		variables: collected.values,
		evaluation: settings.post_call_evaluation ? evaluation(random, kind, phrases) : {},
		answered_by: scenario?.answered_by ?? 'human',
		recording_url: settings.record_call ? recordingPath(call.id) : null,
	};
}

function transcript(
	talk: Talk,
	kind: Scenario['transcript'],
	endedBy: keyof Phrases['closings'],
): string[] {
	const { random, phrases } = talk;
	const hello = `Assistant: ${oneLine(greeting(talk.settings, talk.call))}`;
	const isAwaited = talk.settings.who_speaks_first === 'Customer';
	const greetings = isAwaited ? [random.pick(phrases.hello), hello] : [hello];
	switch (kind) {
		case 'mailbox':
			return [announcement(talk), ...message(talk, hello)];
		case 'hang-up':
			return [...greetings, ...talk.toolLines, random.pick(phrases.hang_up)];
		case 'transfer':
			return [...greetings, ...conversation(talk, 0), ...random.pick(phrases.transfer)];
		case 'conversation':
		case 'long-conversation': {
			const isLong = kind === 'long-conversation';
			const remarks = isLong ? phrases.remarks.length : talk.valueLines.length > 0 ? 0 : 1;
			const closing = random.pick(phrases.closings[endedBy]);
			return [...greetings, ...conversation(talk, remarks), ...closing];
		}
	}
}

function conversation({ call, settings, phrases, random, ...lines }: Talk, remarks: number) {
	const words = [call.campaign_name, settings.initial_message, settings.system_prompt].join(' ');
	const topic = phrases.topics[kindOf('topics', words)] ?? '';
	const opening = phrases.openings[call.type === 'inbound' ? 'inbound' : 'outbound'];
	const first = random.integer(0, phrases.remarks.length - 1);
	const said = [...phrases.remarks.slice(first), ...phrases.remarks.slice(0, first)];
	return [
		...random
			.pick(opening)
			.map((line) =>
				line
					.replaceAll('{topic}', topic)
					.replaceAll('{assistant}', () => oneLine(settings.assistant_name)),
			),
		...lines.toolLines,
		...lines.valueLines,
		...said.slice(0, remarks).flat(),
	];
}

/** What the mailbox says. */
function announcement({ call, phrases: { mailbox }, random }: Talk): string {
	const { customer_name: name } = call.input_variables;
	if (typeof name !== 'string' || name.trim() === '') return random.pick(mailbox.anonymous);
	return random.pick(mailbox.announcement).replaceAll('{name}', () => oneLine(name));
}

/** What the assistant leaves on a mailbox, unless it hangs up there. */
const message = ({ settings, phrases: { mailbox } }: Talk, hello: string): string[] =>
	settings.end_call_on_voicemail ? [] : [hello, mailbox.message];

function evaluation(
	random: Random,
	kind: Scenario['transcript'],
	{ summaries }: Phrases,
): Variables {
	const { goal_reached, score } = TRANSCRIPT_KINDS[kind];
	return { score: random.integer(score[0], score[1]), goal_reached, summary: summaries[kind] };
}
