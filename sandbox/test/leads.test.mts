import { describe, expect, it } from '@jest/globals';
import { getData } from './support/client.mts';
import { asObject, getObjects, type JsonObject } from './support/contract.mts';
import { expectInvalid, expectResponse } from './support/responses.mts';
import { startTestService } from './support/testService.mts';

const service = await startTestService();

const TIMESTAMP = '2026-03-02 09:00:00';
/** The number of Alice's lead 1, of a new lead, and of its contact. */
const [LEAD, NEW, CONTACT] = ['+4915112345611', '+4915112345699', '+4915112345698'];

const create = (fields: object = {}) =>
	service.alice.post('/user/lead', { campaign_id: 1, phone_number: NEW, ...fields });
const update = (fields: object, id = 1) => service.alice.put(`/user/leads/${id}`, fields);
const contacts = (...numbers: string[]) => ({
	secondary_contacts: numbers.map((phone_number) => ({ phone_number })),
});
/** A lead as the control API shows it: the service's own API cannot read leads. */
const record = async (id: number): Promise<JsonObject> =>
	asObject((await service.control.request('GET', `/records/leads/${id}`)).body, 'lead');
/** Fails unless leads with these fields can be created or not: their numbers are free or taken. */
const expectCreated = async (status: 200 | 422, ...all: object[]) => {
	for (const fields of all) expect((await create(fields)).status).toBe(status);
};

describe('create a lead', () => {
	it('answers with the whole lead, its campaign and its secondary contacts', async () => {
		const variables = { customer_name: 'Ada', email: 'ada@example.com' };
		const contact = { variables: { customer_name: 'Bea' } };
		const response = await create({
			variables,
			secondary_contacts: [
				{ ...contact, phone_number: '+44 7400 123456' },
				{ phone_number: CONTACT },
			],
		});
		const same = {
			id: expect.any(Number),
			status: 'created',
			created_at: TIMESTAMP,
			updated_at: TIMESTAMP,
		};
		expectResponse(response, 200, {
			message: 'Lead created successfully',
			data: {
				...same,
				campaign_id: 1,
				phone_number: NEW,
				variables,
				campaign: { id: 1, name: 'Spring' },
				secondary_contacts: [
					{ ...same, ...contact, phone_number: '+447400123456' },
					{ ...same, variables: {}, phone_number: CONTACT },
				],
			},
		});
	});

	it('gives a lead without more than the required fields empty variables and no contacts', async () => {
		expect(getData(await create())).toMatchObject({ variables: {}, secondary_contacts: [] });
	});

	it('gives every lead and every secondary contact an id of its own, and all can be updated', async () => {
		const data = getData(await create(contacts(CONTACT, '+4915112345697')));
		const ids = [data, ...getObjects(data.secondary_contacts)].map((lead) => Number(lead.id));
		expect(new Set(ids).size).toBe(3);
		for (const id of ids) {
			expectResponse(await update({ status: 'completed' }, id), 200, {
				message: 'Lead updated successfully',
			});
			const bobs = await service.bob.put(`/user/leads/${id}`, { status: 'completed' });
			expect(bobs.status).toBe(404);
		}
	});

	it.each([
		['+49 (151) 123-456.99', '+4915112345699'],
		['0049 151 12345699', '+4915112345699'],
		['+1/415/555/2671', '+14155552671'],
		[' +33 6 12 34 56 78 ', '+33612345678'],
	])('writes %j in E.164 as %s', async (phone_number, e164) => {
		expect(getData(await create({ phone_number })).phone_number).toBe(e164);
		const data = getData(await create({ ...contacts(phone_number), allow_dupplicate: true }));
		expect(getObjects(data.secondary_contacts)[0]?.phone_number).toBe(e164);
	});

	it.each(['015112345699', '12', 'call me', '+49', '+999123456789', '+49151123456991234567'])(
		'refuses the phone number %j, and creates nothing',
		async (phone_number) => {
			const errors = ['Invalid phone number'];
			expectInvalid(await create({ phone_number }), { phone_number: errors });
			expectResponse(await update({ phone_number }), 422, { message: errors[0] });
			const second = await create(contacts(CONTACT, phone_number));
			expectInvalid(second, { 'secondary_contacts.1.phone_number': errors });
			// Neither the lead nor its first contact exists: both can be created now.
			await expectCreated(200, contacts(CONTACT));
		},
	);
});

describe('duplicate leads', () => {
	it.each<[what: string, body: object, field: string]>([
		['by default', { phone_number: LEAD }, 'phone_number'],
		['of another form', { phone_number: '0049 151 123456 11' }, 'phone_number'],
		['explicitly', { phone_number: LEAD, allow_dupplicate: false }, 'phone_number'],
		['among contacts', contacts(CONTACT, LEAD), 'secondary_contacts.1.phone_number'],
		['within one request', contacts(NEW), 'secondary_contacts.0.phone_number'],
	])('are refused %s, and nothing is created', async (_what, body, field) => {
		expectInvalid(await create(body), { [field]: [expect.any(String)] });
		await expectCreated(200, contacts(CONTACT));
	});

	it('are created when allow_dupplicate is true, or in another campaign, or by another user', async () => {
		await expectCreated(
			200,
			{ phone_number: LEAD, allow_dupplicate: true },
			{ ...contacts(NEW), allow_dupplicate: true },
			{ phone_number: LEAD, campaign_id: 2 },
		);
		const bobs = { phone_number: LEAD, campaign_id: 101 };
		expect((await service.bob.post('/user/lead', bobs)).status).toBe(200);
	});
});

describe('update a lead', () => {
	const STATUSES = ['created', 'completed', 'reached-max-retries'];
	it.each(STATUSES)('sets the status %s', async (status) => {
		for (const before of STATUSES) {
			await update({ status: before });
			expect((await update({ status })).status).toBe(200);
			expect(await record(1)).toMatchObject({ status });
		}
	});

	it('accepts no change, and normalises the phone number, which then counts for duplicates', async () => {
		expect((await update({})).status).toBe(200);
		expect((await update({ phone_number: '0049 151 12345699' })).status).toBe(200);
		await expectCreated(422, {});
		await expectCreated(200, { phone_number: LEAD });
	});

	it('moves the lead to another campaign', async () => {
		expect((await update({ campaign_id: 2 })).status).toBe(200);
		await expectCreated(422, { phone_number: LEAD, campaign_id: 2 });
		await expectCreated(200, { phone_number: LEAD });
	});

	it('merges the variables, sets updated_at, and leaves everything else', async () => {
		const before = await record(1);
		await service.control.advance('PT1M');
		await update({ variables: { city: 'Köln', email: 'jane@example.com' } });
		const variables = { customer_name: 'Jane', city: 'Köln', email: 'jane@example.com' };
		const updated_at = '2026-03-02T09:01:00.000Z';
		const after = { ...before, variables, input_variables: variables, updated_at };
		expect(await record(1)).toEqual(after);
	});

	// contract: Errors.
	it.each([
		[{ phone_number: '' }, 422, { message: 'Invalid phone number' }],
		[{ campaign_id: 999 }, 404, { message: 'Campaign not found' }],
		[{ zeta: 1, status: 'new', alpha: 2 }, 422, { message: 'Invalid fields: zeta, alpha' }],
		[
			{ campaign_id: 'spring', status: 'scheduled', variables: 1 },
			422,
			{
				message: 'Validation failed',
				errors: {
					campaign_id: ['The selected campaign does not exist'],
					status: ['This status is assigned automatically and cannot be set manually'],
					variables: ['Variables must be an array'],
				},
			},
		],
	])('is refused with %j in the words of the contract', async (fields, status, body) => {
		expectResponse(await update(fields), status, body);
	});

	it.each([
		{ phone_number: NEW, status: 'nonsense' },
		{ variables: { city: 'Köln' }, campaign_id: 999 },
	])('changes nothing when one of several fields is refused: %j', async (fields) => {
		const before = await record(1);
		expect((await update(fields)).status).toBeGreaterThanOrEqual(400);
		expect(await record(1)).toEqual(before);
	});
});
