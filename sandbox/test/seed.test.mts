import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { createSandbox } from '../index.mts';
import { InvalidInput } from '../src/base/invalidInput.mts';
import { assistantRecord, getCalls } from './support/calls.mts';
import { getRows } from './support/client.mts';
import { folderPerTest } from './support/process.mts';
import { startReceiver } from './support/receiver.mts';
import type { SandboxOptions } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { ALICE, BOB, newAssistant, newTool } from './support/seed.mts';

const folder = folderPerTest();

const receiver = await startReceiver();
afterAll(() => receiver.close());

const withToken = (fields: object) => ({ users: [{ token: 't', ...fields }] });
const assistant = { ...newAssistant, id: 1 };
const campaign = { id: 1, name: 'C', assistant_id: 1 };
const lead = { campaign_id: 1, phone_number: '+4915112345611' };
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
	it('may have one user with nothing but a token, and assistants with their defaults', async () => {
		await using own = await startWithBob();
		expect((await own.bob.get('/user/calls')).body).toMatchObject({ total: 0 });
		expect((await own.alice.get('/user/calls')).status).toBe(401);
		await using other = await startWithBob({ assistants: [{ ...assistant, variables: { a: 1 } }] });
		expect(await assistantRecord(other.bob, 1)).toMatchObject({
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
		expect(await getCalls(own.bob)).toEqual([{ ...record, assistant_name: 'Reception' }]);
	});

	it('gives ids where it names none, none of them twice, over all users', async () => {
		const assistants = [{ ...newAssistant, id: 40 }, newAssistant];
		const voices = [{ id: 1, name: 'Anna' }];
		const users = [
			{ token: ALICE, voices, assistants },
			{ token: BOB, voices, assistants: [newAssistant] },
		];
		await using own = await startOwnService({ seed: { users } });
		await own.bob.post('/user/assistant', newAssistant);
		await own.alice.post('/user/assistant', newAssistant);
		const ids = [own.alice, own.bob].map(async (user) =>
			getRows(await user.get('/user/assistants/get')).map((record) => record.id),
		);
		const all = (await Promise.all(ids)).flat();
		expect(all).toHaveLength(5);
		expect(new Set(all).size).toBe(5);
	});

	it('says how long ago a lead and a call were, and what an assistant, a campaign and a lead are at', async () => {
		const inactive = { status: 'inactive', inbound_webhook_url: 'https://example.com/in' };
		await using own = await startWithBob({
			assistants: [{ ...assistant, ...inactive }],
			campaigns: [{ ...campaign, status: 'in-progress' }],
			leads: [
				{ ...lead, id: 1, ago: 'P2D' },
				{ ...lead, id: 2, status: 'reached-max-retries' },
			],
			calls: [{ ...call, ago: 'P1DT2H' }],
		});
		const leadRecord = async (id: number) =>
			(await own.control.request('GET', `/records/leads/${id}`)).body;
		expect(await leadRecord(1)).toMatchObject({ created_at: '2026-02-28T09:00:00.000Z' });
		expect(await leadRecord(2)).toMatchObject({ status: 'reached-max-retries', attempts: 3 });
		expect((await getCalls(own.bob)).at(-1)).toMatchObject({ created_at: '2026-03-01 07:00:00' });
		expect(await assistantRecord(own.bob, 1)).toMatchObject(inactive);
		await own.control.advance('PT5M');
		expect(await getCalls(own.bob, { campaign_id: 1 })).toHaveLength(1);
	});

	it('says which tool is used in the calls to a lead, and with which arguments', async () => {
		const endpoint = receiver.url;
		await using own = await startWithBob({
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
		const statuses = (await getCalls(own.bob)).map((record) => record.status);
		expect(statuses).toEqual(['completed', 'completed', 'completed', 'completed']);
	});

	it('without a file is the default one, which makes the example worth looking at', async () => {
		await using own = await startOwnService({ seed: undefined });
		const user = own.as('sandbox-token');
		expect(await assistantRecord(user, 1)).toMatchObject({ type: 'outbound' });
		expect(await assistantRecord(user, 2)).toMatchObject({ type: 'inbound' });
		const sms = { from: 1, to: '+4915112345699', body: 'Hello' };
		expect((await user.post('/user/sms', sms)).status).toBe(200);
		const start = { campaign_id: 1, action: 'start' };
		expect((await user.post('/user/campaigns/update-status', start)).status).toBe(200);
	});
});

/** Starts a sandbox with a seed that is wrong. @returns the message with which it is refused */
async function getRefusal(seed: string | object, options: SandboxOptions = {}): Promise<string> {
	try {
		await (await createSandbox({ port: 0, ...options, seed })).close();
	} catch (error) {
		if (error instanceof InvalidInput) return error.message;
		throw error;
	}
	throw new Error('It started.');
}

/** The same with a seed in a file. */
async function refusalOfFile(text: string): Promise<string> {
	const file = join(folder(), 'seed.yaml');
	await writeFile(file, text);
	return getRefusal(file);
}

describe('every fault of a seed is told at once', () => {
	const broken = `users:
  - token: a b
    balance: lots
    assitants: []
    voices: [{ id: 1, name: Anna }]
    phone_numbers:
      - { id: 1, phone_number: '+4915112345601', subscription_expires_at: soon }
    tools:
      - { id: 1, name: Bad, description: d, endpoint: 'https://x.example', method: GET }
      - { id: 1, name: good, description: d, endpoint: nowhere, method: GET }
    assistants:
      - &one
        assistant_name: One
        voice_id: 9
        language: Klingon
        llm_model: gpt-4o
        calls_direction: make
        engine_type: pipeline
        timezone: Europe/Berlin
        initial_message: Hello
        system_prompt: Be friendly
        speech_speed: 9
        tool_ids: [1, 7]
        id: 1
      - { <<: *one, id: 2, status: actve, speech_speed: 1, phone_number_id: 5 }
    campaigns:
      - { id: 1, name: Spring, assistant_id: 1 }
      - { id: 2, name: Autumn, assistant_id: 12 }
    leads:
      - id: 1
        campaign_id: 1
        phone_number: me
      - campaign_id: 5
        phone_number: '+4915112345611'
        secondary_contacts:
          - { phone_number: you }
    calls:
      - { id: 1, assistant_id: 77, status: over, lead_id: 1, created_at: soon }
  - token: t
  - token: t
`;
	/** The faults of the seed above, in the order of their places. The second assistant repeats the first. */
	const faults = `
2:5 users.0.token: A token has no spaces, and at least one character.
3:5 users.0.balance: Expected number, received string
4:5 users.0.assitants: There is no such field. Did you mean assistants?
7:50 users.0.phone_numbers.0.subscription_expires_at: "soon" is not a time from 1970-01-01 to 9999-12-01. Write it as in "2030-01-31 12:00:00".
9:18 users.0.tools.0.name: Tool name must contain only lowercase letters and underscores, and start with a letter.
10:11 users.0.tools.1.id: users.0.tools.0 has the id 1 already.
10:46 users.0.tools.1.endpoint: The endpoint must be a valid URL.
14:9 users.0.assistants.0.voice_id: There is no voice 9 of this user, only 1.
14:9 users.0.assistants.1.voice_id: There is no voice 9 of this user, only 1.
15:9 users.0.assistants.0.language: There is no language Klingon of this user, only English, German, French, Spanish, Italian.
15:9 users.0.assistants.1.language: There is no language Klingon of this user, only English, German, French, Spanish, Italian.
22:9 users.0.assistants.0.speech_speed: The speech speed must be between 0.7 and 1.2.
23:23 users.0.assistants.0.tool_ids.1: There is no tool 7 of this user.
23:23 users.0.assistants.1.tool_ids.1: There is no tool 7 of this user.
25:28 users.0.assistants.1.status: Invalid enum value. Expected 'active' | 'inactive', received 'actve'. Did you mean active?
25:60 users.0.assistants.1.phone_number_id: There is no phone number 5 of this user.
28:32 users.0.campaigns.1.assistant_id: There is no assistant 12 of this user.
32:9 users.0.leads.0.phone_number: "me" is no phone number.
33:9 users.0.leads.1.campaign_id: There is no campaign 5 of this user.
36:15 users.0.leads.1.secondary_contacts.0.phone_number: "you" is no phone number.
38:18 users.0.calls.0.assistant_id: There is no assistant 77 of this user.
38:36 users.0.calls.0.status: Invalid enum value. Expected 'initiated' | 'ringing' | 'busy' | 'in-progress' | 'ended' | 'completed' | 'ended_by_customer' | 'ended_by_assistant' | 'no-answer' | 'failed', received 'over'
38:62 users.0.calls.0.created_at: "soon" is not a time from 1970-01-01 to 9999-12-01. Write it as in "2030-01-31 12:00:00".
40:5 users.2.token: Another user has this token already.`
		.trim()
		.split('\n');

	it('in a file, with line and column, in their order', async () => {
		const [beginning, ...lines] = (await refusalOfFile(broken)).split('\n');
		expect(beginning).toMatch(
			/^The seed file .*seed\.yaml has 24 faults\. Fix them, then start again:$/,
		);
		expect(lines.map((line) => line.replace(/^.*seed\.yaml:/, ''))).toEqual(faults);
	});

	it('in an object, with the same paths', async () => {
		const seed = parse(broken, { merge: true }) as object;
		const [beginning, ...lines] = (await getRefusal(seed)).split('\n');
		expect(beginning).toBe('The seed has 24 faults. Fix them, then start again:');
		expect(lines.toSorted()).toEqual(faults.map((line) => line.replace(/^\S+ /, '')).toSorted());
	});

	const RANGE = '.*1970-01-01 to 9999-12-01';
	const callWith = (fields: object) =>
		stringify(withToken({ assistants: [assistant], calls: [{ ...call, ...fields }] }));
	it.each<[seed: string, ...faults: string[]]>([
		['users: [{ token: t }\n', '2:1'],
		['users:\n  - token: "t\n', '3:1'],
		['users:\n  - token: *t\n    a: 1\n    a: 2\n', '2:12', '4:5'],
		['users:\n\t- token: t\n', '2:1'],
		['{\n  "users": [\n    {"token": "t", "balance": "5"}\n  ]\n}\n', '3:20 .*balance'],
		['5', '1:1'],
		['', '1:1: Expected object'],
		['{}', '1:1 users'],
		['users: []', '1:1 users'],
		['users: [{ balance: 5 }]', '1:9 .*token'],
		['users: [{ token: t, assistants: [{ id: 1 }] }]', ...Array.from({ length: 9 }, () => '1:34')],
		[stringify(withToken({ tools: [{ ...newTool, id: 1e300 }] })), '.* users.0.tools.0.id'],
		[callWith({ created_at: '9999-12-02 00:00:00' }), `.*created_at${RANGE}`],
		[callWith({ updated_at: '+010000-01-01T00:00:00Z' }), `.*updated_at${RANGE}`],
		[callWith({ created_at: '0000-01-01 00:00:00' }), `.*created_at${RANGE}`],
		[callWith({ duration: 1e18 }), '.*duration.*86400'],
		[callWith({ id: 2 ** 53 }), '.* users.0.calls.0.id'],
		[
			stringify(withToken({ assistants: [{ ...assistant, engine_type: 'both' }] })),
			'.*engine_type: .* invalid. Allowed: pipeline, multimodal',
		],
	])('of %j', async (seed, ...expected) => {
		const [, ...lines] = (await refusalOfFile(seed)).split('\n');
		const wanted = expected.map((fault) => expect.stringMatching(`seed\\.yaml:${fault}`));
		expect(lines).toEqual(wanted);
	});

	it('but not what only follows from a fault', async () => {
		const message = await getRefusal(
			withToken({
				voices: [{ id: 'one', name: 'Anna' }],
				tools: [{ ...newTool, name: 'Bad' }],
				assistants: [{ ...assistant, tool_ids: [1] }],
				campaigns: [campaign],
				leads: [{ ...lead, id: 1 }],
				calls: [
					{ ...call, campaign_id: 1, lead_id: 1 },
					{ ...call, id: 2, lead_id: 7 },
				],
			}),
		);
		expect(message.split('\n').slice(1)).toEqual([
			'users.0.voices.0.id: Expected number, received string',
			expect.stringMatching(/^users\.0\.tools\.0\.name: /),
			expect.stringMatching(/^users\.0\.calls\.1\.lead_id: /),
		]);
	});

	it('but not what refers to a list that is none', async () => {
		const calls = [{ ...call, campaign_id: 7, duration: -1 }];
		const message = await getRefusal(
			withToken({ assistants: [assistant], campaigns: {} as never, leads: [lead], calls }),
		);
		expect(message.split('\n').slice(1)).toEqual([
			'users.0.campaigns: Expected array, received object',
			expect.stringMatching(/^users\.0\.calls\.0\.duration: /),
		]);
	});

	it('in scenarios, and in who uses them', async () => {
		const message = await getRefusal({
			scenarios: { broken: { steps: [] } },
			...withToken({
				assistants: [assistant],
				campaigns: [
					{ ...campaign, mix: { answered: 1, abducted: 1, broken: 1 } },
					{ ...campaign, id: 2 },
				],
				leads: [
					{ ...lead, scenario: 'broken' },
					{ ...lead, scenario: 'abducted', status: 'gone' },
					{ ...lead, scenario: 'busy', tool: {} },
					{ ...lead, campaign_id: 2, values: { mood: 'good' } },
				],
			}),
		});
		expect(message.split('\n').map((line) => line.split(': ')[0])).toEqual([
			'The seed has 6 faults. Fix them, then start again:',
			'scenarios.broken.steps',
			'users.0.campaigns.0.mix.abducted',
			'users.0.leads.1.status',
			'users.0.leads.1.scenario',
			'users.0.leads.2.tool',
			'users.0.leads.3.values.mood',
		]);
	});

	it('the first hundred, where there are more', async () => {
		const languages = Array.from({ length: 150 }, () => 1);
		const lines = (await getRefusal(withToken({ languages }))).split('\n');
		expect(lines[0]).toMatch(/150 faults/);
		expect(lines).toHaveLength(102);
		expect(lines.at(-1)).toBe('… and 50 more');
	});
});

describe('a seed is checked before any data are touched', () => {
	const wrong = withToken({ balance: 'lots' });

	it('no data file is created', async () => {
		await getRefusal(wrong, { dataFile: join(folder(), 'new.db') });
		expect((await readdir(folder())).filter((name) => name.startsWith('new.db'))).toEqual([]);
	});

	it('a reset loads the seed of the start, whatever became of the object', async () => {
		const seed = withToken({ balance: 5 });
		await using own = await startOwnService({ seed });
		Object.assign(seed, { users: [] });
		await own.reset();
		expect((await own.as('t').get('/user/calls')).status).toBe(200);
	});
});
