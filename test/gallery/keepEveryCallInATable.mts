import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import { untilNextPoll } from '../e2e/calls.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { A_CALL, withParameters } from './example.mts';
import type { Gallery } from './gallery.mts';

const TABLE = 'Finished calls';
const ASSISTANT = 10;
const LIMIT_MS = 240_000;

/** How many calls finish while n8n is stopped. */
const MISSED = 50;
/** Every fifth of them is not answered. */
const NUMBERS = ['+14155550141', '+14155550142', '+14155550143', '+14155550144', '+4915112399901'];

/** The webhook and the poll, which write the same rows. It stops n8n and starts it again. */
export async function keepEveryCallInATable(gallery: Gallery): Promise<void> {
	const { check, open, tables } = gallery;
	// n8n polls when it publishes the workflow and when it starts. A poll in between would bring a call
	// before the check has looked at the row of its webhook.
	const example = await open('Keep every call in a table', [
		withParameters('Calls of the last minutes', { pollTimes: ONCE_A_YEAR }),
	]);
	const { control, service } = example;
	const restart = async () => await gallery.restart();
	/** Waits until the rows are as the service has its calls: what tells a call, and what it cost. */
	const untilRowsAreCalls = async () => {
		const calls = (await control.calls()).map((call) => {
			const { id, type, client_phone_number: phone, total_cost: cost, transcript } = call;
			return [id, type, phone, cost, transcript];
		});
		const rows = await waitFor('the rows of all calls', LIMIT_MS, async () => {
			const present = (await tables.rows(TABLE)).map((row) => {
				const { call_id: id, direction, phone_number: phone, cost, transcript } = row;
				return [id, direction, phone, cost, transcript];
			});
			const isWritten = present.every(([, direction]) => direction !== null);
			return isWritten && present.length >= calls.length ? present : undefined;
		});
		assert.deepEqual(
			rows.sort(([a], [b]) => Number(a) - Number(b)),
			calls,
		);
	};

	await check('the set-up of the table of calls can be repeated', async () => {
		await example.setUp();
		assert.deepEqual(await tables.rows(TABLE), []);
	});

	await check('a call is a row as soon as it is over', async () => {
		await untilNextPoll(service, example.publish);
		let id = 0;
		await example.next(async () => {
			id = await example.callIn({ assistant_id: ASSISTANT, from: '+4915112345691' });
		});
		const row = await tables.row(TABLE, {});
		const [call] = await control.calls();
		const { topic } = asObject(call?.variables, 'variables');
		assert.equal(typeof topic, 'string');
		assert.partialDeepStrictEqual(row, {
			call_id: id,
			outcome: 'answered',
			phone_number: call?.client_phone_number,
			seconds: call?.duration,
			topic,
			transcript: call?.transcript,
			direction: null,
			cost: null,
		});
	});

	await check('the next poll adds the direction and the cost to the row of the call', async () => {
		await untilNextPoll(service, restart);
		await untilRowsAreCalls();
	});

	await check('calls that finish while n8n is stopped are rows when it is back', async () => {
		await gallery.n8n().stop();
		for (let count = 0; count < MISSED; count++) {
			const number = NUMBERS[count % NUMBERS.length] ?? '';
			await (count % 2 === 0
				? control.inbound({ assistant_id: ASSISTANT, from: number })
				: control.outbound({ assistant_id: ASSISTANT, to: number }));
		}
		await control.advance(A_CALL);
		await untilNextPoll(service, restart);
		await untilRowsAreCalls();
		const unanswered = await tables.rows(TABLE, { outcome: 'no-answer' });
		assert.equal(unanswered.length, MISSED / NUMBERS.length);
	});

	await check('a call that is delivered again is no second row, and keeps its cost', async () => {
		await example.next(async () => await example.replay('first'));
		await untilRowsAreCalls();
	});

	await check('a call with a list as its transcript is a row', async () => {
		const transcript = ['Hello', { speaker: 'caller', text: 'Hi' }];
		await example.next(async () => {
			await example.deliver({ id: 900_001, transcript, extracted_variables: [] });
		});
		assert.partialDeepStrictEqual((await tables.rows(TABLE)).at(-1), {
			call_id: 900_001,
			topic: null,
			transcript: 'Hello\nCustomer: Hi',
		});
	});
}
