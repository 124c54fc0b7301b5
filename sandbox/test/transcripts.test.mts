import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CALLER_PHONE_NUMBER, getCalls, completeCall } from './support/calls.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { createSandbox } from '../index.mts';
import { runningCampaign, schemaField } from './support/seed.mts';
import { startOwnService, startTestService } from './support/testService.mts';
import { sampledRuns } from '../../test/support/sample.mts';

const service = await startTestService();

interface Field {
	name: string;
	type: 'string' | 'number' | 'bool';
	description: string;
}

/** Changes assistant 1 and has it call somebody. @returns the call, after its end */
async function callWith(settings: JsonObject, choice: JsonObject = {}): Promise<JsonObject> {
	expect((await service.alice.put('/user/assistant/1', settings)).status).toBe(200);
	return completeCall(service, { to: CALLER_PHONE_NUMBER, ...choice });
}

const getLines = (call: JsonObject): string[] => String(call.transcript).split('\n');
const said = (call: JsonObject): string[] =>
	getLines(call).filter((line) => line.startsWith('Customer: '));

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
				for (const line of getLines(call)) expect(line).toMatch(/^(Assistant|Customer): \S/);
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
			{ numRuns: sampledRuns(40) },
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

	it('lets nobody opt out by chance', async () => {
		const optOut = (name: string) => schemaField(name, 'bool', 'Whether they want no more calls');
		const post_call_schema = Array.from({ length: 8 }, (_, index) => optOut(`no_calls_${index}`));
		const { variables } = await callWith({ language, post_call_schema });
		expect(Object.values(asObject(variables, 'the variables'))).toEqual(
			post_call_schema.map(() => false),
		);
	});

	it('tells the values that are chosen for the call', async () => {
		const post_call_schema = [
			schemaField('stars', 'number', 'Stars, from 1 to 5'),
			schemaField('wants_no_calls', 'bool', 'Whether the person wants no more calls'),
			schemaField('wish', 'string', 'What else'),
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
		const assistant = { language: 'Italian', post_call_evaluation: true };
		await using own = await startOwnService({ seed: runningCampaign([], { assistant }) });
		const { evaluation } = await completeCall(own);
		expect(evaluation).toMatchObject({ summary: 'A friendly conversation.' });
	});
});

describe('the greeting (assumptions: greeting-placeholders)', () => {
	const greeting = async (initial_message: string, fields: JsonObject = {}) => {
		const call = await callWith({ initial_message, ...fields }, { lead_id: 1 });
		return getLines(call)[0];
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
		expect(getLines(call).slice(0, 2)).toEqual([
			expect.stringMatching(/^Customer: /),
			'Assistant: Hello, this is the reception.',
		]);
	});
});

it('the conversation names what it is about, and the assistant when the customer asks', async () => {
	let all = '';
	for (let count = 0; count < 10; count += 1) {
		const { transcript } = await callWith({ system_prompt: 'You make appointments.' });
		expect(transcript).toContain('It is about an appointment.');
		all += String(transcript);
	}
	expect(all).toContain('“Caller”');
});

describe('chosen values', () => {
	const FIELDS = [{ name: 'guests', type: 'number', description: 'How many guests' }];

	const UNKNOWN = /no value "dogs".*has: guests/;
	it.each<[values: JsonObject, scenario: string, field: string, words: RegExp]>([
		[{ dogs: 1 }, 'answered', 'values.dogs', UNKNOWN],
		[{ guests: 'two' }, 'answered', 'values.guests', /type number/],
		[{ guests: null }, 'answered', 'values.guests', /./],
		[{ guests: 2 }, 'voicemail', 'values', /voicemail.*finds out nothing/],
		[{ guests: 2 }, 'busy', 'values', /busy.*finds out nothing/],
	])('%j are refused in a call of the scenario %s', async (values, scenario, field, words) => {
		await service.alice.put('/user/assistant/1', { post_call_schema: FIELDS });
		for (const [path, number] of [
			['/calls/outbound', 'to'],
			['/calls/inbound', 'from'],
		] as const) {
			const body = { assistant_id: 1, [number]: CALLER_PHONE_NUMBER, values, scenario };
			const response = await service.control.request('POST', path, body);
			const errors = { [field]: [expect.stringMatching(words)] };
			expect(response).toMatchObject({ status: 422, body: { errors } });
		}
		expect(await getCalls(service.alice)).toEqual([]);
	});

	it('of a seeded lead hold for every call to it, and are checked', async () => {
		const seedWith = (values: JsonObject) =>
			runningCampaign([{ phone_number: '+4915112345611', values }], {
				assistant: { post_call_schema: FIELDS },
			});
		await using own = await startOwnService({ seed: seedWith({ guests: 77 }) });
		await own.control.advance('PT5M');
		const [call] = await getCalls(own.alice);
		expect(call?.variables).toEqual({ guests: 77 });
		await expect(createSandbox({ port: 0, seed: seedWith({ dogs: 1 }) })).rejects.toThrow(
			/users\.0\.leads\.0\.values\.dogs: .*no value "dogs"/,
		);
	});
});
