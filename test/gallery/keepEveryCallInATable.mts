import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import { completeCall } from '../e2e/calls.mts';
import { untilNextPoll } from '../e2e/pollTrigger.mts';
import type { Checks } from '../support/checks.mts';
import { asObject } from '../support/sandbox/contract.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import type { GalleryEnvironment } from './environment.mts';
import { nextExecution } from './nextExecution.mts';
import { openExample, withParameters } from './openExample.mts';
import { postDelivery } from './postDelivery.mts';
import { untilRows } from './untilRows.mts';

const TABLE = 'Finished calls';
const ASSISTANT = 10;
const LIMIT_MS = 60_000;

/** How many calls finish while n8n is stopped. */
const MISSED = 50;
/** Every fifth of them is not answered. */
const NUMBERS = ['+14155550141', '+14155550142', '+14155550143', '+14155550144', '+4915112399901'];

/** The webhook and the poll, which write the same rows. It stops n8n and starts it again. */
export async function keepEveryCallInATable(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { tables } = environment;
	const example = await openExample(
		checks,
		environment,
		'Keep every call in a table',
		// n8n polls when it publishes the workflow and when it starts. A poll in between would bring a call
		// before the check has looked at the row of its webhook.
		(workflow) => withParameters(workflow, 'Calls of the last minutes', { pollTimes: ONCE_A_YEAR }),
	);
	const { service } = example;
	const { control } = service;
	const restart = async () => {
		await environment.restart();
	};
	/** The rows as the service has its calls: what tells a call, and what it cost. */
	const callsOfService = async () =>
		(await control.calls()).map((call) => [
			call.id,
			call.type,
			call.client_phone_number,
			call.total_cost,
			call.transcript,
		]);
	const callsOfTable = async () =>
		(await tables.rows(TABLE))
			.map((row) => [row.call_id, row.direction, row.phone_number, row.cost, row.transcript])
			.sort(([a], [b]) => Number(a) - Number(b));

	await check('the set-up of the table of calls can be repeated', async () => {
		await example.run('Set up once');
		await example.run('Set up once');
		assert.deepEqual(await tables.rows(TABLE), []);
	});

	await check('a call is a row as soon as it is over', async () => {
		await untilNextPoll(service, example.publish);
		const id = await completeCall(example, ASSISTANT, 'inbound');
		const [row, ...others] = await untilRows(tables, TABLE, 1);
		const [call] = await control.calls();
		const { topic } = asObject(call?.variables, 'variables');
		assert.equal(typeof topic, 'string');
		assert.deepEqual(others, []);
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
		await waitFor('the row to have a direction', LIMIT_MS, async () =>
			(await tables.rows(TABLE)).some(({ direction }) => direction !== null) ? true : undefined,
		);
		assert.deepEqual(await callsOfTable(), await callsOfService());
	});

	await check('calls that finish while n8n is stopped are rows when it is back', async () => {
		await environment.n8n().stop();
		for (let count = 0; count < MISSED; count++) {
			const number = NUMBERS[count % NUMBERS.length] ?? '';
			await (count % 2 === 0
				? control.inbound({ assistant_id: ASSISTANT, from: number })
				: control.outbound({ assistant_id: ASSISTANT, to: number }));
		}
		await control.advance('PT3M');
		await untilNextPoll(service, restart);
		const rows = await untilRows(tables, TABLE, 1 + MISSED);
		assert.deepEqual(await callsOfTable(), await callsOfService());
		const unanswered = rows.filter(({ outcome }) => outcome === 'no-answer');
		assert.equal(unanswered.length, MISSED / NUMBERS.length);
	});

	await check('a call that is delivered again is no second row, and keeps its cost', async () => {
		await nextExecution(environment, example, async () => {
			await control.request('POST', '/deliveries/1/replay', {});
		});
		assert.deepEqual(await callsOfTable(), await callsOfService());
	});

	await check('a call with a list as its transcript is a row', async () => {
		const transcript = ['Hello', { speaker: 'caller', text: 'Hi' }];
		const { status } = await nextExecution(environment, example, async () => {
			await postDelivery(service, { id: 900_001, transcript, extracted_variables: [] });
		});
		assert.equal(status, 'success');
		assert.partialDeepStrictEqual((await tables.rows(TABLE)).at(-1), {
			call_id: 900_001,
			topic: null,
			transcript: 'Hello\n{"speaker":"caller","text":"Hi"}',
		});
	});

	await example.unpublish();
}
