import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { datesAsText, dayOf } from '../../../../nodes/VoiceAssistantCalling/fields/dates.ts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { distinct, OPERATION_FIELDS } from '../../../support/n8n/fields.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment({ tool_quota: 1_000 });

describe('the dates in a value', () => {
	const javaScript = new Date('2026-02-01T23:30:00.000Z');
	const luxon = DateTime.fromISO('2026-02-02T00:30:00+02:00', { setZone: true });

	it('are written as ISO text, at any depth', () => {
		expect(datesAsText({ a: [javaScript, { b: luxon }], c: 'x', d: null })).toEqual({
			a: ['2026-02-01T23:30:00.000Z', { b: '2026-02-02T00:30:00.000+02:00' }],
			c: 'x',
			d: null,
		});
	});

	it("are the day in the time zone in which they are written, such as the user's", () => {
		expect(dayOf(javaScript)).toBe('2026-02-01');
		expect(dayOf(luxon)).toBe('2026-02-02');
	});

	it('that are none are a text that says so', () => {
		expect(datesAsText(new Date('none'))).toBe('Invalid Date');
		expect(datesAsText(DateTime.fromISO('none'))).toBe('Invalid DateTime');
	});
});

const ENGINES: Array<[name: string, useEngine: () => void]> = [
	["n8n's default engine", useDefaultEngine],
	['the engine that n8n had before', () => undefined],
];

/** Ways in which expressions give the same time. */
const SAME_TIME = [
	'new Date("2026-01-31T10:00:00Z")',
	'DateTime.fromISO("2026-01-31T10:00:00Z", { zone: "utc" })',
	'$json.javaScript',
	'$json.javaScript.toISOString()',
];
const ITEM = { javaScript: new Date('2026-01-31T10:00:00Z') };
const ISO_TIME = '2026-01-31T10:00:00.000Z';

/** The places where users enter a text, each with an expression. */
const PLACES: Array<[place: string, parametersWith: (expression: string) => INodeParameters]> = [
	[
		'a field',
		(text) => ({
			resource: 'assistant',
			operation: 'update',
			assistantId: '1',
			updateFields: { initialMessage: `={{ ${text} }}` },
		}),
	],
	[
		'a field that is a variable',
		(text) => ({
			resource: 'lead',
			operation: 'update',
			leadId: '1',
			updateFields: { customerName: `={{ ${text} }}` },
		}),
	],
	[
		'a variable',
		(text) => ({
			resource: 'lead',
			operation: 'update',
			leadId: '1',
			variables: { variable: [{ name: 'day', value: `={{ ${text} }}` }] },
		}),
	],
	[
		'the JSON of variables',
		(text) => ({
			resource: 'lead',
			operation: 'update',
			leadId: '1',
			variablesMode: 'json',
			variablesJson: `={{ { customer_name: ${text}, list: [${text}] } }}`,
		}),
	],
	[
		'a secondary contact',
		(text) => ({
			...operationNamed('lead: create').parameters,
			additionalFields: {
				secondaryContacts: {
					contact: [{ phoneNumber: '+4915112345698', customerName: `={{ ${text} }}` }],
				},
			},
		}),
	],
	[
		'a table',
		(text) => ({
			resource: 'midCallTool',
			operation: 'update',
			toolId: '1',
			headers: { header: [{ name: 'X-Day', value: `={{ ${text} }}` }] },
		}),
	],
	[
		'a list in JSON',
		(text) => ({
			resource: 'midCallTool',
			operation: 'update',
			toolId: '1',
			headersMode: 'json',
			headersJson: `={{ [{ name: "X-Day", value: ${text} }] }}`,
		}),
	],
];

/** All texts in a value that are this time, in whatever form. */
const timesIn = (value: unknown): string[] =>
	JSON.stringify(value).match(/"[^"]*(2026-01-31|Jan 31)[^"]*"/g) ?? [];

describe.each(ENGINES)('a date of an expression, with %s', (_engine, useEngine) => {
	useEngine();

	it.each(PLACES)(
		'is ISO text in %s, however the expression gives it',
		async (_place, withText) => {
			for (const expression of SAME_TIME) {
				await n8n.runNode({ parameters: withText(expression), items: [ITEM] });
			}
			const times = (await sent()).map(({ body }) => [...new Set(timesIn(body))]);
			expect(times).toEqual(SAME_TIME.map(() => [`"${ISO_TIME}"`]));
		},
	);

	it('is ISO text where all fields of the item become variables', async () => {
		await n8n.runNode({
			parameters: {
				resource: 'lead',
				operation: 'update',
				leadId: '1',
				variablesMode: 'sendAllInputFields',
			},
			items: [{ ...ITEM, customer_name: ITEM.javaScript }],
		});
		expect((await sent()).map(({ body }) => body)).toEqual([
			{ variables: { javaScript: ISO_TIME, customer_name: ISO_TIME } },
		]);
	});
});

const texts = distinct(
	OPERATION_FIELDS.filter(({ field }) => field.type === 'string' && !field.name.endsWith('Id')),
).map((target): [name: string, target: (typeof OPERATION_FIELDS)[number]] => [
	`${target.operation.name}: ${target.label}`,
	target,
]);

describe.each(texts)('the text %s', (_name, { label, parametersWith }) => {
	it.each([
		['={{ new Date("none") }}', 'has a date that is not valid'],
		['={{ DateTime.fromISO("none") }}', 'has a date that is not valid'],
		['={{ String({}) }}', 'must be text, not an object or a list'],
	])('is refused by name when it is %s', async (expression, reason) => {
		const { error } = await n8n.runNode({ parameters: parametersWith(expression) });
		expect(error?.message).toBe(`'${label}' ${reason}`);
		expect(await sent()).toEqual([]);
	});
});
