import type { Random } from '../base/random.mts';
import type { Assistant, AssistantSettings, Call, Variables } from '../store/records.mts';
import { recordingPath } from '../domain/call/recording.mts';
import { TRANSCRIPT_KINDS, type TranscriptKind } from '../domain/call/scenarioFormat.mts';
import type { Context } from '../domain/context.mts';
import { collectValues, fitsField, isAboutCall } from './collectedValues.mts';
import { findKind, oneLine, phrasesFor, type Phrases } from './phrases.mts';
import { toolLines } from './toolLines.mts';

interface Talk {
	call: Call;
	settings: AssistantSettings;
	phrases: Phrases;
	random: Random;
	toolLines: string[];
	valueLines: string[];
}

export type CallResult = Pick<
	Call,
	'transcript' | 'variables' | 'evaluation' | 'answered_by' | 'recording_url'
>;

/** The result of an answered call: transcript, collected variables, evaluation, recording. */
export function callResult(context: Context, call: Call, { settings }: Assistant): CallResult {
	const { state, now, random, assumptions, scenarios } = context;
	const phrases = phrasesFor(settings);
	const scenario = scenarios.get(call.scenario);
	const kind = scenario?.transcript ?? 'conversation';
	const asked = settings.post_call_schema.filter((field) => !isAboutCall(field));
	const collected = TRANSCRIPT_KINDS[kind].collects
		? collectValues(asked, { call, now, random, phrases })
		: { values: {}, lines: [] };
	const request = state.toolRequests.first([['call_id', 'is', call.id]]);
	const aboutTool = request ? [random.pick(phrases.tool), ...toolLines(request, assumptions)] : [];
	const lines = { toolLines: aboutTool, valueLines: collected.lines };
	const talk: Talk = { call, settings, phrases, random, ...lines };
	return {
		transcript: transcript(talk, kind, scenario?.ended_by ?? 'nobody').join('\n'),
		variables: { ...collected.values, ...valuesAboutCall(talk, kind, collected.values) },
		evaluation: settings.post_call_evaluation ? evaluation(talk, kind, collected.values) : {},
		answered_by: scenario?.answered_by ?? 'human',
		recording_url: settings.record_call ? recordingPath(call.id) : null,
	};
}

function transcript(
	talk: Talk,
	kind: TranscriptKind,
	endedBy: keyof Phrases['closings'],
): string[] {
	const { random, phrases } = talk;
	const hello = `Assistant: ${oneLine(greeting(talk.settings, talk.call))}`;
	const isAwaited = talk.settings.who_speaks_first === 'Customer';
	const greetings = isAwaited ? [random.pick(phrases.hello), hello] : [hello];
	switch (kind) {
		case 'mailbox':
			// The assistant leaves a message, unless it hangs up there.
			return talk.settings.end_call_on_voicemail
				? [announcement(talk)]
				: [announcement(talk), hello, phrases.mailbox.message];
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
	const topic = phrases.topics[findKind('topics', words)] ?? '';
	const opening = phrases.openings[call.type === 'inbound' ? 'inbound' : 'outbound'];
	const first = random.integer(0, phrases.remarks.length - 1);
	const said = [...phrases.remarks.slice(first), ...phrases.remarks.slice(0, first)];
	return [
		...random.pick(opening).map((line) => {
			const withTopic = line.replaceAll('{topic}', topic);
			return withTopic.replaceAll('{assistant}', () => oneLine(settings.assistant_name));
		}),
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

/** Values with which the goal of a call is not reached, by what they are about. */
const MISSED_GOALS = new Map([
	['appointment', false],
	['attendance', false],
	['opt_out', true],
]);

/** Whether the values have one that is about this, as wanted. */
const hasValue = (
	{ settings }: Talk,
	values: Variables,
	isWanted: (about: string, value: unknown) => boolean,
): boolean =>
	settings.post_call_schema.some(({ name, description }) =>
		isWanted(findKind('bool', `${name} ${description}`), values[name]),
	);

function isGoalReached(talk: Talk, kind: TranscriptKind, values: Variables): boolean {
	const isMissed = hasValue(
		talk,
		values,
		(about, value) => value !== undefined && MISSED_GOALS.get(about) === value,
	);
	return TRANSCRIPT_KINDS[kind].goal_reached && !isMissed;
}

/** The values of {@link isAboutCall}, where the assistant has such fields. */
function valuesAboutCall(talk: Talk, kind: TranscriptKind, values: Variables): Variables {
	const { call, settings, phrases } = talk;
	const known: Variables = {
		status: isGoalReached(talk, kind, values),
		summary: phrases.summaries[kind],
	};
	const fields = settings.post_call_schema.filter(isAboutCall).map((field) => {
		const chosen = call.chosen_values?.[field.name];
		return [field.name, fitsField(field, chosen) ? chosen : known[field.name]];
	});
	return Object.fromEntries(fields) as Variables;
}

function evaluation(talk: Talk, kind: TranscriptKind, values: Variables) {
	const { phrases, random } = talk;
	const optsOut = hasValue(talk, values, (about, value) => about === 'opt_out' && value === true);
	// Who wants no more calls is no better reached than who hangs up.
	const [low, high] = TRANSCRIPT_KINDS[optsOut ? 'hang-up' : kind].score;
	return {
		score: random.integer(low, high),
		goal_reached: isGoalReached(talk, kind, values),
		summary: phrases.summaries[kind],
	};
}

/** `{customer_name}` or `{{ customer_name }}` (assumptions: greeting-placeholders). */
const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}|\{([\w-]+)\}/g;

/** The assistant's first message, with the variables of the call in their places. */
function greeting({ initial_message }: AssistantSettings, { input_variables }: Call): string {
	const variables = new Map(Object.entries(input_variables));
	return initial_message.replaceAll(PLACEHOLDER, (place, doubled?: string, single?: string) => {
		const value = variables.get(doubled ?? single ?? '');
		if (value === undefined || value === null) return place;
		return typeof value === 'string' ? value : JSON.stringify(value);
	});
}
