import assert from 'node:assert/strict';

import { asObject, getObjects } from '../../sandbox/test/support/contract.mts';
import { listenOnLoopback } from '../support/loopback.mts';
import {
	NO_TIMEOUTS,
	withParameters,
	withText,
	type Assume,
	type Change,
	type Example,
} from './example.mts';
import type { Gallery } from './gallery.mts';
import type { Row } from './tables.mts';

const NAME = 'Check my account';
const TABLE = 'Account check';
const START = 'Start by hand';
/** Requests of one run, without those that the nodes of this package send. */
const MAX_REQUESTS = 25;

/** Not in an account of a few days: a webhook has told no call. */
const NEVER_SHOWN = ['webhook-response'];

/** Differences that hide what another question asks for. */
const HIDDEN_BY: Record<string, string[]> = {
	'timestamp-form': ['date-range'],
	'transcript-form': ['call-empty-values'],
};

/** Every three hours a call, the last one just now, and of each kind one. */
const CALLS = Array.from({ length: 14 }, (_, index) => ({
	assistant_id: 1,
	client_phone_number: `+141555501${10 + index}`,
	ago: index === 0 ? 'PT1M' : `PT${3 * index}H`,
	...(index % 2 === 0
		? {
				status: 'completed',
				campaign_name: 'Spring appointments',
				duration: 60 + index,
				transcript: 'Assistant: Hello, I am an AI assistant.\nCustomer: Hello.',
				evaluation: { mood: 'good' },
				variables: { reason: 'Annual service' },
			}
		: { status: 'no-answer', duration: 0 }),
}));

/** What a provider whose lists and records differ does. */
const DIFFERENCES = {
	'transcript-form': 'turns',
	'timestamp-form': 'iso',
	'assistant-order': 'newest-first',
};

const ASSISTANT = {
	assistant_name: 'Another one',
	voice_id: 1,
	language: 'English',
	llm_model: 'gpt-4o-mini',
	calls_direction: 'make',
	engine_type: 'pipeline',
	timezone: 'Europe/Berlin',
	initial_message: 'Hello.',
	system_prompt: 'You are brief.',
};

const withoutPause = withParameters('Pause', { amount: 0 });

/** Whether an account is as assumed, at providers of all kinds. */
export async function checkMyAccount({ check, cleanup, open, tables }: Gallery): Promise<void> {
	const openWithRecords = async (changes: Change[] = [], assume: Assume = {}) => {
		const example = await open(NAME, [withoutPause, ...changes], CALLS, assume);
		const { account, add, control } = example;
		const tool = await add('tool', {
			name: 'check_calendar',
			description: 'Looks up free times',
			endpoint: 'https://example.com/calendar',
			method: 'GET',
			timeout: 10,
			headers: [{ name: 'X-Key', value: 'secret' }],
		});
		// All of them, whichever are on the first page. Those of other accounts are refused.
		const { body } = await control.request('GET', '/records/assistants');
		for (const { id } of getObjects(asObject(body, 'the list').data)) {
			await account.put(`/user/assistant/${String(id)}`, { tool_ids: [tool] });
		}
		return example;
	};
	/** Runs it, and reads the table. @returns the rows by their assumption */
	const runAndRead = async ({ run }: Example) => {
		await run(START);
		const rows = await tables.rows(TABLE);
		return new Map(rows.map((row) => [String(row.assumption), row]));
	};
	const withResult = (rows: Map<string, Row>, result: string) =>
		[...rows].flatMap(([key, row]) => (row.result === result ? [key] : [])).sort();
	/** What the workflow should name, of what differs at a provider. */
	const differences = (rows: Map<string, Row>, assume: Assume) => {
		return Object.keys(assume)
			.filter((key) => rows.has(key))
			.sort();
	};
	const assertNamed = (rows: Map<string, Row>, assume: Assume) => {
		assert.deepEqual(withResult(rows, 'differs'), differences(rows, assume));
		const hidden = Object.keys(assume).flatMap((key) => HIDDEN_BY[key] ?? []);
		const unknown = withResult(rows, 'not checked').filter((key) => !hidden.includes(key));
		assert.deepEqual(unknown, NEVER_SHOWN);
	};

	await check('what differs is named and nothing else, and the workflow only reads', async () => {
		const example = await openWithRecords();
		const before = (await example.control.requests()).length;
		const rows = await runAndRead(example);
		assertNamed(rows, {});
		const requests = (await example.control.requests()).slice(before);
		assert.deepEqual(new Set(requests.map(({ method }) => method)), new Set(['GET']));
		assert.ok(requests.length <= MAX_REQUESTS, `${requests.length} requests`);
	});

	await check('differences of a provider are named, with what to do', async () => {
		const example = await openWithRecords([], DIFFERENCES);
		const rows = await runAndRead(example);
		assertNamed(rows, DIFFERENCES);
		for (const key of Object.keys(DIFFERENCES)) assert.ok(rows.get(key)?.what_to_do, key);
		assert.equal(rows.get('transcript-form')?.seen, 'a list of turns');
	});

	await check(
		'an account with 10,000 calls and 1,000 assistants gets no more requests',
		async () => {
			const calls = Array.from({ length: 10_000 }, (_, index) => ({ ago: `PT${index}M` }));
			const example = await open(NAME, [withoutPause], calls, NO_TIMEOUTS);
			const { account, control } = example;
			for (let count = 0; count < 1_000; count += 1)
				await account.post('/user/assistant', ASSISTANT);
			const before = (await control.requests()).length;
			await runAndRead(example);
			const count = (await control.requests()).length - before;
			assert.ok(count <= MAX_REQUESTS, `${count} requests`);
		},
	);

	await check('a web page at the Base URL is named, and gets no token', async () => {
		const tokens: unknown[] = [];
		const website = listenOnLoopback(({ headers }, response) => {
			tokens.push(headers.authorization);
			response.setHeader('content-type', 'text/html').end('<html>Please log in</html>');
		});
		const { origin } = await cleanup.use(website);
		const page = withText(/http:\/\/127[.\d:]+\/api/g, () => `${origin}/api`);
		const example = await openWithRecords([page]);
		const rows = await runAndRead(example);
		assert.equal(rows.get('address')?.seen, 'a web page');
		assert.deepEqual(withResult(rows, 'differs'), ['address']);
		assert.deepEqual(withResult(rows, 'as assumed'), []);
		assert.deepEqual(tokens, [undefined, 'Bearer not-a-token-of-this-service']);
	});
}
