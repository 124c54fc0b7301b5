import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VoiceAssistantCallingMidCallToolTrigger } from '../../nodes/VoiceAssistantCallingMidCallToolTrigger/VoiceAssistantCallingMidCallToolTrigger.node.ts';
import { VoiceAssistantCallingTrigger } from '../../nodes/VoiceAssistantCallingTrigger/VoiceAssistantCallingTrigger.node.ts';
import { root } from '../support/package.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A number of the code: `3`, `1_000`, `0.1`, `2 * 60_000`, `24 * HOUR_MS`. */
function evaluate(file: string, text: string): number {
	const factors = text.split('*').map((factor) => factor.trim());
	return factors.reduce((product, factor) => {
		const isNumber = /^[\d._]+$/.test(factor);
		return product * (isNumber ? Number(factor.replaceAll('_', '')) : constant(file, factor));
	}, 1);
}

/**
 * What a file of the nodes says: `const NAME = …` of numbers, or `name: …,` of an object. Read from the text, so
 * that nothing is exported for a test alone.
 */
function constant(file: string, name: string): number {
	const pattern = new RegExp(
		String.raw`^\s*(?:export )?(?:const ${name} =|${name}:) ([\w.* ]+)[;,]`,
		'm',
	);
	const [, value] = pattern.exec(readText(`nodes/${file}`)) ?? [];
	if (value === undefined) throw new Error(`nodes/${file} has no ${name}`);
	return evaluate(file, value);
}

/** The first of the numbers in `const NAME = […];`, and the others. */
function list(file: string, name: string): number[] {
	const [, values = ''] =
		new RegExp(String.raw`const ${name} = \[([\d, _]+)\];`).exec(readText(`nodes/${file}`)) ?? [];
	return values.split(',').map(Number);
}

/** The default or a limit of a trigger's field. */
function field(
	trigger: typeof VoiceAssistantCallingTrigger | typeof VoiceAssistantCallingMidCallToolTrigger,
	name: string,
	of: 'default' | 'maxValue',
): number {
	const { properties } = new trigger().description;
	const inside = properties.flatMap(({ options = [] }) =>
		options.filter((option) => 'type' in option),
	);
	const found = [...properties, ...inside].find((property) => property.name === name);
	return Number(of === 'default' ? found?.default : found?.typeOptions?.maxValue);
}

/** The statuses with which a file refuses requests. */
const statuses = (file: string): number[] =>
	[...readText(`nodes/${file}`).matchAll(/(?:refuse\(this, |\.status\()(\d+)/g)].map(([, status]) =>
		Number(status),
	);

/** Where the code has what several pages say. In milliseconds, unless a name says otherwise. */
const times = (name: string) => constant('shared/webhook/publishTime.ts', name);
const firstRequest = () => constant('shared/client/deadline.ts', 'FIRST_REQUEST_LIMIT_MS');
const maxPause = () => constant('shared/client/retry.ts', 'MAX_WAIT_MS');
const maxRecords = () => constant('shared/client/pages.ts', 'MAX_RECORDS');
const remembered = (what: string) => constant('shared/processMemory.ts', what);
const refusedForNow = () => list('shared/client/response.ts', 'REFUSED_FOR_NOW');
const polls = (file: string, name: string) =>
	constant(`VoiceAssistantCallingPollTrigger/${file}.ts`, name);
const trigger = (file: string, name: string) =>
	constant(`VoiceAssistantCallingTrigger/${file}.ts`, name);
const toolCalls = (name: string) =>
	constant('VoiceAssistantCallingMidCallToolTrigger/receiveToolCall.ts', name);
const runItems = (name: string) => constant('VoiceAssistantCalling/transport/runItems.ts', name);
const hookMethods = () =>
	(new VoiceAssistantCallingMidCallToolTrigger().description.webhooks ?? []).flatMap(
		({ httpMethod }) => httpMethod.split(','),
	).length;

/** What n8n 2.41 gives a poll of its default `N8N_SCHEDULER_POLL_TIMEOUT`: comment in poll.ts. */
const POLL_BUDGET_SECONDS = 36;

/** Numbers as words. "a" is one: "a minute". */
const WORDS = ['a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function toNumber(text: string): number {
	const word = WORDS.indexOf(text.toLowerCase());
	if (word >= 0) return word + 1;
	if (text === 'an') return 1;
	if (text === 'twenty') return 20;
	if (text === 'half a') return 0.5;
	if (text === 'three quarters') return 0.75;
	return Number(text.replaceAll(',', ''));
}

const NUMBER = String.raw`(half a|three quarters|[a-z]+|\d[\d,]*(?:\.\d+)?)`;

/** A page, a part of it with `#` for each number, and what the code has. */
const SENTENCES: [page: string, sentence: string, expected: () => number[]][] = [
	['AGENTS.md', 'a refusal that passes by itself (#, #)', () => refusedForNow()],
	['docs/architecture.md', 'a refusal that passes by itself (#, #)', () => refusedForNow()],
	['docs/architecture.md', 'at most # ahead of the items', () => [runItems('PREPARED_AHEAD')]],
	['docs/architecture.md', 'after # ms of work', () => [runItems('MAX_WORK_MS')]],
	['docs/architecture.md', 'a pause of more than # minute,', () => [maxPause() / MINUTE]],
	[
		'docs/architecture.md',
		'A picker gives up after # tries',
		() => [constant('shared/client/retry.ts', 'MAX_TRIES')],
	],
	[
		'docs/architecture.md',
		'A publish has # seconds: # for its first request, # for each other one',
		() => [
			times('PUBLISH_MS') / SECOND,
			firstRequest() / SECOND,
			times('CHANGE_LIMIT_MS') / SECOND,
		],
	],
	['docs/architecture.md', 'Unpublishing has # seconds', () => [times('UNPUBLISH_MS') / SECOND]],
	[
		'docs/architecture.md',
		'ends within # seconds when the service is silent',
		() => [firstRequest() / SECOND],
	],
	[
		'docs/architecture.md',
		'the process remembers it too, for # days',
		() => [remembered('replaced') / DAY],
	],
	[
		'docs/architecture.md',
		'is read for # calls at most',
		() => [polls('reading', 'MAX_FIRST_CALLS')],
	],
	[
		'docs/architecture.md',
		'`listOrder.ts` needs # calls',
		() => [polls('listOrder', 'ENOUGH_CALLS')],
	],
	[
		'docs/architecture.md',
		'created in the last # hours',
		() => [polls('cursor', 'WATCHED_MS') / HOUR],
	],
	['docs/architecture.md', 'The # hours end at', () => [polls('cursor', 'WATCHED_MS') / HOUR]],
	['docs/architecture.md', 'that of the #th newest call', () => [polls('cursor', 'RECENT_RANK')]],
	[
		'docs/architecture.md',
		'when the # hours have passed',
		() => [polls('cursor', 'WATCHED_MS') / HOUR],
	],
	[
		'docs/architecture.md',
		'# seconds when n8n publishes or starts, and # minutes for a scheduled poll',
		() => [times('PUBLISH_MS') / SECOND, polls('poll', 'POLL_MS') / MINUTE],
	],
	['docs/architecture.md', 'A list of more than # calls', () => [maxRecords()]],
	[
		'docs/architecture.md',
		'for each method of the webhook, # times at each publish',
		() => [hookMethods()],
	],
	['docs/reliability.md', 'each ends within # seconds', () => [firstRequest() / SECOND]],
	[
		'docs/triggers.md',
		'an earlier one of the last # minutes',
		() => [remembered('deliveredCalls') / MINUTE],
	],
	[
		'docs/triggers.md',
		'later than # minutes after the first delivery',
		() => [remembered('deliveredCalls') / MINUTE],
	],
	[
		'docs/triggers.md',
		'delivers the same twice within # minutes',
		() => [remembered('deliveredCalls') / MINUTE],
	],
	[
		'docs/triggers.md',
		'It waits # minute at most',
		() => [trigger('repeatedDelivery', 'MAX_WAIT_MS') / MINUTE],
	],
	[
		'docs/triggers.md',
		'one that comes more than # calls later',
		() => [constant('shared/processMemory.ts', 'MAX_ENTRIES')],
	],
	[
		'docs/triggers.md',
		'*Answer Within (Seconds)* is # at first',
		() => [field(VoiceAssistantCallingTrigger, 'answerWithin', 'default')],
	],
	[
		'docs/triggers.md',
		'less than two; # is the most',
		() => [field(VoiceAssistantCallingTrigger, 'answerWithin', 'maxValue')],
	],
	[
		'docs/triggers.md',
		'at the same number within # seconds',
		() => [trigger('question', 'SAME_QUESTION_MS') / SECOND],
	],
	[
		'docs/triggers.md',
		'counts as finished after # hour in this status',
		() => [polls('cursor', 'UNKNOWN_STATUS_MS') / HOUR],
	],
	['docs/triggers.md', 'A poll has # minutes', () => [polls('poll', 'POLL_MS') / MINUTE]],
	[
		'docs/triggers.md',
		'all calls of the last days within # seconds',
		() => [times('PUBLISH_MS') / SECOND],
	],
	[
		'docs/triggers.md',
		'still open # day after # newer calls',
		() => [polls('cursor', 'WATCHED_MS') / DAY, polls('cursor', 'RECENT_RANK')],
	],
	[
		'docs/triggers.md',
		'creation more than # day before # other calls',
		() => [polls('cursor', 'WATCHED_MS') / DAY, polls('cursor', 'RECENT_RANK')],
	],
	['docs/triggers.md', 'If more calls than # are listed', () => [maxRecords()]],
	[
		'docs/triggers.md',
		'The fallback is sent # seconds before the timeout of the tool',
		() => [toolCalls('MAX_RESERVE_MS') / SECOND],
	],
	[
		'docs/triggers.md',
		'or after # of a timeout below # seconds',
		() => [
			1 - toolCalls('RESERVE_PART'),
			toolCalls('MAX_RESERVE_MS') / toolCalls('RESERVE_PART') / SECOND,
		],
	],
	[
		'docs/triggers.md',
		'A publish has # seconds, all attempts together',
		() => [times('PUBLISH_MS') / SECOND],
	],
	[
		'docs/triggers.md',
		'its first request within # seconds, or another one within #,',
		() => [firstRequest() / SECOND, times('CHANGE_LIMIT_MS') / SECOND],
	],
	[
		'docs/triggers.md',
		'Unpublishing waits for a pause of up to # minute',
		() => [maxPause() / MINUTE],
	],
	[
		'docs/triggers.md',
		'Where it says the same again within # minute',
		() => [remembered('refusedToolCalls') / MINUTE],
	],
	[
		'docs/triggers.md',
		'For # minute, the same caller with the same parameters',
		() => [
			field(VoiceAssistantCallingMidCallToolTrigger, 'sameAnswerSeconds', 'default') /
				(MINUTE / SECOND),
		],
	],
	['docs/triggers.md', 'that replaced it, for # days', () => [remembered('replaced') / DAY]],
	[
		'docs/triggers.md',
		'A delivery without the token gets #',
		() => statuses('shared/webhook/authentication.ts'),
	],
	[
		'docs/triggers.md',
		'A request without it gets #',
		() => statuses('shared/webhook/authentication.ts'),
	],
	[
		'docs/triggers.md',
		"another method than the tool's gets #",
		() => statuses('VoiceAssistantCallingMidCallToolTrigger/receiveToolCall.ts').slice(0, 1),
	],
	[
		'docs/triggers.md',
		'a sentence that names it (status #)',
		() => statuses('VoiceAssistantCallingMidCallToolTrigger/receiveToolCall.ts').slice(1),
	],
	[
		'docs/scaling.md',
		'so a poll ends after # seconds',
		() => [Math.floor(POLL_BUDGET_SECONDS * (1 - polls('poll', 'MARGIN')))],
	],
	[
		'docs/decisions/0009-one-record-from-a-list.md',
		'is read for # pages at most',
		() => [constant('VoiceAssistantCalling/resources/call/oneCall.ts', 'MAX_PAGES')],
	],
	[
		'docs/decisions/0009-one-record-from-a-list.md',
		'all items of a run together for #',
		() => [constant('VoiceAssistantCalling/transport/lateRecords.ts', 'ALL_WAITS_MS') / SECOND],
	],
	[
		'docs/decisions/0014-learn-the-limit-from-refusals.md',
		'no request of the account for # minute',
		() => [maxPause() / MINUTE],
	],
	[
		'docs/decisions/0015-calls-are-known-by-their-ids.md',
		'all calls of the last # hours',
		() => [polls('cursor', 'WATCHED_MS') / HOUR],
	],
	[
		'docs/decisions/0015-calls-are-known-by-their-ids.md',
		'that of the #th newest call',
		() => [polls('cursor', 'RECENT_RANK')],
	],
	[
		'docs/decisions/0016-every-hook-has-an-end.md',
		'`create` | # s | # s | # s for all attempts of the publish. At least # s',
		() => [
			firstRequest() / SECOND,
			times('CHANGE_LIMIT_MS') / SECOND,
			times('PUBLISH_MS') / SECOND,
			times('LEAST_PUBLISH_MS') / SECOND,
		],
	],
	[
		'docs/decisions/0016-every-hook-has-an-end.md',
		'`delete` | # s | # s | # s. After an attempt that failed, what is left of the publish and # s',
		() => [
			firstRequest() / SECOND,
			times('CHANGE_LIMIT_MS') / SECOND,
			times('UNPUBLISH_MS') / SECOND,
			times('RESTORE_MS') / SECOND,
		],
	],
	[
		'docs/decisions/0016-every-hook-has-an-end.md',
		'is not created again for # minute',
		() => [remembered('creationUnknown') / MINUTE],
	],
	[
		'docs/decisions/0019-what-others-entrust-is-encrypted.md',
		'remembers the URL as it is, for # days',
		() => [remembered('replaced') / DAY],
	],
	[
		'docs/decisions/0024-one-service-as-it-is-documented.md',
		'hands the call out after # hour in this status',
		() => [polls('cursor', 'UNKNOWN_STATUS_MS') / HOUR],
	],
	[
		'docs/decisions/0029-what-is-sent-once.md',
		'the newest # of a node',
		() => [constant('VoiceAssistantCalling/transport/steps/doneKeys.ts', 'MAX_KEYS')],
	],
	[
		'docs/decisions/0029-what-is-sent-once.md',
		'are stored up to # MB',
		() => [
			constant('VoiceAssistantCalling/transport/steps/earlierExecution.ts', 'MAX_BYTES') /
				1_000_000,
		],
	],
];

describe('the pages have the numbers of the code', () => {
	it.each(SENTENCES)('%s: %s', (page, sentence, expected) => {
		const pattern = sentence
			.split('#')
			.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
			.join(NUMBER);
		const [found, ...numbers] = new RegExp(pattern).exec(readText(page)) ?? [];
		expect({ page, found }).toEqual({ page, found: expect.any(String) });
		expect(numbers.map(toNumber)).toEqual(expected());
	});
});
