import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { asObject } from '../../sandbox/test/support/contract.mts';
import { people } from '../support/n8n/operations.mts';
import { action, START } from '../support/workflows.mts';
import { runNode } from './runNode.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const NODE = 'Add people';
const ROWS = people(200);
const isOnList = (index: number) => index % 2 === 1;

/** *Do Not Call* with a list that another node of the workflow has. */
export async function doNotCall(environment: E2eEnvironment): Promise<void> {
	const { check } = environment;
	const { control, aliceRef } = await startOwnService(environment, 'do not call');

	await check(
		'Do Not Call holds back whom a list of another node has, written in another way',
		async () => {
			const everySecond = `$('${START}').all().filter((_, index) => index % 2 === 1)`;
			const list = `={{ ${everySecond}.map((row) => row.json.phone.replace('+49', '0')) }}`;
			const parameters = {
				resource: 'lead',
				operation: 'create',
				campaignId: { __rl: true, mode: 'id', value: '1' },
				phoneNumber: '={{ $json.phone }}',
				options: { doNotCall: list },
			};
			const execution = await runNode(environment, action(NODE, parameters, aliceRef), ROWS);
			assert.equal(execution.status, 'success', execution.error);
			assert.deepEqual(
				getItems(execution, NODE).map(({ result }) => result),
				ROWS.map((_, index) => (isOnList(index) ? 'do not call' : 'created')),
			);
			const requests = await control.requests();
			const numbers = requests.map(({ body }) => asObject(body, 'the body').phone_number);
			const others = ROWS.filter((_, index) => !isOnList(index)).map(({ phone }) => phone);
			assert.deepEqual(numbers.toSorted(), others);
		},
	);
}
