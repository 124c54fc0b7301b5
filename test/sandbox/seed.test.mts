import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { createSandbox } from '../../sandbox/index.mts';
import { assistantRecord, callsOf } from '../support/sandbox/calls.mts';
import { rowsOf, serviceClient } from '../support/sandbox/client.mts';
import { startReceiver } from '../support/sandbox/receiver.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { ALICE, BOB, newAssistant, newTool } from '../support/sandbox/seed.mts';

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const receiver = await startReceiver();
afterAll(() => receiver.close());

const withToken = (fields: object) => ({ users: [{ token: 't', ...fields }] });
const assistant = { ...newAssistant, id: 1 };
const campaign = { id: 1, name: 'C', assistant_id: 1 };
const call = {
	id: 1,
	assistant_id: 1,
	type: 'inbound',
	status: 'completed',
	client_phone_number: '+4915112345611',
};

/** Starts a service whose only user is Bob, with these fields. */
const startWithBob = (fields: object = {}) =>
	startOwnService({ seed: { users: [{ token: BOB, ...fields }] } });

describe('a seed', () => {
	it('may have one user with nothing but a token', async () => {
		await using own = await startWithBob();
		expect((await own.bob.get('/user/calls')).body).toMatchObject({ total: 0 });
		expect((await own.alice.get('/user/calls')).status).toBe(401);
	});

	it('fills in the defaults of what it creates', async () => {
		await using own = await startWithBob({
			assistants: [{ ...newAssistant, id: 8, variables: { a: 1 } }],
		});
		expect(await assistantRecord(own.bob, 8)).toMatchObject({
			variables: { a: 1 },
			reengagement_interval: 30,
			status: 'active',
		});
	});

	it('may hold calls with everything a call record has', async () => {
		const record = {
			id: 4,
			type: 'web',
			status: 'ended_by_customer',
			duration: 31,
			client_phone_number: '+4915112345611',
			assistant_phone_number: '+4915112345600',
			transcript: 'Hello?',
			variables: { booked: true },
			evaluation: { mood: 'good' },
			webhook_response: { status: 200, body: 'ok' },
			carrier_cost: 0.01,
			total_cost: 0.11,
			answered_by: 'human',
			recording_url: 'https://example.com/4.mp3',
			created_at: '2026-02-01 10:00:00',
			updated_at: '2026-02-01 10:00:40',
		};
		await using own = await startWithBob({
			assistants: [assistant],
			calls: [{ ...record, assistant_id: 1 }],
		});
		expect(await callsOf(own.bob)).toEqual([{ ...record, assistant_name: 'Reception' }]);
	});

	it('gives ids where it names none, none of them twice, over all users', async () => {
		await using own = await startOwnService({
			seed: {
				users: [
					{
						token: ALICE,
						voices: [{ id: 1, name: 'Anna' }],
						assistants: [{ ...newAssistant, id: 40 }, newAssistant],
					},
					{ token: BOB, voices: [{ id: 1, name: 'Anna' }], assistants: [newAssistant] },
				],
			},
		});
		await own.bob.post('/user/assistant', newAssistant);
		await own.alice.post('/user/assistant', newAssistant);
		const ids = [own.alice, own.bob].map(async (user) =>
			rowsOf(await user.get('/user/assistants/get')).map((record) => record.id),
		);
		const all = (await Promise.all(ids)).flat();
		expect(all).toHaveLength(5);
		expect(new Set(all).size).toBe(5);
	});

	it('says how long ago a call was, and what an assistant and a campaign are at', async () => {
		const inbound_webhook_url = 'https://example.com/in';
		await using own = await startWithBob({
			voices: [{ id: 1, name: 'Anna' }],
			assistants: [{ ...assistant, status: 'inactive', inbound_webhook_url }],
			campaigns: [{ id: 1, name: 'Running', assistant_id: 1, status: 'in-progress' }],
			leads: [{ id: 1, campaign_id: 1, phone_number: '+4915112345611' }],
			calls: [{ ...call, ago: 'P1DT2H' }],
		});
		expect((await callsOf(own.bob)).at(-1)).toMatchObject({ created_at: '2026-03-01 07:00:00' });
		expect(await assistantRecord(own.bob, 1)).toMatchObject({
			status: 'inactive',
			inbound_webhook_url,
		});
		await own.control.advance('PT5M');
		expect(await callsOf(own.bob, { campaign_id: 1 })).toHaveLength(1);
	});

	it('says which tool is used in the calls to a lead, and with which arguments', async () => {
		const lead = { campaign_id: 1, phone_number: '+4915112345611' };
		const endpoint = receiver.url;
		await using own = await startWithBob({
			voices: [{ id: 1, name: 'Anna' }],
			tools: [
				{ ...newTool, id: 1, endpoint },
				{ ...newTool, id: 2, endpoint, name: 'book_table', method: 'POST' },
			],
			assistants: [{ ...assistant, tool_ids: [1, 2] }],
			campaigns: [{ ...campaign, status: 'in-progress' }],
			leads: [
				{ ...lead, id: 1, tool: { name: 'book_table', arguments: { guests: 2 } } },
				{ ...lead, id: 2, scenario: 'tool-call' },
				{ ...lead, id: 3, tool: { name: 'cook' } },
				{ ...lead, id: 4 },
			],
		});
		await own.control.advance('PT5M');
		expect(await own.control.toolRequests()).toMatchObject([
			{ call_id: 1, tool_id: 2, arguments: { guests: 2 }, status: 200 },
			{ call_id: 2, tool_id: 1, arguments: {}, status: 200 },
		]);
		const posted = receiver.arrivals.filter(({ method }) => method === 'POST');
		expect(posted.map(({ body }) => body)).toEqual([{ guests: 2 }]);
		const statuses = (await callsOf(own.bob)).map((record) => record.status);
		expect(statuses).toEqual(['completed', 'completed', 'completed', 'completed']);
	});

	it('without a file is the default one, which makes the example worth looking at', async () => {
		const own = await createSandbox({ port: 0 });
		try {
			expect(own.token).toBe('sandbox-token');
			const user = serviceClient(own.url, own.token);
			expect(await assistantRecord(user, 1)).toMatchObject({ type: 'outbound' });
			expect(await assistantRecord(user, 2)).toMatchObject({ type: 'inbound' });
			const sms = await user.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' });
			expect(sms.status).toBe(200);
			const started = await user.post('/user/campaigns/update-status', {
				campaign_id: 1,
				action: 'start',
			});
			expect(started.status).toBe(200);
		} finally {
			await own.close();
		}
	});
});

describe('a seed that is wrong is refused in words that name what is wrong', () => {
	it.each<[string, unknown, RegExp]>([
		['broken YAML', 'users: [', /seed\.yaml/],
		['nothing', '', /object/],
		['no users', {}, /users/],
		['an empty list of users', { users: [] }, /users/],
		['a user without a token', { users: [{ balance: 5 }] }, /token/],
		['a balance that is no number', withToken({ balance: 'lots' }), /balance/],
		['a field that does not exist', withToken({ assitants: [] }), /assitants/],
		[
			'an assistant that breaks the contract',
			withToken({ assistants: [{ ...assistant, speech_speed: 9 }] }),
			/speech_speed/,
		],
		[
			'an assistant without a required field',
			withToken({ assistants: [{ id: 1 }] }),
			/assistant_name/,
		],
		[
			'an assistant with an unknown tool',
			withToken({ assistants: [{ ...assistant, tool_ids: [5] }] }),
			/tool_ids/,
		],
		[
			'an assistant with an unknown phone number',
			withToken({ assistants: [{ ...assistant, phone_number_id: 5 }] }),
			/phone_number_id/,
		],
		[
			'a tool that breaks the contract',
			withToken({ tools: [{ ...newTool, id: 1, name: 'Bad' }] }),
			/name/,
		],
		[
			'a campaign of an unknown assistant',
			withToken({ campaigns: [campaign] }),
			/campaigns.0.*assistant 1/,
		],
		[
			'a lead of an unknown campaign',
			withToken({ leads: [{ id: 1, campaign_id: 5, phone_number: '+4915112345611' }] }),
			/leads.0.*campaign 5/,
		],
		[
			'a lead with a phone number that is none',
			withToken({
				assistants: [assistant],
				campaigns: [campaign],
				leads: [{ id: 1, campaign_id: 1, phone_number: 'me' }],
			}),
			/leads.0.*me/,
		],
		[
			'a lead with a tool in a call without one',
			withToken({
				assistants: [assistant],
				campaigns: [campaign],
				leads: [{ campaign_id: 1, phone_number: '+4915112345611', scenario: 'busy', tool: {} }],
			}),
			/leads.0.tool.*busy/,
		],
		['a call of an unknown assistant', withToken({ calls: [call] }), /calls.0.*assistant 1/],
		[
			'a call with a status that is none',
			withToken({ assistants: [assistant], calls: [{ ...call, status: 'over' }] }),
			/status/,
		],
		['two assistants with one id', withToken({ assistants: [assistant, assistant] }), /\bid\b/],
		['two users with one token', { users: [{ token: 't' }, { token: 't' }] }, /token/],
	])('%s', async (_what, seed, words) => {
		const file = join(folder, 'seed.yaml');
		await writeFile(file, typeof seed === 'string' ? seed : stringify(seed));
		const ended = await createSandbox({ port: 0, seed: file }).then(
			async (sandbox) => {
				await sandbox.close();
				return 'it started';
			},
			(error: unknown) => error,
		);
		expect(ended).toMatchObject({ message: expect.stringMatching(words) });
		expect(ended).not.toBeInstanceOf(TypeError);
	});
});
