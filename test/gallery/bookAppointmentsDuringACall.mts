import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample, withParameters, type OpenExample } from './openExample.mts';
import { toolAnswer, toolAnswers, type NamedTool } from './toolCalls.mts';

const NAME = 'Book an appointment during a call';
const ASSISTANT = 8;
const TABLE = 'Bookings';
const SET_UP = 'Set up once';
const TRIGGERS = ['When the assistant asks for free times', 'When the assistant books a time'];

const ANNA = { name: 'Anna Schmidt', phone_number: '+49 151 123456-11' };
const PETER = { name: 'Peter Meyer', phone_number: '+4915112345612' };

const TAKEN = 'I am sorry, that time is not free. Shall I look for another one?';
const NOTHING_FREE = 'Nothing is free on that day. Which other day suits you?';
const BOOKED = /^It is booked: (.+)\. Your booking number is \d+\.$/;
/** The sandbox has no more requests to tools open at the same time. */
const AT_ONCE = 100;
const PAST = '2020-01-06';

/** The example looks up free times and books them, while assistants talk to people. */
export async function bookAppointmentsDuringACall(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check, require } = checks;
	const { tables } = environment;
	const example = await openExample(checks, environment, NAME);
	const timesOf = async () => (await tables.rows(TABLE)).map(({ slot }) => String(slot));

	const [first = '', second = '', third = ''] =
		await require('a set-up creates the table of free times, and a second one adds nothing', async () => {
			await example.run(SET_UP);
			const times = await timesOf();
			assert.equal(times.length, 3);
			await example.run(SET_UP);
			assert.deepEqual(await timesOf(), times);
			return times;
		});
	await tables.insert(TABLE, [{ slot: `${dayOf(first)} 14:00` }, { slot: `${PAST} 09:00` }]);
	await example.publish();

	const answerTo = async (tool: NamedTool) => await toolAnswer(example, ASSISTANT, tool);
	const freeTimes = async (day: string) =>
		await answerTo({ name: 'get_free_times', arguments: { day } });
	const book = async (slot: string, person: typeof ANNA) => await answerTo(booking(slot, person));
	const rowOf = async (slot: string) => await tables.row(TABLE, 'slot', slot);

	await check('the assistant says the free times of a day', async () => {
		assert.equal(
			await freeTimes(dayOf(first)),
			`On ${spokenDay(first)}, these times are free: 09:00, 14:00. Which one suits you?`,
		);
	});

	await check('nothing is free on a day that is over, full or no day', async () => {
		for (const day of [PAST, '2020-01-07', 'tomorrow', '%']) {
			assert.equal(await freeTimes(day), NOTHING_FREE);
		}
	});

	await check('a booked time has the person in its row, and is free no more', async () => {
		const answer = await book(first, ANNA);
		assert.match(answer, BOOKED);
		assert.ok(answer.includes(`${spokenDay(first)}, at 09:00`), answer);
		const row = await rowOf(first);
		assert.partialDeepStrictEqual(row, { name: 'Anna Schmidt', phone_number: '+4915112345611' });
		assert.ok(answer.includes(`number is ${String(row.booking_number)}.`), answer);
		assert.match(await freeTimes(dayOf(first)), / are free: 14:00\./);
	});

	await check('the same person can ask twice, and another one gets no booked time', async () => {
		const before = await rowOf(first);
		assert.match(await book(first, ANNA), BOOKED);
		assert.equal(await book(first, PETER), TAKEN);
		assert.deepEqual(await rowOf(first), before);
	});

	await check('a time that is over, unknown or unreadable is not booked', async () => {
		const before = await tables.rows(TABLE);
		for (const slot of [`${PAST} 09:00`, `${dayOf(third)} 03:00`, 'soon soon', '% %']) {
			assert.equal(await book(slot, PETER), TAKEN);
		}
		assert.deepEqual(await tables.rows(TABLE), before);
	});

	await check('a time written as 9:00 is booked, also without a phone number', async () => {
		const nobody = { name: '-', phone_number: 'unknown' };
		assert.match(await book(third.replace(' 0', ' '), nobody), BOOKED);
		assert.equal(await book(third, nobody), TAKEN);
	});

	await check('no call of these tools made an execution fail', async () => {
		await assertAllSucceeded(example, 1);
	});
	await example.unpublish();
	await bookAtTheSameMoment(checks, environment, second);
}

async function bookAtTheSameMoment(
	checks: Checks,
	environment: GalleryEnvironment,
	slot: string,
): Promise<void> {
	// Many executions at once take long on a busy machine.
	const example = await openExample(checks, environment, NAME, (workflow) =>
		TRIGGERS.reduce((changed, name) => withParameters(changed, name, { timeout: 30 }), workflow),
	);
	await example.publish();
	await checks.check(
		`of ${AT_ONCE} people who want one time at the same moment, one hears that it is booked`,
		async () => {
			const people = Array.from({ length: AT_ONCE }, (_, index) => ({
				name: `Person ${index}`,
				phone_number: `+49151123${4000 + index}`,
			}));
			const choices = people.map((person) => booking(slot, person));
			const said = await toolAnswers(example.service, ASSISTANT, choices);
			assert.equal(said.filter((answer) => BOOKED.test(answer)).length, 1, said.join('\n'));
			assert.equal(said.filter((answer) => answer === TAKEN).length, AT_ONCE - 1);
			const booked = people[said.findIndex((answer) => BOOKED.test(answer))];
			assert.partialDeepStrictEqual(await environment.tables.row(TABLE, 'slot', slot), booked);
			await assertAllSucceeded(example, AT_ONCE);
		},
	);
	await example.unpublish();
}

const dayOf = (slot: string): string => slot.slice(0, 10);

/** Such as "Monday, March 9". */
const spokenDay = (slot: string): string =>
	new Date(dayOf(slot)).toLocaleDateString('en-US', {
		weekday: 'long',
		month: 'long',
		day: 'numeric',
		timeZone: 'UTC',
	});

function booking(slot: string, person: typeof ANNA): NamedTool {
	const [day, time] = slot.split(' ');
	return { name: 'book_time', arguments: { day, time, ...person } };
}

/** Waits until so many executions have ended. @throws AssertionError when one has failed */
async function assertAllSucceeded({ executions }: OpenExample, count: number): Promise<void> {
	const failed = (await executions(count)).filter(({ status }) => status !== 'success');
	assert.deepEqual(
		failed.map(({ error }) => error),
		[],
	);
}
