import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample, withParameters } from './openExample.mts';
import { toolAnswer, toolAnswers } from './toolCalls.mts';

const NAME = 'Tell the order status during a call';
const ASSISTANT = 9;
const TABLE = 'Orders';
const SET_UP = 'Set up once';
const TRIGGER = 'When the assistant asks for an order';
/** The sandbox has no more requests to tools open at the same time. */
const AT_ONCE = 100;

/** The example tells where an order is, while an assistant talks to somebody. */
export async function tellTheOrderStatusDuringACall(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { tables } = environment;
	const example = await openExample(checks, environment, NAME);

	await check('a set-up creates the table of orders, and a second one adds nothing', async () => {
		await example.run(SET_UP);
		await example.run(SET_UP);
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
	/** What the assistant says to somebody who names an order and digits. */
	const ask = async (number: string, digits: string) => {
		const values = { order_number: number, last_four_digits: digits };
		return await toolAnswer(example, ASSISTANT, { name: 'get_order_status', arguments: values });
	};

	await check('the assistant tells the status of an order and when it comes', async () => {
		const answer = 'Your order B77 is on its way and is expected on Monday, March 4.';
		assert.equal(await ask('B77', '5678'), answer);
		assert.equal(await ask('A1003', '0103'), 'Your order A1003 is delivered.');
	});

	await check('numbers are found as people say them', async () => {
		const answer = await ask('B77', '5678');
		for (const [number, digits] of [
			['b 7 7', '5 6 7 8'],
			[' B-77. ', '56-78'],
			['#b77', '+49 151 12345678'],
		] as const) {
			assert.equal(await ask(number, digits), answer);
		}
	});

	await check('an unknown number is said and asked for again', async () => {
		assert.equal(
			await ask('z 9', '5678'),
			'I find no order Z9 with a phone number that ends in 5678. Could you tell me both numbers again?',
		);
	});

	await check(
		'without the digits of its phone number, nothing is said about an order',
		async () => {
			for (const [number, digits] of [
				['B77', '0101'],
				['B77', '678'],
				['B77', 'none'],
				['C88', 'none'],
			] as const) {
				const answer = await ask(number, digits);
				assert.match(answer, /^I find no order /);
			}
		},
	);
	await example.unpublish();

	// Many executions at once take long on a busy machine.
	const patient = await openExample(checks, environment, NAME, (workflow) =>
		withParameters(workflow, TRIGGER, { timeout: 30 }),
	);
	await patient.publish();
	await check(
		`${AT_ONCE} people who ask at the same moment each hear about their own order`,
		async () => {
			const orders = Array.from({ length: AT_ONCE }, (_, index) => ({
				order_number: `D${index}`,
				status: `at stop ${index}`,
				phone_number: `+49151123${4000 + index}`,
			}));
			await tables.insert(TABLE, orders);
			const said = await toolAnswers(
				patient.service,
				ASSISTANT,
				orders.map(({ order_number, phone_number: phone }) => ({
					name: 'get_order_status',
					arguments: { order_number, last_four_digits: phone.slice(-4) },
				})),
			);
			assert.deepEqual(
				said,
				orders.map(({ order_number, status }) => `Your order ${order_number} is ${status}.`),
			);
		},
	);
	await patient.unpublish();
}
