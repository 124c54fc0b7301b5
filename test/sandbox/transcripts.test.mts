import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { A_CALL, callsOf } from '../support/sandbox/calls.mts';
import { asObject, type JsonObject } from '../support/sandbox/contract.mts';
import { createSandbox } from '../../sandbox/index.mts';
import { ALICE, newAssistant } from '../support/sandbox/seed.mts';
import { startOwnService, startTestService } from '../support/sandbox/testService.mts';

const service = await startTestService();

interface Field {
	name: string;
	type: 'string' | 'number' | 'bool';
	description: string;
}

/** Changes assistant 1 and has it call somebody. @returns the call, after its end */
async function callWith(settings: JsonObject, choice: JsonObject = {}): Promise<JsonObject> {
	const changed = await service.alice.put('/user/assistant/1', settings);
	expect(changed.status).toBe(200);
	await service.control.outbound({ assistant_id: 1, to: '+4915112345677', ...choice });
	await service.control.advance(A_CALL);
	return asObject((await callsOf(service.alice))[0], 'newest call');
}

const linesOf = (call: JsonObject): string[] => String(call.transcript).split('\n');
const said = (call: JsonObject): string[] =>
	linesOf(call).filter((line) => line.startsWith('Customer: '));

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const field: fc.Arbitrary<Field> = fc.record({
	name: fc.stringMatching(/^[A-Za-z0-9_]{1,12}$/),
	type: fc.constantFrom('string' as const, 'number' as const, 'bool' as const),
	description: fc.oneof(
		fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
		oneOf('The e-mail address', 'Which day', 'Rückruf gewünscht', 'From 0 to 23', '{value}', '$&'),
	),
});
const schema = fc.uniqueArray(field, { maxLength: 6, selector: ({ name }) => name });

/** What a customer says to yes and no. */
const YES_NO = {
	English: {
		yes: /^Customer: (Yes|No, please do not call|No\. I do not want)/,
		no: /^Customer: (No|Yes, you may|Yes, that is all right)/,
	},
	German: {
		yes: /^Customer: (Ja|Nein, bitte rufen|Nein\. Ich möchte keine)/,
		no: /^Customer: (Nein|Ja, Sie dürfen|Ja, das ist in Ordnung)/,
	},
};

describe.each(['English', 'German'] as const)('the transcript of a call in %s', (language) => {
	it('tells exactly the values that the schema asks for, whatever it asks for', async () => {
		await fc.assert(
			fc.asyncProperty(schema, async (fields) => {
				const call = await callWith({ language, post_call_schema: fields });
				const values = asObject(call.variables, 'variables');
				expect(Object.keys(values).toSorted()).toEqual(fields.map(({ name }) => name).toSorted());
				for (const line of linesOf(call)) expect(line).toMatch(/^(Assistant|Customer): \S/);
				for (const { name, type } of fields) {
					const value = values[name];
					expect(typeof value).toBe(type === 'bool' ? 'boolean' : type);
					const expected =
						typeof value === 'boolean'
							? expect.stringMatching(YES_NO[language][value ? 'yes' : 'no'])
							: expect.stringContaining(String(value));
					expect(said(call)).toContainEqual(expected);
				}
			}),
			{ numRuns: 40 },
		);
	});

	it.each([
		['appointment_date', 'The agreed day', /^2026-03-\d\d$/],
		['start', 'Uhrzeit des Termins', /^1\d:00$/],
		['contact', 'The email address', /^\S+@example\.com$/],
		['kunde', 'Name des Kunden', /^\w+ \w+$/],
		['phone_number', 'Where to call back', /^\+4915112345677$/],
	])('%s (%s) has a value that suits it', async (name, description, value) => {
		const post_call_schema = [{ name, type: 'string', description }];
		const { variables } = await callWith({ language, post_call_schema });
		expect(variables).toEqual({ [name]: expect.stringMatching(value) });
	});

	it('tells the values that are chosen for the call', async () => {
		const post_call_schema = [
			{ name: 'stars', type: 'number', description: 'Stars, from 1 to 5' },
			{
				name: 'wants_no_calls',
				type: 'bool',
				description: 'Whether the person wants no more calls',
			},
			{ name: 'wish', type: 'string', description: 'What else' },
		];
		for (const optsOut of [true, false]) {
			const values = { stars: 42, wants_no_calls: optsOut, wish: 'A red\nballoon' };
			const call = await callWith({ language, post_call_schema }, { values });
			expect(call.variables).toEqual(values);
			const words = {
				English: optsOut ? /do not call me|not want any more calls/ : /you may call|all right/,
				German: optsOut ? /nicht mehr an|keine Anrufe/ : /dürfen mich|in Ordnung/,
			};
			expect(said(call)).toContainEqual(expect.stringContaining('42'));
			expect(said(call)).toContainEqual(expect.stringMatching(words[language]));
			expect(said(call)).toContainEqual(expect.stringContaining('A red balloon'));
		}
	});
});

describe('the language of a call', () => {
	const summary = async (language: string) => {
		const { evaluation } = await callWith({ language, post_call_evaluation: true });
		return asObject(evaluation, 'evaluation').summary;
	};

	it('is that of the assistant', async () => {
		expect(await summary('English')).toBe('A friendly conversation.');
		expect(await summary('German')).toBe('Ein freundliches Gespräch.');
	});

	it('is English for a language without transcripts', async () => {
		const assistant = { ...newAssistant, id: 1, language: 'Italian', post_call_evaluation: true };
		await using own = await startOwnService({
			seed: { users: [{ token: ALICE, assistants: [assistant] }] },
		});
		await own.control.outbound({ assistant_id: 1, to: '+4915112345677' });
		await own.control.advance(A_CALL);
		const [call] = await callsOf(own.alice);
		expect(call?.evaluation).toMatchObject({ summary: 'A friendly conversation.' });
	});
});

describe('the greeting (assumptions: greeting-placeholders)', () => {
	const greeting = async (initial_message: string, fields: JsonObject = {}) => {
		const call = await callWith({ initial_message, ...fields }, { lead_id: 1 });
		return linesOf(call)[0];
	};

	it.each([
		['Hello {customer_name} of {city}!', 'Assistant: Hello Jane of Bonn!'],
		['Hello {{customer_name}} of {{ city }}!', 'Assistant: Hello Jane of Bonn!'],
		['Hello {toString}, {unknown}, { city }!', 'Assistant: Hello {toString}, {unknown}, { city }!'],
		['Two\nlines', 'Assistant: Two lines'],
	])('%j becomes %j', async (message, line) => {
		expect(await greeting(message)).toBe(line);
	});

	it('knows the variables of the assistant, too; the lead has the last word', async () => {
		const variables = { city: 'Rome', product: { size: 2 } };
		expect(await greeting('{city}: {product}', { variables })).toBe('Assistant: Bonn: {"size":2}');
	});

	it('comes second when the customer speaks first', async () => {
		const call = await callWith({ who_speaks_first: 'Customer' });
		expect(linesOf(call).slice(0, 2)).toEqual([
			expect.stringMatching(/^Customer: /),
			'Assistant: Hello, this is the reception.',
		]);
	});
});

it('the conversation names what it is about, and the assistant when the customer asks', async () => {
	const transcripts: string[] = [];
	for (let count = 0; count < 10; count += 1) {
		const system_prompt = 'You make appointments.';
		transcripts.push(String((await callWith({ system_prompt })).transcript));
	}
	for (const transcript of transcripts) expect(transcript).toContain('It is about an appointment.');
	expect(transcripts.some((transcript) => transcript.includes('“Caller”'))).toBe(true);
});

describe('chosen values', () => {
	const FIELDS = [{ name: 'guests', type: 'number', description: 'How many guests' }];

	it.each<[JsonObject, JsonObject]>([
		[
			{ values: { dogs: 1 } },
			{ 'values.dogs': [expect.stringMatching(/no value "dogs".*has: guests/)] },
		],
		[{ values: { guests: 'two' } }, { 'values.guests': [expect.stringContaining('type number')] }],
		[
			{ values: { guests: 2 }, scenario: 'voicemail' },
			{ values: [expect.stringMatching(/voicemail.*finds out nothing/)] },
		],
		[
			{ values: { guests: 2 }, scenario: 'busy' },
			{ values: [expect.stringMatching(/busy.*finds out nothing/)] },
		],
		[{ values: { guests: null } }, { 'values.guests': [expect.any(String)] }],
	])('%j are refused', async (choice, errors) => {
		await service.alice.put('/user/assistant/1', { post_call_schema: FIELDS });
		for (const [path, number] of [
			['/calls/outbound', 'to'],
			['/calls/inbound', 'from'],
		] as const) {
			const body = { assistant_id: 1, [number]: '+4915112345677', ...choice };
			const response = await service.control.request('POST', path, body);
			expect(response).toMatchObject({ status: 422, body: { errors } });
		}
		expect(await callsOf(service.alice)).toEqual([]);
	});

	it('of a seeded lead hold for every call to it, and are checked', async () => {
		const seedWith = (values: JsonObject) => ({
			users: [
				{
					token: ALICE,
					assistants: [{ ...newAssistant, id: 1, post_call_schema: FIELDS }],
					campaigns: [{ id: 1, name: 'C', assistant_id: 1, status: 'in-progress' }],
					leads: [{ campaign_id: 1, phone_number: '+4915112345611', values }],
				},
			],
		});
		await using own = await startOwnService({ seed: seedWith({ guests: 77 }) });
		await own.control.advance('PT5M');
		const [call] = await callsOf(own.alice);
		expect(call?.variables).toEqual({ guests: 77 });
		await expect(createSandbox({ port: 0, seed: seedWith({ dogs: 1 }) })).rejects.toThrow(
			/users\.0\.leads\.0\.values\.dogs: .*no value "dogs"/,
		);
	});
});
