import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isSameForAll } from '../../../../nodes/VoiceAssistantCalling/transport/doNotCall.ts';
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
		['of each item', `={{ [$json.phone.slice(0, -1) + '9', '${NUMBER}'] }}`],
	])('holds back an item whose number it has %s', async (_what, list) => {
		const { output, error, run } = await n8n.runNode({
			parameters: withList(list),
			items: PEOPLE,
		});
		expect(error).toBeUndefined();
		expect(results(output[0])).toEqual(['created', 'do not call', 'created']);
		expect(output[0][1]).toMatchObject({
			json: { phone_number: NUMBER, entry: expect.any(String) },
			pairedItem: { item: 1 },
		});
		expect(await sent()).toHaveLength(2);
		expect(JSON.stringify(run)).toContain('Do Not Call: 1 item was not sent');
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

	it.each(['', ' ', '={{ $json.nothing }}', '={{ false }}'])(
		'that is empty sends nothing: %j',
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

	it('of the wrong column sends nothing', async () => {
		const list = '={{ [{}, {}].map((row) => row.phone) }}';
		const { error } = await n8n.runNode({ parameters: withList(list), items: PEOPLE });
		expect(error?.message).toBe("'Do Not Call' has no phone number in its 2 entries");
		expect(await sent()).toEqual([]);
	});

	it.each(['={{ [] }}', '={{ [undefined] }}'])(
		'of an empty table stops nobody: %s',
		async (list) => {
			const { output } = await n8n.runNode({ parameters: withList(list), items: PEOPLE });
			expect(results(output[0])).toEqual(Array(3).fill('created'));
		},
	);

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
