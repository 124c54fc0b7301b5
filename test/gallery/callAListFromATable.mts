import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { GalleryEnvironment } from './environment.mts';
import { openExample } from './openExample.mts';
import { runWithProbe } from './runWithProbe.mts';
import type { Row } from './tables.mts';

const TABLE = 'People to call';
const START = 'Every weekday at 10';
/** A health check of a container fails after a few seconds. */
const LONGEST_SILENCE_MS = 5_000;

/** A list in a Data Table, whose people a campaign calls. */
export async function callAListFromATable(
	checks: Checks,
	environment: GalleryEnvironment,
): Promise<void> {
	const { check } = checks;
	const { tables } = environment;
	const example = await openExample(checks, environment, 'Call a list from a table');
	const { run, service } = example;

	/** How many requests of this operation the service has received. */
	const count = async (operation: string): Promise<number> =>
		(await example.requests(operation)).length;

	/** What the workflow has written to the rows of these people. */
	const results = async (...names: string[]) =>
		(await tables.rows(TABLE))
			.filter(({ name }) => names.includes(String(name)))
			.map(({ name, result, lead_id }) => ({ name, result, hasLead: lead_id !== null }));

	const callsTo = async (phoneNumber: string): Promise<number> =>
		(await service.control.calls()).filter((call) => call.client_phone_number === phoneNumber)
			.length;

	const detailsOf = async (person: string): Promise<unknown> =>
		(await tables.rows(TABLE)).find(({ name }) => name === person)?.details;

	await check('the set-up of a list makes the table and its sample rows once', async () => {
		await run('Set up once');
		await run('Set up once');
		assert.deepEqual(
			(await tables.rows(TABLE)).map(({ name, result }) => ({ name, result })),
			[
				{ name: 'Ada Moreno', result: null },
				{ name: 'Tom Moreno', result: null },
				{ name: 'Ben Okafor', result: null },
			],
		);
	});

	await check('each row of a list says what happened, and the campaign starts once', async () => {
		await tables.insert(TABLE, [
			{ name: 'Cleo Lind', phone_number: '+49 151 30000001', result: '' },
			{ name: 'Nobody', phone_number: null, result: '' },
		]);
		await run(START);
		assert.deepEqual(await results('Ada Moreno', 'Tom Moreno', 'Ben Okafor'), [
			{ name: 'Ada Moreno', result: 'created', hasLead: true },
			{ name: 'Tom Moreno', result: 'duplicate', hasLead: false },
			{ name: 'Ben Okafor', result: 'refused', hasLead: false },
		]);
		assert.deepEqual(await results('Cleo Lind', 'Nobody'), [
			{ name: 'Cleo Lind', result: 'created', hasLead: true },
			{ name: 'Nobody', result: 'not sent', hasLead: false },
		]);
		assert.match(String(await detailsOf('Tom Moreno')), /already exists/);
		assert.match(String(await detailsOf('Ben Okafor')), /Phone Number/);
		assert.match(String(await detailsOf('Nobody')), /Phone Number/);
		assert.equal(await count('updateCampaignStatus'), 1);
		await service.control.advance('PT5M');
		assert.deepEqual(
			(await service.control.calls()).map((call) => call.client_phone_number).sort(),
			['+14155550141', '+4915130000001'],
		);
	});

	await check('a list that is run again does nothing', async () => {
		const requestsBefore = (await service.control.requests()).length;
		const rowsBefore = await tables.rows(TABLE);
		await run(START);
		assert.equal((await service.control.requests()).length, requestsBefore);
		assert.deepEqual(await tables.rows(TABLE), rowsBefore);
	});

	await check('a list in which nobody is new does not start the campaign', async () => {
		await tables.insert(TABLE, [{ name: 'Carl Lind', phone_number: '004915130000001' }]);
		await run(START);
		assert.deepEqual(await results('Carl Lind'), [
			{ name: 'Carl Lind', result: 'duplicate', hasLead: false },
		]);
		assert.equal(await count('updateCampaignStatus'), 1);
	});

	await check('a corrected number is called once, and the wrong one no more', async () => {
		const [wrong, right] = ['+4915130099901', '+4915130000002'];
		await tables.insert(TABLE, [{ name: 'Dora Klein', phone_number: wrong }]);
		await run(START);
		await service.control.advance('PT5M');
		assert.equal(await callsTo(wrong), 1);
		const row = await tables.row(TABLE, 'name', 'Dora Klein');
		const leadsBefore = await count('createLead');

		await tables.update(TABLE, row, { phone_number: right, result: '' });
		await run(START);
		await run(START);
		const [update, ...others] = await example.requests('updateLead');
		assert.ok(update?.path.endsWith(`/leads/${String(row.lead_id)}`), update?.path);
		assert.deepEqual([update?.body, others], [{ status: 'completed' }, []]);
		assert.equal(await count('createLead'), leadsBefore + 1);
		const corrected = await tables.row(TABLE, 'name', 'Dora Klein');
		assert.equal(corrected.result, 'created');
		assert.notEqual(corrected.lead_id, row.lead_id);
		await service.control.advance('P2D');
		assert.deepEqual([await callsTo(wrong), await callsTo(right)], [1, 1]);
	});

	await check('a row that is tried again with the same number keeps its lead', async () => {
		const row = await tables.row(TABLE, 'name', 'Dora Klein');
		await tables.update(TABLE, row, { phone_number: '0049 (151) 300-00002', result: '' });
		await run(START);
		const { result, lead_id: leadId } = await tables.row(TABLE, 'name', 'Dora Klein');
		assert.deepEqual([result, leadId], ['duplicate', row.lead_id]);
		assert.equal(await count('updateLead'), 1);
	});

	await check('no lead is added while the old one cannot be taken off the campaign', async () => {
		const row = await tables.row(TABLE, 'name', 'Dora Klein');
		const leadsBefore = await count('createLead');
		await service.control.fault({ operation: 'updateLead', status: 500, times: 5 });
		await tables.update(TABLE, row, { phone_number: '+4915130000003', result: '' });
		await run(START);
		await service.control.clearFaults();
		const failed = await tables.row(TABLE, 'name', 'Dora Klein');
		assert.deepEqual([failed.result, failed.lead_id], ['failed', row.lead_id]);
		assert.notEqual(failed.details, '');
		assert.equal(await count('createLead'), leadsBefore);

		await tables.update(TABLE, row, { result: '' });
		await run(START);
		assert.equal((await tables.row(TABLE, 'name', 'Dora Klein')).result, 'created');
		assert.equal(await count('createLead'), leadsBefore + 1);
	});

	await check(
		'a list of 1,000 people is written back whole, while n8n stays responsive',
		async () => {
			const people = Array.from({ length: 1000 }, (_, index): Row => ({
				name: `Person ${index}`,
				// Two people with the same number, and one without.
				phone_number:
					index === 999 ? '' : `+49151400${String(index === 998 ? 0 : index).padStart(5, '0')}`,
			}));
			await tables.insert(TABLE, people);
			const createdBefore = await count('createLead');
			const startsBefore = await count('updateCampaignStatus');

			await runWithProbe(environment, example, START, LONGEST_SILENCE_MS);

			const rows = (await tables.rows(TABLE)).filter(({ name }) =>
				String(name).startsWith('Person '),
			);
			const created = rows.filter(({ result }) => result === 'created');
			assert.equal(rows.length, 1000);
			assert.equal(created.length, 998);
			assert.equal(new Set(created.map(({ lead_id }) => lead_id)).size, 998);
			// Two requests at the same moment: either of the two can be the duplicate.
			const pair = rows.filter(({ phone_number }) => phone_number === '+4915140000000');
			assert.deepEqual(pair.map(({ result }) => result).sort(), ['created', 'duplicate']);
			assert.equal(rows.find(({ name }) => name === 'Person 999')?.result, 'not sent');
			assert.equal(await count('createLead'), createdBefore + 999);
			assert.equal(await count('updateCampaignStatus'), startsBefore + 1);
			const sample = (await service.control.requests()).find(
				({ body }) => body !== null && (body as Row).phone_number === '+4915140000500',
			);
			assert.deepEqual((sample?.body as Row).variables, { customer_name: 'Person 500' });
		},
	);
}
