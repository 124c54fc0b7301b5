import assert from 'node:assert/strict';

import { withParameters, type Example } from './example.mts';
import type { Gallery } from './gallery.mts';
import { toolAnswers } from './toolCalls.mts';

const NAME = 'Who is calling?';
const TRIGGER = 'When the assistant asks who is calling';
const ASSISTANT = 10;
const TABLE = 'Customers';
const UNKNOWN = 'Hello! May I ask who is calling?';
const CUSTOMERS = 1000;
/** A machine that is busy runs so many before the assistant stops waiting. */
const AT_ONCE = 30;
/** Two set-ups, and the calls of all checks. */
const EXECUTIONS = 2 + 4 + AT_ONCE;

const getNumber = (index: number) => `+4915112${String(index).padStart(6, '0')}`;

/** What the assistant says to people who call at the same moment, each with a number or with none. */
const greet = async (example: Example, ...callers: Array<string | null>) =>
	await toolAnswers(
		example,
		ASSISTANT,
		'who_is_calling',
		callers.map(() => ({})),
		callers,
	);

/** The example greets customers by name, because it knows who is calling. */
export async function whoIsCalling({ check, open, tables }: Gallery): Promise<void> {
	// Many executions at once take long on a busy machine.
	const example = await open(NAME, [withParameters(TRIGGER, { timeout: 30 })]);

	await check(
		'a set-up creates the table of customers, and a second one adds nothing',
		async () => {
			await example.setUp();
			const names = (await tables.rows(TABLE)).map(({ name }) => name);
			assert.deepEqual(names, ['Jane Doe', 'Anna Schmidt', 'Peter Meyer']);
		},
	);
	await tables.insert(TABLE, [{ name: 'Nobody' }, { name: 'Empty', phone_number: '' }]);
	await example.publish();

	await check('a customer is greeted by name, and by the last order if there is one', async () => {
		assert.deepEqual(await greet(example, '+14155550101'), [
			'Hello Jane Doe! Your last order is A1001, which is on its way. Do you call about it?',
		]);
		assert.deepEqual(await greet(example, '+14155550103'), [
			'Hello Peter Meyer! How can I help you?',
		]);
	});

	await check('an unknown number and a suppressed one are asked for the name', async () => {
		assert.deepEqual(await greet(example, '+14155550199', null), [UNKNOWN, UNKNOWN]);
	});

	await check('the assistant greets once in a call', async () => {
		const transcripts = (await example.control.calls()).map(({ transcript }) => String(transcript));
		assert.deepEqual(
			transcripts.map((text) => text.match(/^Assistant: .*Hello/gm)?.length),
			transcripts.map(() => 1),
		);
	});

	await check(
		'of many people who call at the same moment, each hears the own name, with 1,000 customers',
		async () => {
			const customers = Array.from({ length: CUSTOMERS }, (_, index) => ({
				phone_number: getNumber(index),
				name: `Customer ${index}`,
			}));
			await tables.insert(TABLE, customers);
			const callers = Array.from({ length: AT_ONCE }, (_, index) => index * 33);
			assert.deepEqual(
				await greet(example, ...callers.map(getNumber)),
				callers.map((index) => `Hello Customer ${index}! How can I help you?`),
			);
		},
	);

	await check('no call of this tool made an execution fail', async () => {
		const ended = await example.executions(EXECUTIONS);
		assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set(['success']));
	});
}
