import { describe, expect, it } from '@jest/globals';
import { A_CALL, getCalls, setCampaign } from './support/calls.mts';
import { getId, getRows } from './support/client.mts';
import { getObjects, operations, type JsonObject } from './support/contract.mts';
import { expectResponse } from './support/responses.mts';
import { NOW, newAssistant } from './support/seed.mts';
import { startOwnService } from './support/testService.mts';
import { serviceAndReceiver, UNFINISHED_STATUSES } from './support/webhooks.mts';

/** The operations that no contract shows: public-service.md, Endpoints. */
const { service, receiver } = await serviceAndReceiver();
const { alice, control } = service;

const ISO_NOW = NOW.replace('Z', '.000000Z');
const PLAIN_NOW = NOW.replace('T', ' ').replace('Z', '');
const CALL_NOW = { assistant_id: 1, phone_number: '+4915112345655' };
const CAMPAIGN = { name: 'Summer', assistant_id: 1 };
const number = (end: number) => `+49151123456${end}`;
const addLead = (fields: JsonObject) => alice.post('/user/lead', { campaign_id: 1, ...fields });
const readList = async (path: string) => {
	const [address = '', query] = path.split('?');
	return getObjects(
		(await alice.get(address, Object.fromEntries(new URLSearchParams(query)))).body,
	);
};
const idsOf = (records: JsonObject[]) => records.map(({ id }) => id);

it('are marked with the documents that show them', () => {
	const marks = operations.flatMap(({ definition }) => definition['x-documented'] ?? []);
	expect(marks).toHaveLength(23);
	for (const mark of marks) expect(mark).toMatch(/^S\d+[a-c]?(, S\d+[a-c]?)*$/);
});

describe('a list is bare, with what belongs to the user', () => {
	it.each<[path: string, ids: unknown[], first: JsonObject]>([
		['/user/tools', [1, 2], { name: 'get_weather', method: 'GET', created_at: ISO_NOW }],
		[
			'/user/campaigns',
			[1, 2],
			{
				...{ name: 'Spring', status: 'draft', max_calls_in_parallel: 3, max_retries: 3 },
				...{ retry_interval: 60, mark_complete_when_no_leads: false },
				...{ allowed_hours_start_time: '00:00:00', allowed_hours_end_time: '23:59:00' },
			},
		],
		['/user/assistants', [1, 2], { name: 'Caller', type: 'outbound', tools: [{ id: 1 }] }],
		['/user/assistants/outbound', [1], { name: 'Caller', mode: 'pipeline', language_id: 1 }],
		[
			'/user/assistants/voices?mode=dualplex',
			[1, 2],
			{ name: 'Anna', language_id: 1, gender: 'female', accent: null },
		],
		['/user/assistants/voices?language_id=2', [], {}],
		['/user/assistants/languages', [1, 2], { name: 'English', iso_2: 'en' }],
		['/user/assistants/models', [1, 2], { name: 'gpt-4o' }],
		['/user/assistants/models?type=multimodal', [3], { name: 'Realtime A', code: 'realtime-a' }],
		[
			'/user/assistants/phone-numbers',
			[1, 2, 3, 4],
			{ country_code: 'DE', type_label: 'Dedicated Number', is_available: true },
		],
		// An inbound assistant has the fourth.
		['/user/assistants/phone-numbers?type=inbound', [1, 2, 3], {}],
	])('%s', async (path, ids, first) => {
		const records = await readList(path);
		expect(idsOf(records)).toEqual(ids);
		if (ids.length > 0) expect(records[0]).toMatchObject(first);
	});

	it('/user/assistants/phone-numbers?type=inbound has no caller IDs', async () => {
		const lines = ['normal', 'caller_id'].map((type, index) => {
			return { id: index + 1, type, phone_number: number(80 + index) };
		});
		await using own = await startOwnService({
			seed: { users: [{ token: alice.token, phone_numbers: lines }] },
		});
		const read = async (type: string) =>
			(await own.alice.get('/user/assistants/phone-numbers', { type })).body;
		expect(await read('outbound')).toMatchObject([{ id: 1 }, { id: 2 }]);
		expect(await read('inbound')).toMatchObject([{ id: 1 }]);
	});

	it('/user/phone-numbers/all is in data', async () => {
		const rows = getRows(await alice.get('/user/phone-numbers/all'));
		expect(rows[0]).toEqual({
			...{ id: 1, phone_number: '+4915112345601', nickname: null, country_code: 'DE' },
			...{ type: 'normal', type_label: 'Dedicated Number', sms_capable: true, region: 'us1' },
			...{ has_active_subscription: true, created_at: ISO_NOW },
		});
		expect(rows.map((row) => row.has_active_subscription)).toEqual([true, true, false, true]);
	});
});

it('one record is bare', async () => {
	const { body: tool } = await alice.get('/user/tools/2');
	expect(tool).toMatchObject({ id: 2, name: 'book_table', method: 'POST' });
	expectResponse(await alice.get('/user/me'), 200, {
		...{ name: 'User 1', email: 'user1@example.com', total_balance: 10 },
	});
	await alice.post('/user/make_call', CALL_NOW);
	const [call] = await getCalls(alice);
	expectResponse(await alice.get('/user/calls/1'), 200, call);
});

it.each([
	['GET', '/user/tools/101', 'Tool not found'],
	['DELETE', '/user/tools/101', 'Tool not found'],
	['GET', '/user/calls/101', 'Call not found'],
	['DELETE', '/user/calls/101', 'Call not found'],
	['DELETE', '/user/leads/101', 'Lead not found'],
	['DELETE', '/user/campaign/101', 'Campaign not found'],
	['DELETE', '/user/assistant/101', 'Assistant not found'],
])('%s %s of another user → 404 %s', async (method, path, message) => {
	for (const each of [path, path.replace('101', '999'), path.replace('101', 'x')]) {
		expectResponse(await alice.request(method, each), 404, { message });
	}
});

it.each([
	['/user/assistants/models', { type: 'other' }, 'type'],
	['/user/assistants/voices', { mode: 'other' }, 'mode'],
	['/user/leads', { status: 'other', per_page: 101 }, 'status per_page'],
])('GET %s refuses %j', async (path, query, fields) => {
	const { status, body } = await alice.get(path, query);
	const errors = Object.fromEntries(fields.split(' ').map((name) => [name, expect.any(Array)]));
	expect({ status, body }).toMatchObject({ status: 422, body: { errors } });
});

describe('delete', () => {
	it.each([
		['/user/tools/1', 'Tool deleted successfully', '/user/tools', [2]],
		['/user/campaign/1', 'Campaign deleted successfully', '/user/campaigns', [2]],
		['/user/assistant/2', 'Assistant deleted successfully', '/user/assistants', [1]],
	])('%s → %s', async (path, message, list, left) => {
		expectResponse(await alice.delete(path), 200, { message });
		expect(idsOf(await readList(list))).toEqual(left);
		expect((await alice.delete(path)).status).toBe(404);
	});

	it('of a tool detaches it from all assistants', async () => {
		await alice.put('/user/assistant/2', { tool_ids: [2, 1] });
		await alice.delete('/user/tools/1');
		const tools = (await readList('/user/assistants')).map((each) => getObjects(each.tools));
		expect(tools.map(idsOf)).toEqual([[], [2]]);
	});

	it('of a lead takes its secondary contacts', async () => {
		const secondary_contacts = [{ phone_number: number(31) }, { phone_number: number(32) }];
		const id = getId(await addLead({ phone_number: number(30), secondary_contacts }));
		const [, lead] = getRows(await alice.get('/user/leads'));
		expect(lead).toMatchObject({ id, secondary_contacts });
		expectResponse(await alice.delete(`/user/leads/${id}`), 200, {
			message: 'Lead deleted successfully',
		});
		expect(idsOf(getRows(await alice.get('/user/leads')))).toEqual([1]);
	});

	it('of a campaign takes its leads and calls nobody any more', async () => {
		await setCampaign(service, 'start');
		await alice.delete('/user/campaign/1');
		await control.advance('P7D');
		expect(getRows(await alice.get('/user/leads'))).toEqual([]);
		expect(await getCalls(alice)).toHaveLength(1);
	});

	it('of a call takes its recording', async () => {
		await alice.put('/user/assistant/1', { record_call: true });
		await alice.post('/user/make_call', CALL_NOW);
		await control.advance(A_CALL);
		const { recording_url: url } = (await alice.get('/user/calls/1')).body as JsonObject;
		const recording = () => fetch(String(url)).then(({ status }) => status);
		expect(await recording()).toBe(200);
		expectResponse(await alice.delete('/user/calls/1'), 200, {
			message: 'Call deleted successfully',
		});
		expect(await recording()).toBe(404);
		expect(await getCalls(alice)).toEqual([]);
	});

	it.each([
		'/user/assistant/1',
		'/user/calls/1',
		'/user/tools/1',
		'/user/campaign/1',
		'/user/leads/1',
	])('%s during a call that uses it breaks nothing', async (path) => {
		await setCampaign(service, 'start');
		await control.advance('PT15S');
		expect((await alice.delete(path)).status).toBe(200);
		await control.advance('P7D');
		const calls = await getCalls(alice);
		expect(calls.every((call) => !UNFINISHED_STATUSES.includes(String(call.status)))).toBe(true);
	});
});

describe('the list of leads', () => {
	it('has pages of whole leads', async () => {
		await addLead({ phone_number: number(12), campaign_id: 2 });
		const { body } = await alice.get('/user/leads', { per_page: 1 });
		expect(body).toMatchObject({
			...{ current_page: 1, per_page: 1, total: 2, last_page: 2 },
			next_page_url: `${service.url}/user/leads?per_page=1&page=2`,
			data: [
				{
					...{ id: 1, campaign_id: 1, phone_number: number(11), status: 'created' },
					variables: { customer_name: 'Jane', city: 'Bonn' },
					campaign: { id: 1, name: 'Spring' },
					secondary_contacts: [],
					created_at: PLAIN_NOW,
				},
			],
		});
	});

	it.each<[query: Record<string, string | number>, ids: number[]]>([
		[{ phone_number: '5612' }, [102]],
		[{ phone_number: '456' }, [1, 102]],
		[{ phone_number: '%' }, []],
		[{ campaign_id: 2 }, [102]],
		[{ status: 'completed' }, [102]],
		[{ status: 'blacklisted' }, []],
		[{ date_from: '2026-03-03' }, [102]],
		[{ date_to: '2026-03-02' }, [1]],
		[{ date_from: '2026-03-02', date_to: '2026-03-03', status: 'created' }, [1]],
	])('filters by %j', async (query, ids) => {
		await control.advance('P1D');
		await addLead({ phone_number: number(12), campaign_id: 2 });
		await alice.put('/user/leads/102', { status: 'completed' });
		expect(idsOf(getRows(await alice.get('/user/leads', query)))).toEqual(ids);
	});
});

it.each([
	['PATCH', '/user/leads/1'],
	['PUT', '/leads/1'],
])('%s %s updates a lead', async (method, path) => {
	const message = 'Lead updated successfully';
	const json = { status: 'completed', variables: { city: 'Ulm' } };
	expectResponse(await alice.request(method, path, { json }), 200, { message });
	const [lead] = getRows(await alice.get('/user/leads'));
	expect(lead).toMatchObject({ ...json, variables: { customer_name: 'Jane', city: 'Ulm' } });
	const refused = await alice.request(method, path, { json: { email: 'a', notes: 'b' } });
	expectResponse(refused, 422, { message: 'Invalid fields: email, notes' });
});

describe('call now', () => {
	it('begins a call without a campaign, which goes on like every call', async () => {
		await alice.put('/user/assistant/1', { webhook_url: receiver.url, is_webhook_active: true });
		const variables = { customer_name: 'Ada' };
		expectResponse(await alice.post('/user/make_call', { ...CALL_NOW, variables }), 200, {
			...{ message: 'Call initiated successfully', call_id: 1, status: 'initiated' },
		});
		await control.advance(A_CALL);
		const call = { status: 'completed', client_phone_number: CALL_NOW.phone_number };
		expect(await getCalls(alice)).toMatchObject([{ id: 1, type: 'outbound', ...call }]);
		expect(receiver.arrivals[0]?.body).toMatchObject({ input_variables: variables, lead: null });
	});

	const FORMAT = 'Invalid phone number format. Please use E.164 format (e.g. +1234567890)';
	it.each<[fields: JsonObject, status: number, message: string]>([
		...['015112345655', '+49 151 12345655', '004915112345655', '+49', 'me'].map(
			(phone_number): [JsonObject, number, string] => [{ phone_number }, 400, FORMAT],
		),
		[
			{ assistant_id: 101 },
			404,
			'Assistant not found or does not belong to the authenticated user',
		],
	])('refuses %j → %i', async (fields, status, message) => {
		const response = await alice.post('/user/make_call', { ...CALL_NOW, ...fields });
		expectResponse(response, status, { message });
		expect(await getCalls(alice)).toEqual([]);
	});

	it('refuses an account without balance', async () => {
		const users = [{ token: alice.token, balance: 0, assistants: [{ ...newAssistant, id: 1 }] }];
		await using own = await startOwnService({ seed: { users } });
		expectResponse(await own.alice.post('/user/make_call', CALL_NOW), 422, {
			message: 'Insufficient balance to make call. Please top up your account.',
		});
	});
});

describe('a campaign that is created', () => {
	it('is a draft with the fields of the request, or their defaults', async () => {
		const defaults = {
			...{ id: 102, name: 'Summer', status: 'draft', max_calls_in_parallel: 3 },
			...{ mark_complete_when_no_leads: true, max_retries: 3, retry_interval: 60 },
			...{ allowed_hours_start_time: '00:00:00', allowed_hours_end_time: '23:59:00' },
			allowed_days: expect.arrayContaining(['monday', 'sunday']),
			...{ created_at: ISO_NOW, updated_at: ISO_NOW },
		};
		expectResponse(await alice.post('/user/campaigns', CAMPAIGN), 201, {
			message: 'Campaign created successfully',
			data: defaults,
		});
		const chosen = {
			...{ max_calls_in_parallel: 1, max_retries: 5, retry_interval: 10 },
			...{ allowed_days: ['monday'], mark_complete_when_no_leads: false },
		};
		await alice.post('/user/campaigns', {
			...{ ...CAMPAIGN, ...chosen, phone_number_ids: [1, 4], timezone: 'Europe/Berlin' },
			...{ allowed_hours_start_time: '09:00', goal_completion_variable: 'booked' },
		});
		const [, , , second] = await readList('/user/campaigns');
		expect(second).toEqual({
			...{ ...defaults, ...chosen, id: 103, allowed_hours_start_time: '09:00:00' },
		});
	});

	it.each<[fields: JsonObject, errors: JsonObject]>([
		[{ name: undefined }, { name: ['The name field is required.'] }],
		[
			{ max_calls_in_parallel: 11, retry_interval: 9 },
			{
				max_calls_in_parallel: ['The max calls in parallel must be between 1 and 10.'],
				retry_interval: ['The retry interval must be between 10 and 4320.'],
			},
		],
		[
			{ phone_number_ids: [1, 101] },
			{ 'phone_number_ids.1': ['The selected phone_number_ids.1 is invalid.'] },
		],
	])('is refused with %j', async (fields, errors) => {
		const response = await alice.post('/user/campaigns', { ...CAMPAIGN, ...fields });
		expectResponse(response, 422, { message: 'The given data was invalid.', errors });
	});

	it.each([2, 101, 999])(
		'is refused with assistant %i, who does not call',
		async (assistant_id) => {
			expectResponse(await alice.post('/user/campaigns', { ...CAMPAIGN, assistant_id }), 404, {
				message: 'Assistant not found or not an outbound assistant.',
			});
		},
	);

	/** Calls these numbers in a new campaign for a week. @returns the campaign, and its calls, the oldest first */
	async function play(fields: JsonObject, ...numbers: string[]) {
		const id = getId(await alice.post('/user/campaigns', { ...CAMPAIGN, ...fields }));
		for (const phone_number of numbers) await addLead({ campaign_id: id, phone_number });
		await setCampaign(service, 'start', id);
		await control.advance('PT1S');
		const atOnce = await getCalls(alice);
		await control.advance('P7D');
		const campaign = (await readList('/user/campaigns')).find((each) => each.id === id);
		return { atOnce: atOnce.length, campaign, calls: (await getCalls(alice)).reverse() };
	}

	it.each([1, 2])('calls %i leads at the same time', async (most) => {
		const { atOnce, calls } = await play(
			{ max_calls_in_parallel: most },
			...[71, 72, 73].map(number),
		);
		expect([atOnce, calls.length]).toEqual([most, 3]);
	});

	it('calls again after its own wait, as often as it says', async () => {
		// The scenario of this ending is that nobody answers.
		const { calls } = await play({ max_retries: 2, retry_interval: 10 }, '+4915112399901');
		const statuses = calls.map(({ status }) => status);
		expect(new Set(statuses).size).toBe(1);
		expect(statuses).toHaveLength(2);
		const [first, second] = calls.map((call) => Date.parse(String(call.created_at)));
		expect(Number(second) - Number(first)).toBeGreaterThan(10 * 60_000);
		expect(Number(second) - Number(first)).toBeLessThan(15 * 60_000);
	});

	it.each([
		[{}, 'completed'],
		[{ mark_complete_when_no_leads: false }, 'in-progress'],
	])('with %j is %s after its last lead', async (fields, status) => {
		const { campaign } = await play(fields, number(71), number(72));
		expect(campaign).toMatchObject({ status });
	});
});

it('enable-webhook sends calls to the URL', async () => {
	const enabled = { assistant_id: 1, webhook_url: receiver.url };
	expectResponse(await alice.post('/user/assistants/enable-webhook', enabled), 200, {
		message: 'Webhook enabled successfully',
		data: [],
	});
	await alice.post('/user/make_call', CALL_NOW);
	await control.advance(A_CALL);
	expect(receiver.arrivals).toHaveLength(1);
	expectResponse(await alice.post('/user/assistants/enable-webhook', {}), 422, {
		message: 'The given data was invalid.',
		errors: {
			assistant_id: ['The assistant id field is required.'],
			webhook_url: ['The webhook url field is required.'],
		},
	});
	const unknown = { ...enabled, assistant_id: 101 };
	expectResponse(await alice.post('/user/assistants/enable-webhook', unknown), 404, {
		message: 'Assistant not found',
	});
});
