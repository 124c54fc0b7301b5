import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { ACTION_AS_TOOL } from '../../../support/n8n/n8n.mts';
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

/** Creates the lead that is known from now on, and runs the node on items. */
async function run(parameters: INodeParameters, items: IDataObject[], settings?: Partial<INode>) {
	await service.alice.post('/user/lead', { campaign_id: 1, phone_number: known.phone });
	const { output, error } = await n8n.runNode({ parameters, items, settings });
	const [, ...requests] = await sent();
	return {
		error,
		output: output.map((items) => items.map(({ json, pairedItem }) => ({ json, pairedItem }))),
		requests,
	};
}

const toErrorOutput = { onError: 'continueErrorOutput' } as const;

describe('a duplicate', () => {
	it.each([
		['by default', leadPerItem, undefined],
		['with Fail', withChoice('fail'), false],
	])('is refused %s, and the message is that of the service', async (_, parameters, allow) => {
		const { error, requests } = await run(parameters, [known]);
		expect(error?.message).toBe(`'Phone Number': ${MESSAGE}`);
		expect(requests.map(({ body }) => body)).toEqual([
			{ campaign_id: 1, phone_number: known.phone, allow_dupplicate: allow },
		]);
	});

	it('is created anyway if the user wants so', async () => {
		const { output, requests } = await run(withChoice('createAnyway'), [known]);
		const lead = { result: 'created', phone_number: known.phone, status: 'created' };
		expect(output[0]?.[0]?.json).toMatchObject(lead);
		expect(requests[0]?.body).toMatchObject({ allow_dupplicate: true });
	});

	it('is skipped with Skip: the others are created, and the output tells them apart', async () => {
		const { output, error } = await run(withChoice('skip'), [known, fresh, fresh, third]);
		expect(error).toBeUndefined();
		const duplicate = { result: 'duplicate', campaign_id: 1, message: MESSAGE };
		const created = {
			result: 'created',
			campaign_id: 1,
			status: 'created',
			id: expect.any(Number),
		};
		expect(output[0]).toEqual([
			{ json: { ...duplicate, phone_number: known.phone }, pairedItem: { item: 0 } },
			{
				json: expect.objectContaining({ ...created, phone_number: fresh.phone }),
				pairedItem: { item: 1 },
			},
			{ json: { ...duplicate, phone_number: fresh.phone }, pairedItem: { item: 2 } },
			{
				json: expect.objectContaining({ ...created, phone_number: third.phone }),
				pairedItem: { item: 3 },
			},
		]);
	});

	it('is told from a created lead also when the service shows no lead', async () => {
		const message = 'Lead created successfully';
		await fault({ status: 200, body: { message, data: {} } });
		const { output } = await n8n.runNode({ parameters: withChoice('skip'), items: [fresh] });
		expect(output[0][0]?.json).toEqual({ result: 'created', message });
	});

	it('is told to an AI agent too', async () => {
		await service.alice.post('/user/lead', { campaign_id: 1, phone_number: known.phone });
		const parameters = withChoice('skip');
		const { output } = await n8n.runNode({ parameters, items: [known], type: ACTION_AS_TOOL });
		expect(output[0][0]?.json).toMatchObject({ result: 'duplicate', message: MESSAGE });
	});
});

describe('with Skip, it is a refusal and no duplicate', () => {
	it.each<[string, INodeParameters, IDataObject]>([
		['when the number is none', {}, { phone: '+491' }],
		['when the campaign is unknown', { campaignId: '999' }, known],
	])('%s', async (_, fields, item) => {
		const { output } = await run({ ...withChoice('skip'), ...fields }, [item], toErrorOutput);
		expect(output[0]).toEqual([]);
		expect(output[1]).toMatchObject([{ json: { error: { httpCode: '422' } } }]);
	});

	const contacts = (...phones: string[]) => ({
		secondaryContacts: { contact: phones.map((phoneNumber) => ({ phoneNumber })) },
	});

	it('when a secondary contact is new, because nobody may be lost', async () => {
		const parameters = withChoice('skip', contacts(known.phone, third.phone));
		for (const item of [known, fresh]) {
			await service.reset();
			const { output } = await run(parameters, [item], toErrorOutput);
			expect(output).toMatchObject([[], [{ json: { error: { httpCode: '422' } } }]]);
		}
	});

	it('but a duplicate when all contacts are duplicates', async () => {
		const parameters = withChoice('skip', contacts(known.phone));
		const { output } = await run(parameters, [known], toErrorOutput);
		expect(output[0]?.[0]?.json).toMatchObject({ result: 'duplicate', message: MESSAGE });
	});

	const refusal = (status: number, errors?: Record<string, string[]>) => ({
		status,
		body: { message: 'Validation failed', ...(errors && { errors }) },
	});

	it.each([
		[refusal(422, { phone_number: ['Has ALREADY been taken.'] }), true],
		[refusal(422, { phone_number: ['Duplicate entry.'] }), true],
		[refusal(422, { phone_number: ['This number is taken.'] }), false],
		[refusal(422, { phone_number: ['Invalid.', 'Already taken.'] }), false],
		[refusal(422, { phone_number: ['Duplicate.'], campaign_id: ['Already stopped.'] }), false],
		[refusal(422, { campaign_id: ['Already stopped.'] }), false],
		[
			refusal(422, {
				phone_number: Array.from({ length: 20 }, () => 'Duplicate.'),
				campaign_id: ['Stopped.'],
			}),
			false,
		],
		[refusal(422), false],
		[refusal(409, { phone_number: ['Duplicate entry.'] }), false],
		[refusal(500, { phone_number: ['Duplicate entry.'] }), false],
	])('for other words and statuses: %j', async (response, isDuplicate) => {
		await fault({ ...response, times: 1 });
		const { output } = await n8n.runNode({
			parameters: withChoice('skip'),
			items: [fresh],
			settings: toErrorOutput,
		});
		expect(output.map((items) => items.length)).toEqual(isDuplicate ? [1, 0] : [0, 1]);
	});
});

describe('nothing is sent twice', () => {
	it("with n8n's Retry On Fail: neither created leads nor duplicates", async () => {
		const { error, requests } = await run(
			withChoice('skip'),
			[known, fresh, { phone: '+491' }, third],
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		);
		expect(error?.message).toBe("'Phone Number': Invalid phone number");
		expect(error?.description).toContain('Succeeded: items 0–1.');
		const phones = requests.map(({ body }) => (body as IDataObject).phone_number);
		expect(phones).toEqual([known.phone, fresh.phone, '+491', '+491', '+491']);
	});

	it('when two runs have the same numbers at the same time', async () => {
		const items = people(60);
		const parameters = { ...leadPerItem, additionalFields: { onDuplicate: 'skip' } };
		const runs = await Promise.all([1, 2].map(() => n8n.runNode({ parameters, items })));
		const results = runs.map(({ output }) => output[0].map(({ json }) => json.result));
		for (const [item] of items.entries()) {
			expect(results.map((ofRun) => ofRun[item]).sort()).toEqual(['created', 'duplicate']);
		}
		expect(await sent()).toHaveLength(120);
	});
});
