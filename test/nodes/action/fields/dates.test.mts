import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { datesAsText } from '../../../../nodes/shared/fields/dates.ts';
import { ENGINES } from '../../../support/n8n/engine.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment({ tool_quota: 1_000 });

/** Ways in which expressions give the same time. */
const SAME_TIME = [
	'new Date("2026-01-31T10:00:00Z")',
	'DateTime.fromISO("2026-01-31T10:00:00Z", { zone: "utc" })',
	'$json.javaScript',
	'$json.javaScript.toISOString()',
];
const ITEM = { javaScript: new Date('2026-01-31T10:00:00Z') };
const ISO_TIME = '2026-01-31T10:00:00.000Z';

const lead = { resource: 'lead', operation: 'update', leadId: '1' };
const tool = { resource: 'midCallTool', operation: 'update', toolId: '1' };

const [leadCreate, assistantUpdate] = ['lead: create', 'assistant: update'].map(
	(name) => operationNamed(name).parameters,
);

/** The places where users enter a text, each with an expression. */
const placesWith = (text: string): Record<string, INodeParameters> => {
	const value = `={{ ${text} }}`;
	const contact = [{ phoneNumber: '+4915112345698', customerName: value }];
	const variablesJson = `={{ { customer_name: ${text}, list: [${text}] } }}`;
	const headersJson = `={{ [{ name: "X-Day", value: ${text} }] }}`;
	return {
		'a field': { ...assistantUpdate, updateFields: { initialMessage: value } },
		'a field that is a variable': { ...lead, updateFields: { customerName: value } },
		'a variable': { ...lead, variables: { variable: [{ name: 'day', value }] } },
		'the JSON of variables': { ...lead, variablesMode: 'json', variablesJson },
		'a secondary contact': { ...leadCreate, additionalFields: { secondaryContacts: { contact } } },
		'a table': { ...tool, headers: { header: [{ name: 'X-Day', value }] } },
		'a list in JSON': { ...tool, headersMode: 'json', headersJson },
	};
};

/** All texts in a value that are this time, in whatever form. */
const timesIn = (value: unknown): string[] =>
	JSON.stringify(value).match(/"[^"]*(2026-01-31|Jan 31)[^"]*"/g) ?? [];

describe.each(ENGINES)('a date of an expression, with %s', (_engine, useEngine) => {
	useEngine();

	it.each(Object.keys(placesWith('')))(
		'is ISO text in %s, however the expression gives it',
		async (place) => {
			for (const expression of SAME_TIME) {
				const parameters = placesWith(expression)[place] ?? {};
				await n8n.runNode({ parameters, items: [ITEM] });
			}
			const times = (await sent()).map(({ body }) => [...new Set(timesIn(body))]);
			expect(times).toEqual(SAME_TIME.map(() => [`"${ISO_TIME}"`]));
		},
	);
});

it('a date of an expression keeps its time zone', () => {
	const date = DateTime.fromISO('2026-02-02T00:30:00+02:00', { setZone: true });
	expect(datesAsText(date)).toBe('2026-02-02T00:30:00.000+02:00');
});
