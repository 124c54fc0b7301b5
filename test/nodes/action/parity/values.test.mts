import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { forAny } from '../../../support/forAny.mts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { n8nWith } from '../../../support/n8n/n8n.mts';
import { startTestService } from '../../../../sandbox/test/support/testService.mts';
import { ALICE } from '../../../../sandbox/test/support/seed.mts';
import { sampledRuns } from '../../../support/sample.mts';

/**
 * Values of items arrive unchanged: n8n's expressions, the node and HTTP change no text, number or JSON.
 */
useDefaultEngine();
const service = await startTestService();
const n8n = n8nWith({ baseUrl: service.url, apiToken: ALICE });

/** Few runs with many items each, because n8n is slow to start a run. Shrinking would add as many runs. */
const RUNS = { numRuns: sampledRuns(3), endOnFailure: true };
const ITEMS = { minLength: 15, maxLength: 15 };

/** Runs an operation on items. @returns the bodies that arrive, also those that the service refuses */
async function arrived(
	operation: string,
	fields: INodeParameters,
	items: object[],
): Promise<unknown[]> {
	const [resource = '', name = ''] = operation.split('/');
	const requestOptions = { maxConcurrentRequests: 1 };
	await n8n.runNode({
		parameters: { resource, operation: name, requestOptions, ...fields },
		items: items as IDataObject[],
		settings: { onError: 'continueRegularOutput' },
	});
	// The node can look at the records after an update.
	const requests = (await service.control.requests()).filter(({ method }) => method !== 'GET');
	return requests.slice(-items.length).map(({ body }) => body);
}

/** Expects that each item arrives as the given body. */
const expectArrival = async <T extends object>(
	operation: string,
	fields: INodeParameters,
	item: fc.Arbitrary<T>,
	body: (item: T) => unknown,
) => {
	const expectIt = async (items: T[]) =>
		expect(await arrived(operation, fields, items)).toEqual(items.map(body));
	await forAny(fc.array(item, ITEMS), expectIt, RUNS);
};

const textOrNothing = fc.string({ unit: 'grapheme', maxLength: 80 });
const text = textOrNothing.filter((value) => value !== '');

const isName = (value: string) => value.trim() !== '';
/** n8n's HTTP client leaves these names out of an object (n8n 2.41). */
const NAMES_OF_PROTOTYPES = ['__proto__', 'constructor', 'prototype'];
/**
 * Any name that is not blank, because the node refuses a blank one, and names that the node itself uses
 * in a request under construction.
 */
const key = fc.oneof(
	{ weight: 4, arbitrary: text.filter(isName) },
	{ weight: 1, arbitrary: fc.constantFrom('json', 'variable', 'variables', 'from', 'timeout') },
	{ weight: 1, arbitrary: fc.constantFrom(...NAMES_OF_PROTOTYPES) },
);

/** Whether JSON shows a number as an integer that the node keeps as text: see `parseJson.test.mts`. */
const isLongInteger = (value: number) => /^-?\d{16,}$/.test(String(value));

const doubles = fc
	.double({ noNaN: true, noDefaultInfinity: true })
	.filter((value) => !Object.is(value, -0) && !isLongInteger(value));

/** The JSON of an object with such keys. */
const jsonText = fc
	.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: 3 },
			fc.constantFrom(null, true, false),
			fc.integer(),
			doubles,
			fc.string({ unit: 'grapheme', maxLength: 20 }),
			fc.array(tie('value'), { maxLength: 3 }),
			tie('object'),
		),
		object: fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 4 }),
	}))
	.object.map((object) => JSON.stringify(object));

const twoDecimals = (min: number, max: number) =>
	fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100);

it('any text arrives', async () => {
	const fields = {
		assistantId: '1',
		updateFields: { initialMessage: '={{ $json.message }}', systemPrompt: '={{ $json.prompt }}' },
		callHandling: { endCallToolDescription: '={{ $json.end }}' },
	};
	const item = fc.record({ message: text, prompt: text, end: text });
	await expectArrival('assistant/update', fields, item, ({ message, prompt, end }) => ({
		initial_message: message,
		system_prompt: prompt,
		end_call_tool: { description: end },
	}));
});

it('any text arrives that a user typed and that is not an expression', async () => {
	const typed = text.filter((value) => !value.startsWith('='));
	const expectIt = async ([initialMessage, systemPrompt]: [string, string]) => {
		const fields = { assistantId: '1', updateFields: { initialMessage, systemPrompt } };
		expect(await arrived('assistant/update', fields, [{}])).toEqual([
			{ initial_message: initialMessage, system_prompt: systemPrompt },
		]);
	};
	await forAny(fc.tuple(typed, typed), expectIt, { numRuns: sampledRuns(10), endOnFailure: true });
});

it('any number within the limits arrives', async () => {
	const fields = {
		assistantId: '1',
		voice: { speechSpeed: '={{ $json.speed }}', ambientSoundVolume: '={{ $json.volume }}' },
		// Duration is a number, silence is text.
		callHandling: {
			maxCallDuration: '={{ $json.duration }}',
			maxSilenceDuration: '={{ String($json.silence) }}',
		},
	};
	const item = fc.record({
		speed: twoDecimals(0.7, 1.2),
		volume: twoDecimals(0, 1),
		duration: fc.integer({ min: 20, max: 1200 }),
		silence: fc.integer({ min: 1, max: 120 }),
	});
	await expectArrival('assistant/update', fields, item, (numbers) => ({
		speech_speed: numbers.speed,
		ambient_sound_volume: numbers.volume,
		max_call_duration: numbers.duration,
		max_silence_duration: numbers.silence,
	}));
});

const pairs = (name: fc.Arbitrary<string>, value = textOrNothing) =>
	fc.uniqueArray(fc.record({ name, value }), {
		selector: (pair) => pair.name,
		minLength: 2,
		maxLength: 2,
	});

/** The entries of a list with two pairs, as expressions. */
const PAIRS = [0, 1].map((index) => ({
	name: `={{ $json.pairs[${index}].name }}`,
	value: `={{ $json.pairs[${index}].value }}`,
}));

it('any variables arrive, one by one and as JSON', async () => {
	const lead = { leadId: '1' };
	const onePair = { ...lead, variables: { variable: PAIRS } };
	await expectArrival(
		'lead/update',
		onePair,
		fc.record({ pairs: pairs(key, text) }),
		(entered) => ({
			variables: Object.fromEntries(entered.pairs.map(({ name, value }) => [name, value])),
		}),
	);
	const json = { ...lead, variablesMode: 'json', variablesJson: '={{ $json.text }}' };
	await expectArrival('lead/update', json, fc.record({ text: jsonText }), ({ text }) => ({
		variables: JSON.parse(text) as unknown,
	}));
});

it('any fields of an item arrive as variables, without those that are empty or left out', async () => {
	const fields = { leadId: '1', variablesMode: 'sendAllInputFields', variablesToLeaveOut: 'left' };
	const item = jsonText.map((text): Record<string, unknown> => ({
		...(JSON.parse(text) as object),
		left: 1,
		always: 2,
	}));
	await expectArrival('lead/update', fields, item, (entered) => ({
		variables: Object.fromEntries(
			Object.entries(entered).filter(
				([name, value]) => name !== 'left' && value !== null && value !== '',
			),
		),
	}));
});
