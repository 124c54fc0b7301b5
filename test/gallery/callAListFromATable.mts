import assert from 'node:assert/strict';

import * as z from 'zod';

import { SET_UP } from '../../host/n8n/examples.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { checkDoNotCall, DO_NOT_CALL, numbersAddedBy } from './doNotCall.mts';
import { A_CALL, NO_TIMEOUTS, withNode } from './example.mts';
import type { Gallery } from './gallery.mts';
import { checkLateDelivery, leadOf } from './lateDelivery.mts';
import { runWithProbe } from './largeRuns.mts';
import type { Row } from './tables.mts';
import { rowNode, textsToEnter, withBehind } from './variants.mts';

const NAME = 'Call a list from a table';
const TABLE = 'People to call';
const START = 'Every weekday at 10';
/** Of the campaign. */
const ASSISTANT = 13;

/** Makes the table with further columns. */
const withColumns = (added: object[]) =>
	withNode('Create the table', ({ parameters }) => {
		const { column } = columnList.parse(parameters?.columns);
		return { parameters: { ...parameters, columns: { column: [...column, ...added] } } };
	});

const columnList = z.object({ column: z.array(z.unknown()) });

/** A list in a Data Table, whose people a campaign calls. */
export async function callAListFromATable(gallery: Gallery): Promise<void> {
	const { check, editor, open, tables } = gallery;
	const example = await open(NAME, [], [], NO_TIMEOUTS);
	const { control, run, sent } = example;

	/** How many requests of this operation the service has received. */
	const count = async (operation: string) => (await example.requests(operation)).length;
	const callsTo = async (phone: string) =>
		(await example.numbersCalled()).filter((number) => number === phone).length;
	const getRow = async (name: string) => await tables.row(TABLE, { name });
	/** Checks what the workflow has written into the row of a person. */
	const assertResult = async (name: string, result: string, details = /^/) => {
		const row = await getRow(name);
		assert.deepEqual([row.result, row.lead_id !== null], [result, result === 'created']);
		assert.match(String(row.details), details);
	};

	await check('the set-up of a list makes the table and its sample rows once', async () => {
		await example.setUp();
		// Other examples may have filled it. With a list, a wrong number is not sent.
		await tables.remove(DO_NOT_CALL);
		await example.setUp();
		const samples = (await tables.rows(TABLE)).map(({ name, result }) => [name, result]);
		assert.deepEqual(samples, [
			['Ada Moreno', null],
			['Tom Moreno', null],
			['Ben Okafor', null],
		]);
	});

	await check('each row of a list says what happened, and the campaign starts once', async () => {
		await tables.insert(TABLE, [
			{ name: 'Cleo Lind', phone_number: '+49 151 30000001', result: '' },
			{ name: 'Nobody', phone_number: null, result: '' },
		]);
		await run(START);
		await assertResult('Ada Moreno', 'created');
		await assertResult('Tom Moreno', 'duplicate', /already/);
		await assertResult('Ben Okafor', 'wrong number', /Phone Number.+sent as \+1 415/s);
		await assertResult('Cleo Lind', 'created');
		await assertResult('Nobody', 'not sent', /Phone Number/);
		assert.equal(await count('updateCampaignStatus'), 1);
		await control.advance(A_CALL);
		const called = await example.numbersCalled();
		assert.deepEqual(called.sort(), ['+14155550141', '+4915130000001']);
	});

	await check('a list that is run again does nothing', async () => {
		const before = [await control.requests(), await tables.rows(TABLE)];
		await run(START);
		assert.deepEqual([await control.requests(), await tables.rows(TABLE)], before);
	});

	await check('a list in which nobody is new does not start the campaign', async () => {
		await tables.insert(TABLE, [{ name: 'Carl Lind', phone_number: '004915130000001' }]);
		await run(START);
		await assertResult('Carl Lind', 'duplicate');
		assert.equal(await count('updateCampaignStatus'), 1);
	});

	await check('a corrected number is called once, and the wrong one no more', async () => {
		const [wrong, right] = ['+4915130099901', '+4915130000002'];
		await tables.insert(TABLE, [{ name: 'Dora Klein', phone_number: wrong }]);
		await run(START);
		await control.advance(A_CALL);
		assert.equal(await callsTo(wrong), 1);
		const row = await getRow('Dora Klein');
		const leadsBefore = await count('createLead');

		await tables.update(TABLE, row, { phone_number: right, result: '' });
		await run(START);
		await run(START);
		const updates = await example.requests('updateLead');
		assert.deepEqual(
			updates.map(({ path, body }) => [path.split('/').at(-1), body]),
			[[String(row.lead_id), { status: 'completed' }]],
		);
		assert.equal(await count('createLead'), leadsBefore + 1);
		const corrected = await getRow('Dora Klein');
		assert.equal(corrected.result, 'created');
		assert.notEqual(corrected.lead_id, row.lead_id);
		await control.advance('P2D');
		assert.deepEqual([await callsTo(wrong), await callsTo(right)], [1, 1]);
	});

	await check('each row says how the last call ended', async () => {
		await example.publish();
		const phone = '+4915130099902';
		await tables.insert(TABLE, [{ name: 'Finn Berg', phone_number: phone }]);
		await run(START);
		assert.equal((await getRow('Finn Berg')).outcome, '');
		await example.next(async () => await control.advance(A_CALL));
		const row = await getRow('Finn Berg');
		assert.equal(row.outcome, 'busy');
		assert.notEqual(row.called_at, null);
	});

	await checkLateDelivery(gallery, example, async () => await getRow('Finn Berg'), leadOf);

	await example.unpublish();

	await check('a row that is tried again with the same number keeps its lead', async () => {
		const row = await getRow('Dora Klein');
		await tables.update(TABLE, row, { phone_number: '0049 (151) 300-00002', result: '' });
		await run(START);
		const { result, lead_id: leadId } = await getRow('Dora Klein');
		assert.deepEqual([result, leadId], ['duplicate', row.lead_id]);
		assert.equal(await count('updateLead'), 1);
	});

	await check('no lead is added while the old one cannot be taken off the campaign', async () => {
		const row = await getRow('Dora Klein');
		const leadsBefore = await count('createLead');
		await control.fault({ operation: 'updateLead', status: 500, times: 5 });
		await tables.update(TABLE, row, { phone_number: '+4915130000003', result: '' });
		await run(START);
		await control.clearFaults();
		const failed = await getRow('Dora Klein');
		assert.deepEqual([failed.result, failed.lead_id], ['failed', row.lead_id]);
		assert.notEqual(failed.details, '');
		assert.equal(await count('createLead'), leadsBefore);

		await tables.update(TABLE, row, { result: '' });
		await run(START);
		await assertResult('Dora Klein', 'created');
		assert.equal(await count('createLead'), leadsBefore + 1);
	});

	await checkDoNotCall(gallery, example, async (numbers) => {
		await tables.insert(
			TABLE,
			numbers.map((phone_number) => ({ name: 'Somebody', phone_number })),
		);
		const added = await numbersAddedBy(example, async () => await run(START));
		const rows = (await tables.rows(TABLE)).slice(-numbers.length);
		assert.deepEqual(
			rows.map(({ result }) => result),
			numbers.map((_, index) =>
				index < numbers.length - added.length ? 'do not call' : 'created',
			),
		);
		return added;
	});

	await check(
		'without the table Do not call, the run of a list fails and adds nobody',
		async () => {
			await tables.remove(DO_NOT_CALL);
			await tables.insert(TABLE, [{ name: 'Emil Roth', phone_number: '+4915130000004' }]);
			const added = await numbersAddedBy(example, async () => {
				const { status, error } = await editor.run(example.id, START);
				assert.equal(status, 'error');
				assert.match(String(error), /Do not call/);
			});
			assert.deepEqual(added, []);
			await run(SET_UP);
			await run(START);
			await assertResult('Emil Roth', 'created');
		},
	);

	await check('a list of 1,000 people is written back whole, while n8n answers', async () => {
		const toPhone = (index: number) => `+49151400${String(index).padStart(5, '0')}`;
		const people = Array.from({ length: 1000 }, (_, index): Row => ({
			name: `Person ${index}`,
			phone_number: toPhone(index),
		}));
		// Two people with the same number, one without, and one of the 1,000 who want no calls.
		people[998] = { ...people[998], phone_number: toPhone(0) };
		people[999] = { ...people[999], phone_number: '' };
		await tables.insert(TABLE, people);
		await tables.insert(
			DO_NOT_CALL,
			Array.from({ length: 1000 }, (_, index) => ({ phone_number: toPhone(997 + index) })),
		);
		const leadsBefore = await count('createLead');
		const startsBefore = await count('updateCampaignStatus');

		await runWithProbe(gallery, example, START);

		const rows = (await tables.rows(TABLE)).slice(-people.length);
		const created = rows.filter(({ result }) => result === 'created');
		assert.equal(created.length, 997);
		assert.equal(new Set(created.map(({ lead_id }) => lead_id)).size, 997);
		// Two requests at the same moment: either of the two can be the duplicate.
		const pair = rows.filter(({ phone_number }) => phone_number === toPhone(0));
		assert.deepEqual(pair.map(({ result }) => result).sort(), ['created', 'duplicate']);
		await assertResult('Person 999', 'not sent');
		assert.equal(await count('createLead'), leadsBefore + 998);
		assert.equal(await count('updateCampaignStatus'), startsBefore + 1);
		const sample = (await sent('createLead')).find(
			({ phone_number: phone }) => phone === toPhone(500),
		);
		assert.deepEqual(sample?.variables, { customer_name: 'Person 500' });
	});

	await check('changed as its page says, a survey has the answers in the rows', async () => {
		const [key, satisfaction, would_recommend, suggestion] = textsToEnter(
			'call-a-list-from-a-table',
			'Survey: answers as rows',
		);
		const answers = { satisfaction, would_recommend, suggestion };
		await tables.remove(TABLE);
		const changes = [
			withColumns([
				{ name: 'satisfaction', type: 'number' },
				{ name: 'would_recommend', type: 'boolean' },
				{ name: 'suggestion', type: 'string' },
			]),
			withBehind(
				rowNode('Keep the answers', 'update', TABLE, ['lead_id', key], answers),
				'When a call completes',
			),
		];
		const survey = await open(NAME, changes, [], NO_TIMEOUTS);
		await survey.account.put(`/user/assistant/${ASSISTANT}`, {
			post_call_schema: [
				{ name: 'satisfaction', type: 'number', description: 'Satisfaction, from 1 to 10' },
				{ name: 'would_recommend', type: 'bool', description: 'Whether to recommend us' },
				{ name: 'suggestion', type: 'string', description: 'What should be better' },
			],
		});
		await survey.setUp();
		await survey.publish();
		await survey.run(START);
		await survey.next(async () => await survey.control.advance(A_CALL));
		const [call] = await survey.control.calls();
		const [row, ...others] = await tables.rows(TABLE, { outcome: 'answered' });
		assert.partialDeepStrictEqual(row, {
			lead_id: call?.lead_id,
			...asObject(call?.variables, 'the answers'),
		});
		assert.deepEqual(others, []);
	});
}
