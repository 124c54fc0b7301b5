import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { NEWER_ONLY } from '../../../../nodes/VoiceAssistantCalling/resources/assistant/generations/newerNames.ts';
import type { TextRule } from '../../../../nodes/shared/fields/textRule.ts';
import { distinct, OPERATION_FIELDS, type OperationField } from '../../../support/n8n/fields.mts';
import { byId } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

/** Texts are checked before they are sent, as far as the contract says what they must be. */
const { n8n, sent } = await startTestEnvironment({ tool_quota: 1_000 });

const getRule = ({ field }: OperationField): TextRule => (field as Field).rule ?? {};

/** The fields whose rule has a limit or a pattern, with their names. */
const fieldsWith = (part: keyof TextRule) =>
	distinct(OPERATION_FIELDS.filter((target) => getRule(target)[part] !== undefined)).map(
		(target): [name: string, target: OperationField, rule: TextRule] => [
			`${target.operation.name}: ${target.label}`,
			target,
			getRule(target),
		],
	);

/** Runs an operation once for each value of a field. @returns the errors */
async function getErrors({ parametersWith }: OperationField, values: unknown[]) {
	const { output } = await n8n.runNode({
		parameters: parametersWith('={{ $json.value }}'),
		items: values.map((value) => ({ value })) as IDataObject[],
		settings: { onError: 'continueErrorOutput' },
	});
	return output[1].map(({ json }) => json.error as { message: string; httpCode: string | null });
}

describe.each(fieldsWith('maxLength'))('the length of %s', (_name, target, rule) => {
	const { maxLength = 0, pattern = '', problem } = rule;

	it('is refused above the limit of the contract, and nothing is sent', async () => {
		const [error] = await getErrors(target, ['x'.repeat(maxLength + 1)]);
		expect(error?.message).toBe(
			`'${target.label}' ${problem ?? `must have at most ${maxLength} characters, and has ${maxLength + 1}`}`,
		);
		expect(await sent()).toEqual([]);
	});

	it('is accepted at the limit, where an emoji is one character as for the service', async () => {
		const fits = (text: string) => new RegExp(pattern, 'u').test(text);
		const longest = (['📞', 'x', '1'].find(fits) ?? '').repeat(maxLength);
		const errors = await getErrors(target, [longest]);
		// An update asks first which names the provider uses.
		const isNewer = NEWER_ONLY.includes(target.field.routing?.send?.property ?? '');
		if (isNewer) expect(errors[0]?.message).toContain('cannot be set at this provider');
		else expect(JSON.stringify(await sent())).toContain(longest);
		expect(errors.filter(({ message }) => message.includes('characters'))).toEqual([]);
	});
});

/** For each pattern: texts that the node refuses, and texts that the service gets. */
const TEXTS: Array<[label: RegExp, wrong: string[], right: string[]]> = [
	[/^Tool Name$/, ['Get Slots', '1st', '_x', 'größe', 'a-b', 'a\nb'], ['get_slots', 'a', ' a\n']],
	[/^Parameters → 1 → Name$/, ['x', 'a1', '_ab', 'größe', 'x'.repeat(33)], ['Day', 'a_', 'ab']],
	[/Schema → 1 → Name$/, ['my value', 'größe', 'a-b'], ['_1', 'Appointment_2']],
	[/^Headers → 1 → Name$/, ['X Shop', 'X:', 'Größe'], ['X-Shop', "!#$%&'*+.^_`|~"]],
	[/^Headers → 1 → Value$/, ['a\nb', 'Größe'], ['a b', '~']],
	[
		/^(Endpoint|Webhook URL)$/,
		['example.com', 'ftp://example.com', 'https://', 'https:///a', 'https://a b', 'javascript:1'],
		['https://example.com', 'HTTP://localhost:5678/a?b#c'],
	],
	[
		/Email$/,
		['nathan', '@b', 'a@', 'a@b@c', 'a b@c.de', 'a@b; c@d'],
		['a@b', 'ä+1@example.com', ' nathan@example.com '],
	],
	[/Timezone/, ['Berlin', 'UTC', 'Europe/'], ['Europe/Berlin']],
	[/(Phone Number|^To)$/, ['unknown', 'undefined', '-', 'true'], ['+4915112345699']],
];

describe.each(fieldsWith('pattern'))('the text of %s', (_name, target, rule) => {
	const [, wrong = ['?'], right = ['?']] = TEXTS.find(([label]) => label.test(target.label)) ?? [];

	it('is refused by name when it does not fit, and nothing is sent', async () => {
		const message = `'${target.label}' ${rule.problem}`;
		const refused = wrong.map(() => expect.objectContaining({ message }));
		expect(await getErrors(target, wrong)).toEqual(refused);
		expect(await sent()).toEqual([]);
	});

	it('is sent when it fits, as in the example of the form', async () => {
		const errors = await getErrors(target, right);
		expect(errors.filter(({ httpCode }) => httpCode === null)).toEqual([]);
		expect(await sent()).toHaveLength(right.length);
		const example = target.field.placeholder?.replace(/^e\.g\. /, '') ?? right[0];
		expect(example).toMatch(new RegExp(rule.pattern ?? '', 'u'));
	});
});

/** The parameters of a list of calls with one filter. */
const filteredBy = (name: string, value: unknown) => ({
	resource: 'call',
	operation: 'getAll',
	filters: { [name]: value as string },
});

describe('an empty filter', () => {
	it.each<[filter: string, value: unknown, label: string, wanted: string]>([
		['assistantId', byId('={{ "" }}'), 'Assistant', 'an ID: a whole number from 1, such as 42'],
		['campaignId', '={{ "" }}', 'Campaign', 'an ID: a whole number from 1, such as 42'],
		['dateFrom', '={{ null }}', 'From Date', 'a date, such as 2026-01-31'],
		['dateTo', '={{ $json.none }}', 'To Date', 'a date, such as 2026-01-31'],
		['phoneNumber', '={{ "" }}', 'Phone Number', 'a value such as +4915112345678'],
		[
			'status',
			'={{ $json.none }}',
			'Status',
			'one of: busy, completed, ended, ended_by_assistant, ended_by_customer, failed, in-progress, initiated, no-answer, ringing',
		],
		['type', '={{ "" }}', 'Type', 'one of: inbound, outbound, web'],
	])(
		'%s says which value it wants, and how to leave it out',
		async (name, value, label, wanted) => {
			const { error } = await n8n.runNode({ parameters: filteredBy(name, value) });
			expect(error).toMatchObject({
				message: `'${label}' is empty`,
				description: `Enter ${wanted}. Or remove the filter. Nothing was sent for this item.`,
			});
			expect(await sent()).toEqual([]);
		},
	);
});

it.each(['31.01.2026', '1/31/2026', '01-02-2026'])(
	'a date in a local form is refused, because its day and month are not certain: %s',
	async (date) => {
		const { error } = await n8n.runNode({ parameters: filteredBy('dateFrom', date) });
		expect(error).toMatchObject({
			message: "'From Date' must be a date, such as 2026-01-31",
			description: `The value is: ${date}. Write the year, then the month, then the day. Nothing was sent for this item.`,
		});
		expect(await sent()).toEqual([]);
	},
);
