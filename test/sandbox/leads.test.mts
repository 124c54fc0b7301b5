import { describe, expect, it } from '@jest/globals';
import { dataOf, idOf } from '../support/sandbox/client.mts';
import { asObject, objectsOf } from '../support/sandbox/contract.mts';
import { notificationAbout } from '../support/sandbox/calls.mts';
import { expectInvalid, expectResponse } from '../support/sandbox/responses.mts';
import { serviceAndReceiver } from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();

const TIMESTAMP = /^2026-03-02 09:00:00$/;
const create = (body: object) =>
	service.alice.post('/user/lead', { campaign_id: 1, phone_number: '+4915112345699', ...body });

describe('create a lead', () => {
	it('answers with the whole lead, its campaign and its secondary contacts', async () => {
		const response = await create({
			variables: { customer_name: 'Ada', email: 'ada@example.com' },
			secondary_contacts: [
				{ phone_number: '+44 7400 123456', variables: { customer_name: 'Bea' } },
				{ phone_number: '+4915112345698' },
			],
		});
		expectResponse(response, 200, {
			message: 'Lead created successfully',
			data: {
				id: expect.any(Number),
				campaign_id: 1,
				phone_number: '+4915112345699',
				variables: { customer_name: 'Ada', email: 'ada@example.com' },
				status: 'created',
				created_at: expect.stringMatching(TIMESTAMP),
				updated_at: expect.stringMatching(TIMESTAMP),
				campaign: { id: 1, name: 'Spring' },
				secondary_contacts: [
					{
						id: expect.any(Number),
						phone_number: '+447400123456',
						variables: { customer_name: 'Bea' },
						status: 'created',
						created_at: expect.stringMatching(TIMESTAMP),
						updated_at: expect.stringMatching(TIMESTAMP),
					},
					expect.objectContaining({
						phone_number: '+4915112345698',
						variables: {},
						status: 'created',
					}),
				],
			},
		});
	});

	it('gives a lead without more than the required fields empty variables and no contacts', async () => {
		expect(dataOf(await create({}))).toMatchObject({ variables: {}, secondary_contacts: [] });
	});

	it('gives every lead and every secondary contact an id of its own, and all can be updated', async () => {
		const data = dataOf(
			await create({
				secondary_contacts: [
					{ phone_number: '+4915112345698' },
					{ phone_number: '+4915112345697' },
				],
			}),
		);
		const ids = [data, ...objectsOf(data.secondary_contacts)].map((lead) => lead.id);
		expect(new Set(ids).size).toBe(3);
		for (const id of ids) {
			const path = `/user/leads/${String(id)}`;
			expect((await service.alice.put(path, { status: 'completed' })).status).toBe(200);
			expect((await service.bob.put(path, { status: 'completed' })).status).toBe(404);
		}
	});

	it.each([
		['+49 (151) 123-456.99', '+4915112345699'],
		['0049 151 12345699', '+4915112345699'],
		['+1/415/555/2671', '+14155552671'],
		[' +33 6 12 34 56 78 ', '+33612345678'],
	])('writes %j in E.164 as %s', async (phone_number, e164) => {
		expect(dataOf(await create({ phone_number })).phone_number).toBe(e164);
		const data = dataOf(
			await create({
				phone_number: '+4915112345690',
				secondary_contacts: [{ phone_number }],
				allow_dupplicate: true,
			}),
		);
		expect(objectsOf(data.secondary_contacts)[0]?.phone_number).toBe(e164);
	});

	it.each(['015112345699', '12', 'call me', '+49', '+999123456789', '+49151123456991234567'])(
		'refuses the phone number %j, and creates nothing',
		async (phone_number) => {
			const first = await create({ phone_number });
			expectInvalid(first, { phone_number: ['Invalid phone number'] });
			const second = await create({
				secondary_contacts: [{ phone_number: '+4915112345698' }, { phone_number }],
			});
			expectInvalid(second, { 'secondary_contacts.1.phone_number': ['Invalid phone number'] });
			// Neither the lead nor its first contact exists: both can be created now.
			expect(
				(await create({ secondary_contacts: [{ phone_number: '+4915112345698' }] })).status,
			).toBe(200);
		},
	);

	it.each([999, 101])('refuses campaign %d, which is not mine', async (campaign_id) => {
		const response = await create({ campaign_id });
		expectInvalid(response, { campaign_id: ['The selected campaign does not exist'] });
	});

	it('takes further variables and values of any kind', async () => {
		const variables = {
			customer_name: 'Ada',
			score: 7,
			vip: true,
			tags: ['a', 'b'],
			address: { city: 'Bonn' },
			none: null,
		};
		expect(dataOf(await create({ variables })).variables).toEqual(variables);
	});

	it.each([
		[{ variables: { customer_name: 7 } }, 'variables.customer_name'],
		[{ variables: { email: true } }, 'variables.email'],
		[{ secondary_contacts: [{ variables: {} }] }, 'secondary_contacts.0.phone_number'],
		[
			{ secondary_contacts: [{ phone_number: '+4915112345698', variables: { email: 1 } }] },
			'secondary_contacts.0.variables.email',
		],
		[{ allow_dupplicate: 'yes' }, 'allow_dupplicate'],
	])('refuses %j by naming %s', async (fields, name) => {
		const response = await create(fields);
		expectInvalid(response, { [name]: [expect.any(String)] });
	});
});

describe('duplicate leads', () => {
	const lead1 = '+4915112345611';

	it('are refused by default, however the number is written', async () => {
		for (const phone_number of [lead1, '0049 151 123456 11']) {
			for (const fields of [{}, { allow_dupplicate: false }]) {
				const response = await create({ phone_number, ...fields });
				expectInvalid(response, { phone_number: [expect.any(String)] });
			}
		}
	});

	it('are created when allow_dupplicate is true', async () => {
		expect((await create({ phone_number: lead1, allow_dupplicate: true })).status).toBe(200);
	});

	it('are not those of another campaign, nor of another user', async () => {
		expect((await create({ phone_number: lead1, campaign_id: 2 })).status).toBe(200);
		expect(
			(await service.bob.post('/user/lead', { phone_number: lead1, campaign_id: 101 })).status,
		).toBe(200);
	});

	it('are refused among secondary contacts too, by position, and the lead itself is not created', async () => {
		const refused = await create({
			secondary_contacts: [{ phone_number: '+4915112345698' }, { phone_number: lead1 }],
		});
		expectInvalid(refused, { 'secondary_contacts.1.phone_number': [expect.any(String)] });
		expect((await create({})).status).toBe(200);
	});

	it('within one request are duplicates too', async () => {
		const secondary_contacts = [{ phone_number: '+4915112345699' }];
		expect((await create({ secondary_contacts })).status).toBe(422);
		expect((await create({ secondary_contacts, allow_dupplicate: true })).status).toBe(200);
	});
});

describe('update a lead', () => {
	it.each(['created', 'completed', 'reached-max-retries'])('sets the status %s', async (status) => {
		for (const before of ['created', 'completed', 'reached-max-retries']) {
			await service.alice.put('/user/leads/1', { status: before });
			const response = await service.alice.put('/user/leads/1', { status });
			expectResponse(response, 200, { message: 'Lead updated successfully' });
		}
	});

	it('changes nothing when the body is empty', async () => {
		expect((await service.alice.put('/user/leads/1', {})).body).toEqual({
			message: 'Lead updated successfully',
		});
	});

	it('normalises the phone number, which then counts for duplicates', async () => {
		expect(
			(await service.alice.put('/user/leads/1', { phone_number: '0049 151 12345699' })).status,
		).toBe(200);
		expect((await create({ phone_number: '+4915112345699' })).status).toBe(422);
		expect((await create({ phone_number: '+4915112345611' })).status).toBe(200);
	});

	it('moves the lead to another campaign', async () => {
		expect((await service.alice.put('/user/leads/1', { campaign_id: 2 })).status).toBe(200);
		expect((await create({ phone_number: '+4915112345611', campaign_id: 2 })).status).toBe(422);
		expect((await create({ phone_number: '+4915112345611', campaign_id: 1 })).status).toBe(200);
	});

	it('names disallowed fields before it looks at anything else', async () => {
		const response = await service.alice.put('/user/leads/1', {
			zeta: 1,
			status: 'processing',
			alpha: 2,
			campaign_id: 999,
		});
		expectResponse(response, 422, { message: 'Invalid fields: zeta, alpha' });
	});

	it.each(['', '\n', 'a\nb'])('names a disallowed field however odd its name: %j', async (name) => {
		const response = await service.alice.put('/user/leads/1', { [name]: 1 });
		expectResponse(response, 422, { message: `Invalid fields: ${name}` });
	});

	it('changes nothing when one of several fields is refused', async () => {
		await service.alice.put('/user/leads/1', {
			phone_number: '+4915112345699',
			status: 'nonsense',
		});
		expect((await create({ phone_number: '+4915112345611' })).status).toBe(422);
		expect((await create({ phone_number: '+4915112345699' })).status).toBe(200);
	});

	it.each(['0', '-1', '1.0', '1e0', 'abc', '%20', '01x', '9007199254740993'])(
		'answers id %s as not found',
		async (id) => {
			const response = await service.alice.put(`/user/leads/${id}`, { status: 'completed' });
			expectResponse(response, 404, { message: 'Lead not found' });
		},
	);
});

// The API cannot read leads. The notification of a lead's call shows its data.
describe('what the service knows of a lead', () => {
	it('variables are merged on update, not replaced', async () => {
		await service.alice.put('/user/leads/1', {
			variables: { city: 'Köln', email: 'jane@example.com' },
		});
		const { lead, input_variables } = await notificationAbout(service, receiver, 1);
		const merged = { customer_name: 'Jane', city: 'Köln', email: 'jane@example.com' };
		expect(lead).toMatchObject({ id: 1, variables: merged });
		expect(input_variables).toMatchObject(merged);
	});

	it('variables of a refused update are not stored', async () => {
		const response = await service.alice.put('/user/leads/1', {
			variables: { city: 'Köln' },
			campaign_id: 999,
		});
		expect(response.status).toBe(404);
		const { lead } = await notificationAbout(service, receiver, 1);
		expect(lead).toMatchObject({ variables: { customer_name: 'Jane', city: 'Bonn' } });
	});

	it('a change sets updated_at and leaves created_at', async () => {
		const id = idOf(await create({}));
		await service.control.advance('PT1M');
		await service.alice.put(`/user/leads/${id}`, { variables: { note: 'later' } });
		const { lead } = await notificationAbout(service, receiver, id);
		const { created_at, updated_at } = asObject(lead, 'lead');
		expect(Date.parse(String(created_at))).toBe(Date.parse('2026-03-02T09:00:00Z'));
		expect(Date.parse(String(updated_at))).toBeGreaterThanOrEqual(
			Date.parse('2026-03-02T09:01:00Z'),
		);
	});

	it('a new campaign is the campaign of its calls', async () => {
		await service.alice.put('/user/leads/1', { campaign_id: 2 });
		const { campaign } = await notificationAbout(service, receiver, 1);
		expect(campaign).toMatchObject({ id: 2, name: 'Autumn' });
	});

	it('secondary contacts have variables of their own', async () => {
		const data = dataOf(
			await create({
				variables: { customer_name: 'Ada' },
				secondary_contacts: [
					{ phone_number: '+4915112345698', variables: { customer_name: 'Bea' } },
				],
			}),
		);
		const { id } = asObject(objectsOf(data.secondary_contacts)[0], 'contact');
		const { lead } = await notificationAbout(service, receiver, Number(id));
		expect(lead).toMatchObject({
			id,
			phone_number: '+4915112345698',
			variables: { customer_name: 'Bea' },
		});
	});
});
