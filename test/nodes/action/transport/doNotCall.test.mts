import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isSameForAll } from '../../../../nodes/VoiceAssistantCalling/transport/steps/doNotCall.ts';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import {
	leadPerItem,
	OPERATIONS,
	operationNamed,
	people,
} from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent, fault } = await startTestEnvironment();

const PEOPLE = people(3);
const [, second] = PEOPLE;
const NUMBER = String(second?.phone);

const withList = (
	doNotCall: string | string[],
	parameters: INodeParameters = leadPerItem,
): INodeParameters => ({ ...parameters, options: { doNotCall } });

const results = (items: Array<{ json: IDataObject }> = []) => items.map(({ json }) => json.result);

it.each([
	['+4915112345678', true],
	["={{ $('Do not call').all().map((row) => row.json.phone_number) }}", true],
	['={{ $("Do not call").all().map((row) => row.json.phone_number) }}', true],
	["={{ $('Do not call').item.json.list }}", false],
	["={{ $('Do not call').all()[$itemIndex] }}", false],
	['={{ $json.list }}', false],
	['={{ $data.list }}', false],
	[['+4915112345678'], true],
	[['={{ $json.phone }}'], false],
])('the list %s is read once: %s', (entered, isCommon) => {
	expect(isSameForAll(entered)).toBe(isCommon);
});

describe('Do Not Call', () => {
	it('is there for the operations that name a person', () => {
		const offered = OPERATIONS.filter(({ fields }) =>
			fields.some(({ options = [] }) => options.some(({ name }) => name === 'doNotCall')),
		);
		expect(offered.map(({ name }) => name).sort()).toEqual([
			'call: make',
			'lead: create',
			'lead: update',
			'sms: send',
		]);
	});

	it.each([
		['as text', NUMBER.replace('+', '00')],
		['as lines', `\n+1 415 555 2671\n${NUMBER} ext. 7`],
		['as a list', `={{ ['+14155552671', '${NUMBER}'] }}`],
		['in brackets that are no JSON', `[${NUMBER}]`],
		['of each item', `={{ [$json.phone.slice(0, -1) + '9', '${NUMBER}'] }}`],
	])('holds back an item whose number it has %s', async (_what, list) => {
		const { output, error, run } = await n8n.runNode({
			parameters: withList(list),
			items: PEOPLE,
		});
		expect(error).toBeUndefined();
		expect(results(output[0])).toEqual(['created', 'do not call', 'created']);
		expect(output[0][1]).toMatchObject({
			json: {
				phone_number: NUMBER,
				entry: expect.any(String),
				message: expect.stringMatching(
					/^The number is on the list 'Do Not Call': entry [12]\. Take/,
				),
			},
			pairedItem: { item: 1 },
		});
		expect(await sent()).toHaveLength(2);
		expect(JSON.stringify(run)).toContain('Do Not Call: 1 item was not sent');
		expect(JSON.stringify(run)).not.toContain('They stop');
	});

	it('says above the output that a short number stops everybody whose number ends so', async () => {
		const { output, run } = await n8n.runNode({
			parameters: withList(NUMBER.slice(-6)),
			items: PEOPLE,
		});
		expect(results(output[0])).toEqual(['created', 'do not call', 'created']);
		expect(JSON.stringify(run)).toContain(
			"'Do Not Call' has numbers with fewer than seven digits: 1. They stop everybody whose number ends so.",
		);
	});

	it.each([
		['an SMS', operationNamed('sms: send').parameters, 'to'],
		['a new number of a lead', operationNamed('lead: update').parameters, 'phone_number'],
	])('holds back %s', async (_what, parameters) => {
		const { output } = await n8n.runNode({
			parameters: withList('={{ ["+49 151 1234", "+4915112345611", "+4915112345678"] }}', {
				...parameters,
				...('to' in parameters && { to: '+4915112345678' }),
				...('updateFields' in parameters && { updateFields: { phoneNumber: '+4915112345678' } }),
			}),
		});
		expect(results(output[0])).toEqual(['do not call']);
		expect(await sent()).toEqual([]);
	});

	it('holds back a lead whose secondary contact is on it', async () => {
		const contact = { phoneNumber: '+49 151 99999999' };
		const { output } = await n8n.runNode({
			parameters: withList('0151 99999999', {
				...leadPerItem,
				additionalFields: { secondaryContacts: { contact: [contact] } },
			}),
			items: PEOPLE,
		});
		expect(results(output[0])).toEqual(Array(3).fill('do not call'));
		expect(await sent()).toEqual([]);
	});

	it('is said by a dry run, and by the report of a run that fails', async () => {
		const dry = await n8n.runNode({
			parameters: { ...leadPerItem, options: { doNotCall: NUMBER, dryRun: true } },
			items: PEOPLE,
		});
		expect(results(dry.output[0])).toEqual(['would be sent', 'do not call', 'would be sent']);
		const items = [...PEOPLE, { ...second, phone: '' }];
		const { error } = await n8n.runNode({ parameters: withList(NUMBER), items });
		expect(error?.description).toContain("Not sent, because of 'Do Not Call': item 1.");
	});

	it.each(['={{ $json.nothing }}', '={{ null }}', '={{ false }}'])(
		'without a value sends nothing: %j',
		async (list) => {
			const { error } = await n8n.runNode({ parameters: withList(list), items: PEOPLE });
			expect(error?.message).toContain("'Do Not Call' is empty");
			expect(await sent()).toEqual([]);
		},
	);

	it.each(['={{ [{ json: { phone: "+4915112345678" } }] }}', '[[{"phone": "+4915112345678"}]]'])(
		'that has rows instead of numbers sends nothing: %s',
		async (list) => {
			const { error } = await n8n.runNode({ parameters: withList(list), items: PEOPLE });
			expect(error?.message).toBe("'Do Not Call' must have phone numbers, and not whole rows");
			expect(error?.description).toContain('Name the column');
			expect(await sent()).toEqual([]);
		},
	);

	it.each([
		['the wrong column', '={{ [{}, {}].map((row) => row.phone) }}', '2 entries'],
		['the wrong column of one row', '={{ [{}].map((row) => row.phone) }}', 'entry'],
		['a text without a number', 'see the table', 'entry'],
		['numbers joined with spaces', '={{ ["004930111111", "004915112345678"].join(" ") }}', 'entry'],
		['dates', '2026-05-12\n12.5.2026', '2 entries'],
		['a number of a spreadsheet', '4.915112345678E+12', 'entry'],
	])('that has no number that can be read sends nothing: %s', async (_what, list, entries) => {
		const { error } = await n8n.runNode({ parameters: withList(list), items: PEOPLE });
		expect(error?.message).toBe(`'Do Not Call' has no phone number in its ${entries}`);
		expect(await sent()).toEqual([]);
	});

	it.each(['', ' ', '={{ [] }}', '[]', '={{ $json.phone.slice(99) }}'])(
		'without entries stops nobody, also not a number that cannot be compared: %j',
		async (list) => {
			const items = [...PEOPLE.slice(0, 2), { ...PEOPLE[2], phone: '+4915112345603 ext. 7' }];
			const settings = { onError: 'continueRegularOutput' } as const;
			const { output } = await n8n.runNode({ parameters: withList(list), items, settings });
			expect(await sent()).toHaveLength(3);
			expect(results(output[0]).slice(0, 2)).toEqual(['created', 'created']);
		},
	);

	it.each([
		['+4915112345699a', 'has letters'],
		['0151-12345699p', 'has letters'],
		['0151 12345699 m', 'has letters'],
		['030 1234567 oder 0151 12345699', 'has several phone numbers'],
		['+49 30 1234567-DW12', 'has letters'],
		['+4915112345699 ext. 7', 'has an extension'],
		['0151|1234|5699', 'has signs that no phone number has'],
		['123', 'is too short'],
		['2026-05-12', 'is a date'],
	])('holds back a number that cannot be compared, and says why: %s', async (phone, problem) => {
		const { output, run } = await n8n.runNode({
			parameters: { ...withList(NUMBER), requestOptions: { defaultCountryCode: '49' } },
			items: [{ ...second, phone }],
		});
		expect(output[0].map(({ json }) => json)).toEqual([
			{
				result: 'do not call',
				phone_number: phone,
				reason: `The number ${problem}, so it cannot be compared with 'Do Not Call'. Write one whole phone number and nothing else.`,
			},
		]);
		expect(await sent()).toEqual([]);
		expect(JSON.stringify(run)).toContain('or cannot be compared with it');
	});

	it.each([
		['a number and a date', '+4915112345678 2026-05-12\n+4930111111', 1],
		['scientific notation', '4.915112345678E+12\n+4930111111\nJane', 2],
	])('says above the output which entries stop nobody: %s', async (_what, list, count) => {
		const { run } = await n8n.runNode({ parameters: withList(list), items: PEOPLE });
		const hints = run.data.resultData.runData['Voice Assistant Calling']?.at(-1)?.hints;
		expect(hints).toContainEqual(
			expect.objectContaining({
				message: `'Do Not Call' has entries without a phone number that can be read: ${count}. They stop nobody.`,
				type: 'warning',
			}),
		);
	});

	it('is read for each item where it may differ', async () => {
		const items = PEOPLE.map((person, index) => ({ ...person, list: PEOPLE[2 - index]?.phone }));
		const { output, error } = await n8n.runNode({
			parameters: withList('={{ [$data.list] }}'),
			items,
		});
		expect(error).toBeUndefined();
		expect(results(output[0])).toEqual(['created', 'do not call', 'created']);
	});

	it('is said again when n8n tries again', async () => {
		await fault({ status: 422, times: 1 });
		const { error, run } = await n8n.runNode({
			parameters: { ...withList(NUMBER), requestOptions: { maxConcurrentRequests: 1 } },
			items: PEOPLE,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error).toBeUndefined();
		expect(JSON.stringify(run)).toContain('Do Not Call: 1 item was not sent');
	});
});
