import assert from 'node:assert/strict';

import { withParameters, type Example } from './example.mts';
import type { Gallery } from './gallery.mts';
import { toolAnswers } from './toolCalls.mts';
import { textsToEnter, withConditions, withoutNodes } from './variants.mts';

const NAME = 'Tell the order status during a call';
const ASSISTANT = 9;
const TABLE = 'Orders';
const STRANGER = 'Hello! May I ask who is calling?';
const COLUMNS = ['order_number', 'status', 'expected_on', 'phone_number', 'name'];

/** As many as a busy machine runs before the assistant stops waiting. */
const AT_ONCE = 30;

/** What the assistant says to people who each name an order and digits, at the same moment. */
const ask = async (example: Example, ...uses: Array<[order: string, digits: string]>) =>
	await toolAnswers(
		example,
		ASSISTANT,
		'get_order_status',
		uses.map(([order_number, last_four_digits]) => ({ order_number, last_four_digits })),
	);

/** The example tells where an order is, while an assistant talks to somebody. */
export async function tellTheOrderStatusDuringACall(gallery: Gallery): Promise<void> {
	const { check, open, tables } = gallery;
	const example = await open(NAME);

	await check('a set-up creates the table of orders, and a second one adds nothing', async () => {
		await example.setUp();
		const orders = (await tables.rows(TABLE)).map(({ order_number: number }) => number);
		assert.deepEqual(orders, ['A1001', 'A1002', 'A1003']);
	});
	await tables.insert(TABLE, [
		{
			order_number: 'B77',
			status: 'on its way',
			expected_on: '2030-03-04',
			phone_number: '+49 151 12345 678',
		},
		{ order_number: 'C88', status: 'delivered' },
	]);
	await example.publish();

	await check('the assistant tells the status of an order and when it comes', async () => {
		assert.deepEqual(await ask(example, ['A1003', '0103']), ['Your order A1003 is delivered.']);
	});

	await check('numbers are found as people say them', async () => {
		const answer = 'Your order B77 is on its way and is expected on Monday, March 4.';
		for (const [order, digits] of [
			['B77', '5678'],
			['b 7 7', '5 6 7 8'],
			[' B-77. ', '56-78'],
			['#b77', '+49 151 12345678'],
		] as const) {
			assert.deepEqual(await ask(example, [order, digits]), [answer]);
		}
	});

	await check('an unknown number is said and asked for again', async () => {
		assert.deepEqual(await ask(example, ['z 9', '5678']), [
			'I find no order Z9 with a phone number that ends in 5678. Could you tell me both numbers again?',
		]);
	});

	await check('without the digits of its number, nothing is said about an order', async () => {
		const uses: Array<[string, string]> = [
			['B77', '0101'],
			['B77', '678'],
			['B77', 'no idea'],
			['C88', 'no idea'],
		];
		for (const answer of await ask(example, ...uses)) assert.match(answer, /^I find no order /);
	});

	await check('changed as its page says, it greets each of many callers by name', async () => {
		const [phone, name, greeting] = textsToEnter(
			'tell-the-order-status-during-a-call',
			'Who is calling?',
		);
		await tables.remove(TABLE);
		const column = COLUMNS.map((each) => ({ name: each, type: 'string' }));
		const notEmpty = { type: 'string', operation: 'notEmpty', singleValue: true };
		const find = { keyName: 'phone_number', condition: 'eq', keyValue: phone };
		const changed = await open(NAME, [
			withParameters('Create Orders', { columns: { column } }),
			withParameters('When asked for an order', {
				name: 'who_is_calling',
				parameters: {},
				// Many executions at once take long on a busy machine.
				options: { timeout: 30 },
			}),
			withoutNodes(['As in the table'], 'Find the order'),
			withParameters('Find the order', { filters: { conditions: [find] } }),
			withConditions('Is it their order?', () => [
				{ id: 'name', leftValue: name, rightValue: '', operator: notEmpty },
			]),
			withParameters('Tell the status', { answer: greeting }),
			withParameters('Ask for the number again', { answer: STRANGER }),
		]);
		await changed.setUp();
		const people = Array.from({ length: AT_ONCE }, (_, index) => ({
			name: `Person ${index}`,
			phone_number: `+4915112344${100 + index}`,
			order_number: `D${index}`,
			status: 'delivered',
		}));
		await tables.insert(TABLE, people);
		await changed.publish();
		const callers = [...people.map(({ phone_number: number }) => number), '+4915112344999', null];
		const uses = callers.map(() => ({}));
		assert.deepEqual(await toolAnswers(changed, ASSISTANT, 'who_is_calling', uses, callers), [
			...people.map(
				({ name: called, order_number: order }) =>
					`Hello ${called}! Your order ${order} is delivered. Do you call about it?`,
			),
			STRANGER,
			STRANGER,
		]);
	});
}
