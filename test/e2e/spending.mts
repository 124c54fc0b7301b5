import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { whileAnswering } from '../support/whileAnswering.mts';
import { action, START } from '../support/workflows.mts';
import { runNode } from './runNode.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const NODE = 'Add people';
const MANY = 2_000;

const people = Array.from({ length: MANY }, (_, index) => ({
	phone: `+49151123${46_000 + index}`,
}));

/** *Do Not Call*, and *Dry Run* and *Maximum Items* with as many rows as somebody adds by mistake. */
export async function spending(environment: E2eEnvironment): Promise<void> {
	const { check, url } = environment;
	const { control, aliceRef } = await startOwnService(environment, 'spending');
	const add = async (options: object, items: object[]) => {
		const parameters = {
			resource: 'lead',
			operation: 'create',
			campaignId: { __rl: true, mode: 'id', value: '1' },
			phoneNumber: '={{ $json.phone }}',
			options,
		};
		return await runNode(environment, action(NODE, parameters, aliceRef), items);
	};
	const sent = async () => await control.requests();

	await check(`a Dry Run of ${MANY} rows shows the 8 that are wrong`, async () => {
		const rows = people.map((row, index) => (index % 250 === 125 ? { phone: 'nobody' } : row));
		await whileAnswering(url, async () => {
			const { status, error = '' } = await add({ dryRun: true }, rows);
			assert.equal(status, 'error');
			assert.match(error, /^'Phone Number' must be a phone number/);
			const [, , notSent = ''] = error.split('\n');
			assert.match(notSent, /^Not sent: items 125, 375, /);
			assert.equal(notSent.match(/\d+(?=,| \()/g)?.length, 8);
		});
		assert.deepEqual(await sent(), []);
	});

	await check(`a Dry Run of ${MANY} rows shows what would be sent`, async () => {
		await whileAnswering(url, async () => {
			const execution = await add({ dryRun: true }, people);
			assert.equal(execution.status, 'success', execution.error);
			assert.deepEqual(
				getItems(execution, NODE).map(({ result, body }) => ({ result, body })),
				people.map(({ phone }) => ({
					result: 'would be sent',
					body: { campaign_id: 1, phone_number: phone },
				})),
			);
		});
		assert.deepEqual(await sent(), []);
	});

	await check(`Maximum Items refuses ${MANY} rows before the first is sent`, async () => {
		await whileAnswering(url, async () => {
			const { error = '' } = await add({ maximumItems: 20 }, people);
			assert.match(error, /^This run would send 2000 items, and 'Maximum Items' is 20\n/);
		});
		assert.deepEqual(await sent(), []);
	});

	await check(
		'Do Not Call holds back whom a list of another node has, written in another way',
		async () => {
			const rows = people.slice(0, 200);
			const everySecond = `$('${START}').all().filter((_, index) => index % 2 === 1)`;
			const doNotCall = `={{ ${everySecond}.map((row) => row.json.phone.replace('+49', '0')) }}`;
			const execution = await add({ doNotCall }, rows);
			assert.equal(execution.status, 'success', execution.error);
			assert.deepEqual(
				getItems(execution, NODE).map(({ result }) => result),
				rows.map((_, index) => (index % 2 === 1 ? 'do not call' : 'created')),
			);
			const numbers = (await sent()).map(
				({ body }) => (body as { phone_number: string }).phone_number,
			);
			const others = rows.filter((_, index) => index % 2 === 0).map(({ phone }) => phone);
			assert.deepEqual(numbers.toSorted(), others);
		},
	);
}
