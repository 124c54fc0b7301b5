import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { leadPerItem, people } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent, fault, service } = await startTestEnvironment();

const MESSAGE = 'A lead with this phone number already exists in the campaign';

const [known = { phone: '' }, fresh = { phone: '' }, third = { phone: '' }] = people(3);

const withChoice = (onDuplicate: string, fields: INodeParameters = {}): INodeParameters => ({
	...leadPerItem,
	additionalFields: { onDuplicate, ...fields },
	requestOptions: { maxConcurrentRequests: 1 },
});

/** Creates the lead that is known from now on. */
const createKnown = async () =>
	await service.alice.post('/user/lead', { campaign_id: 1, phone_number: known.phone });

/** Runs the node on items after the known lead was created. @returns also the bodies that it sent */
async function run(parameters: INodeParameters, items: IDataObject[], settings?: Partial<INode>) {
	await createKnown();
	const { output, error } = await n8n.runNode({ parameters, items, settings });
	const [, ...requests] = await sent();
	return { error, output, bodies: requests.map(({ body }) => body as IDataObject) };
}

const toErrorOutput = { onError: 'continueErrorOutput' } as const;

describe('a duplicate', () => {
	it.each([
		['by default', leadPerItem, undefined],
		['with Fail', withChoice('fail'), false],
	])('is refused %s, and the message is that of the service', async (_, parameters, allow) => {
		const { error, bodies } = await run(parameters, [known]);
		expect(error?.message).toBe(`'Phone Number': ${MESSAGE}`);
		expect(error?.description).toContain("set 'Additional Fields → On Duplicate' to 'Skip'");
		expect(error?.description).not.toContain('Correct');
		expect(bodies).toEqual([
			{ campaign_id: 1, phone_number: known.phone, allow_dupplicate: allow },
		]);
	});

	it('is created anyway if the user wants so', async () => {
		const { output, bodies } = await run(withChoice('createAnyway'), [known]);
		const lead = { result: 'created', phone_number: known.phone, status: 'created' };
		expect(output[0][0]?.json).toMatchObject(lead);
		expect(bodies[0]).toMatchObject({ allow_dupplicate: true });
	});

	it('is skipped with Skip: the others are created, and the output tells them apart', async () => {
		const { output, error } = await run(withChoice('skip'), [known, fresh, fresh, third]);
		expect(error).toBeUndefined();
		const duplicate = { result: 'duplicate', campaign_id: 1, message: MESSAGE };
		const id: unknown = expect.any(Number);
		const created = { result: 'created', campaign_id: 1, status: 'created', id };
		expect(output[0]).toEqual(
			[
				{ ...duplicate, phone_number: known.phone },
				expect.objectContaining({ ...created, phone_number: fresh.phone }),
				{ ...duplicate, phone_number: fresh.phone },
				expect.objectContaining({ ...created, phone_number: third.phone }),
			].map((json: unknown, item) => ({ json, pairedItem: { item } })),
		);
	});
});

describe.each([
	['with 409', { status: 409, body: { message: MESSAGE } }],
	['with 422 in words only', { status: 422, body: { message: MESSAGE } }],
	['with 400 in `error`', { status: 400, body: { error: MESSAGE } }],
])('a duplicate that the service tells %s', (_how, response) => {
	it('is skipped with Skip', async () => {
		await fault({ ...response, times: 1 });
		const { output } = await n8n.runNode({ parameters: withChoice('skip'), items: [fresh] });
		const json = { result: 'duplicate', campaign_id: 1, message: MESSAGE };
		expect(output[0]).toMatchObject([{ json: { ...json, phone_number: fresh.phone } }]);
	});

	it('is no duplicate with Skip where it may mean another of several numbers', async () => {
		await fault({ ...response, times: 1 });
		const secondaryContacts = { contact: [{ phoneNumber: third.phone }] };
		const parameters = withChoice('skip', { secondaryContacts });
		const { error } = await n8n.runNode({ parameters, items: [fresh] });
		expect(error?.message).toContain(MESSAGE);
	});
});

it.each<[string, IDataObject]>([
	[MESSAGE, { id: 9 }],
	['Lead created successfully, already in the queue.', { id: 9, status: 'created' }],
	['Lead created successfully. Duplicate number check is off.', { status: 'created' }],
])('a lead is created where its record comes, whatever is said: %s %j', async (message, data) => {
	await fault({ status: 200, body: { message, data }, times: 2 });
	for (const choice of ['skip', 'fail']) {
		const { output } = await n8n.runNode({ parameters: withChoice(choice), items: [fresh] });
		expect(output[0]).toMatchObject([{ json: { result: 'created', ...data } }]);
	}
});

it.each([
	{ message: MESSAGE },
	{ message: MESSAGE, data: null, errors: { phone_number: [MESSAGE] } },
])(
	'a success without a lead is neither created nor a duplicate, even with Skip: %j',
	async (body) => {
		await fault({ status: 200, body });
		const { output } = await n8n.runNode({
			parameters: withChoice('skip'),
			items: [fresh],
			settings: toErrorOutput,
		});
		expect(output).toMatchObject([[], [{ json: { error: { result: 'unknown' } } }]]);
	},
);

it.each(['Duplicate phone number', 'The phone number has already been taken.'])(
	'a conflict about a number is a duplicate: %s',
	async (message) => {
		await fault({ status: 409, body: { message } });
		const { output } = await n8n.runNode({ parameters: withChoice('skip'), items: [fresh] });
		expect(output[0]).toMatchObject([{ json: { result: 'duplicate' } }]);
	},
);

it.each([
	[409, 'The campaign is already archived'],
	[403, 'The lead limit of your plan is already reached.'],
	[422, 'The lead cannot be added: the campaign is already completed.'],
	[422, 'Phone number invalid. The campaign has already ended.'],
	[402, 'This number was already charged; balance empty'],
	[401, 'The number is already taken'],
	[408, 'This number already exists'],
])('a refusal about something else is no duplicate: %i %s', async (status, message) => {
	await fault({ status, body: { message }, times: 1 });
	const { output, error } = await n8n.runNode({ parameters: withChoice('skip'), items: [fresh] });
	expect(error?.message).toContain(message.replace(/\.$/, ''));
	expect(output[0]).toEqual([]);
});

it('a field `result` of the service does not hide whether the lead is new', async () => {
	await fault({ status: 200, body: { message: 'Done', data: { id: 9, result: 'duplicate' } } });
	const { output } = await n8n.runNode({ parameters: withChoice('fail'), items: [fresh] });
	expect(output[0]).toMatchObject([{ json: { result: 'created', id: 9 } }]);
});

describe('with Skip, it is a refusal and no duplicate', () => {
	const REFUSED = [{ json: { error: { httpCode: '422' } } }];

	it.each<[string, INodeParameters, IDataObject]>([
		['when the number is none', {}, { phone: '+491' }],
		['when the campaign is unknown', { campaignId: '999' }, known],
	])('%s', async (_, fields, item) => {
		const { output } = await run({ ...withChoice('skip'), ...fields }, [item], toErrorOutput);
		expect(output).toMatchObject([[], REFUSED]);
	});

	const contacts = (...phones: string[]) => ({
		secondaryContacts: { contact: phones.map((phoneNumber) => ({ phoneNumber })) },
	});

	it('when a secondary contact is new, because nobody may be lost', async () => {
		const parameters = withChoice('skip', contacts(known.phone, third.phone));
		for (const item of [known, fresh]) {
			await service.reset();
			const { output } = await run(parameters, [item], toErrorOutput);
			expect(output).toMatchObject([[], REFUSED]);
		}
	});

	it('but a duplicate when all contacts are duplicates', async () => {
		const parameters = withChoice('skip', contacts(known.phone));
		const { output } = await run(parameters, [known], toErrorOutput);
		expect(output[0][0]?.json).toMatchObject({ result: 'duplicate', message: MESSAGE });
	});

	const DUPLICATES = Array.from({ length: 20 }, () => 'Duplicate.');

	it.each<[number, Record<string, string[]>, boolean]>([
		[422, { phone_number: ['Has ALREADY been taken.'] }, true],
		[422, { phone_number: ['Duplicate entry.'] }, true],
		[400, { phone_number: ['Duplicate entry.'] }, true],
		[422, { phone_number: ['This number is taken.'] }, false],
		[422, { phone_number: ['Invalid.', 'Already taken.'] }, false],
		[422, { phone_number: ['Duplicate.'], campaign_id: ['Already stopped.'] }, false],
		[422, { campaign_id: ['Already stopped.'] }, false],
		[422, { phone_number: DUPLICATES, campaign_id: ['Stopped.'] }, false],
		[422, {}, false],
		[409, { phone_number: ['Duplicate entry.'] }, true],
		[409, { phone_number: ['Invalid.'] }, false],
		[409, {}, false],
		[500, { phone_number: ['Duplicate entry.'] }, false],
	])('for other words and statuses: %i %j', async (status, errors, isDuplicate) => {
		await fault({ status, body: { message: 'Validation failed', errors } });
		const { output } = await n8n.runNode({
			parameters: withChoice('skip'),
			items: [fresh],
			settings: toErrorOutput,
		});
		expect(output.map((items) => items.length)).toEqual(isDuplicate ? [1, 0] : [0, 1]);
	});
});

it("nothing is sent twice with n8n's Retry On Fail: neither created leads nor duplicates", async () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const items = [known, fresh, { phone: '+491' }, third];
	const { error, bodies } = await run(withChoice('skip'), items, settings);
	expect(error?.message).toBe("'Phone Number': Invalid phone number");
	expect(error?.description).toContain('Succeeded: items 0–1.');
	const phones = bodies.map(({ phone_number }) => phone_number);
	expect(phones).toEqual([known.phone, fresh.phone, '+491', '+491', '+491']);
});
