import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { NODE_NAME } from '../../../support/n8n/n8n.mts';
import { stubServersPerTest } from '../../../support/n8n/stubServer.mts';
import { n8nAt } from '../../../support/n8n/stubService.mts';
import { leadPerItem, operationNamed, people } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { watchWarnings } from '../../../support/n8n/watchWarnings.mts';
import { onlyInFull } from '../../../support/sample.mts';

useDefaultEngine();
const { n8n, sent } = await startTestEnvironment();
const startServer = stubServersPerTest();

afterEach(() => {
	jest.restoreAllMocks();
});

const dry = (parameters: INodeParameters = leadPerItem): INodeParameters => ({
	...parameters,
	options: { dryRun: true },
});

const CONTINUE: Partial<INode> = { onError: 'continueErrorOutput' };

/** People of whom some have a number that will be refused. */
function peopleWith(count: number, wrong: Record<number, unknown>): IDataObject[] {
	return people(count).map((person, index) =>
		index in wrong ? { phone: wrong[index] as string } : person,
	);
}

/** Runs the node. @returns the warnings in n8n's log, and those that were there when each request arrived */
async function runWithLog(run: Parameters<typeof n8n.runNode>[0]) {
	const warnings = watchWarnings();
	const before: string[][] = [];
	const server = await startServer(() => {
		before.push([...warnings]);
		return { status: 422, body: { message: 'No.' } };
	});
	await n8nAt(server).runNode({ settings: CONTINUE, ...run });
	return { warnings, before };
}

const MORE = " Items are counted from 0. 'Dry Run' shows all such items, and sends nothing.";

describe('a dry run', () => {
	onlyInFull(it)(
		'of 1,000 rows shows the ten that will probably be refused, and the sum',
		async () => {
			const rows = Array.from({ length: 10 }, (_, index) => 50 + index * 100);
			const wrong = Object.fromEntries(rows.map((row) => [row, '0151 x99']));
			const { output, error, run } = await n8n.runNode({
				parameters: dry(),
				items: peopleWith(1_000, wrong),
			});
			expect(error).toBeUndefined();
			const refused = output[0].flatMap(({ json }, item) =>
				json.result === 'would probably be refused' ? [{ item, reason: json.reason }] : [],
			);
			const reason = "'Phone Number' has letters. Write digits only. The letters are: x.";
			expect(refused).toEqual(rows.map((item) => ({ item, reason })));
			expect(output[0].filter(({ json }) => json.result === 'would be sent')).toHaveLength(990);
			const message =
				"Dry Run: 1000 items were checked, and nothing was sent. Would be sent: 990. Would probably be refused: 10, and 'reason' says why. Correct what is wrong before you remove 'Dry Run'.";
			expect(run.data.resultData.runData[NODE_NAME]?.[0]?.hints).toEqual([
				{ message, type: 'info', location: 'outputPane' },
			]);
			expect(await sent()).toEqual([]);
		},
	);

	it('shows the request beside the reason', async () => {
		const { parameters } = operationNamed('sms: send');
		const { output } = await n8n.runNode({
			parameters: dry({ ...parameters, to: 'o151 23456782' }),
		});
		const [{ json } = { json: {} }] = output[0];
		// What fits into n8n's table without scrolling.
		expect(Object.keys(json).slice(0, 4)).toEqual(['result', 'reason', 'item', 'phone_number']);
		expect(json).toMatchObject({
			result: 'would probably be refused',
			reason: "'To Phone Number' has the letter o, probably for a 0. Write 0151 23456782.",
			phone_number: 'o151 23456782',
			body: { to: 'o151 23456782' },
			segments: 1,
		});
	});

	it('names each wrong number of a lead, also of its secondary contacts', async () => {
		const contact = [{ phoneNumber: '+49 151 12345690' }, { phoneNumber: '+1 555 123' }];
		const parameters = { ...leadPerItem, additionalFields: { secondaryContacts: { contact } } };
		const items = [{ phone: '0151 12345678' }];
		const { output } = await n8n.runNode({ parameters: dry(parameters), items });
		expect(output[0][0]?.json.reason).toMatch(
			/^'Phone Number' has no country code\. Write it .* 'Secondary Contacts → 2 → Phone Number' is too short for \+1\. Check its digits\.$/,
		);
	});

	it('that fails names such items with the others', async () => {
		const items = peopleWith(5, { 1: '0151 12345678', 3: 'nobody', 4: '0151 12345679' });
		const { error } = await n8n.runNode({ parameters: dry(), items });
		expect(String(error?.description).split('\n').slice(0, 3)).toEqual([
			"Would be sent without 'Dry Run': items 0, 2.",
			"Would probably be refused without 'Dry Run': items 1, 4 ('Phone Number' has no country code).",
			expect.stringMatching(/^Not sent: item 3 \('Phone Number' must be a phone number/),
		]);
		const { run } = await n8n.runNode({ parameters: dry(), items, settings: CONTINUE });
		expect(run.data.resultData.runData[NODE_NAME]?.[0]?.hints?.[0]?.message).toContain(
			'Would be sent: 2. Would probably be refused: 2, ',
		);
	});

	it('of an update without a phone number has nothing to say of it', async () => {
		const { parameters } = operationNamed('lead: update');
		const update = { ...parameters, updateFields: { status: 'created' } };
		const { output } = await n8n.runNode({ parameters: dry(update) });
		expect(output[0][0]?.json.result).toBe('would be sent');
	});
});

describe('a run that sends', () => {
	it.each([
		['the number', { phoneNumber: '={{ $json.phone }}' }],
		['a new number of a lead', { updateFields: { phoneNumber: '={{ $json.phone }}' } }],
	])(
		'warns once, before the request of the first item whose number is wrong: %s',
		async (_, own) => {
			const { parameters } = operationNamed('updateFields' in own ? 'lead: update' : 'sms: send');
			const items = peopleWith(4, { 2: '0151 12345678', 3: '0151 12345679' });
			const number = 'phoneNumber' in own ? { to: own.phoneNumber } : own;
			const requestOptions = { maxConcurrentRequests: 1 };
			const { warnings, before } = await runWithLog({
				parameters: { ...parameters, ...number, requestOptions },
				items,
			});
			const field = 'phoneNumber' in own ? 'To Phone Number' : 'Phone Number';
			const warning = `An item would probably be refused: item 2 ('${field}' has no country code).${MORE}`;
			expect(warnings).toEqual([warning]);
			expect(before[2]).toEqual([warning]);
		},
	);

	it('takes the country code of the item, and that of the credential', async () => {
		const items = ['49', '33'].map((code) => ({ phone: '0151 12345678', code }));
		const requestOptions = { defaultCountryCode: '={{ $json.code }}' };
		const { warnings } = await runWithLog({
			parameters: { ...leadPerItem, requestOptions },
			items,
		});
		expect(warnings).toEqual([
			`An item would probably be refused: item 1 ('Phone Number' is too long for +33).${MORE}`,
		]);
		n8n.credential.defaultCountryCode = '49';
		const own = watchWarnings();
		const wrong = peopleWith(3, { 1: '0151 12345678', 2: '0151 1' });
		await n8n.runNode({ parameters: leadPerItem, items: wrong, settings: CONTINUE });
		expect(own).toEqual([
			`An item would probably be refused: item 2 ('Phone Number' is too short).${MORE}`,
		]);
	});

	it('says nothing of a dry run, and of numbers that are looked for', async () => {
		const items = peopleWith(3, { 1: '0151 12345678' });
		expect((await runWithLog({ parameters: dry(), items })).warnings).toEqual([]);
		const numbers = operationNamed('call: getAll').parameters;
		const parameters = { ...numbers, filters: { phoneNumber: '={{ $json.phone }}' } };
		expect((await runWithLog({ parameters, items })).warnings).toEqual([]);
	});
});
