import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { ALICE, BOB } from '../../sandbox/test/support/seed.mts';
import { action } from '../support/workflows.mts';
import { runNode } from './runNode.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const NODE = 'Add lead';

/** Campaigns of which the other one's token creates no lead. */
const CAMPAIGNS = { [ALICE]: 1, [BOB]: 101 };

/** Expressions for the token of the item. Some have the same value for the first and the last item. */
const EXPRESSIONS = [
	'={{ $json.token }}',
	`={{ $itemIndex % 5 === 0 ? '${ALICE}' : '${BOB}' }}`,
	`={{ [0, 5].includes($itemIndex) ? '${ALICE}' : '${BOB}' }}`,
];

const OWNERS = [ALICE, BOB, BOB, BOB, BOB, ALICE] as const;

/** A credential whose token is an expression: n8n evaluates it, and the item of each request counts. */
export async function accountPerItem(environment: E2eEnvironment): Promise<void> {
	const { check, editor, service } = environment;
	for (const [index, token] of EXPRESSIONS.entries()) {
		await check(`each item goes to the account that its credential names: ${token}`, async () => {
			const credential = await saveCredential(editor, token, { url: service.url, token });
			const parameters = {
				resource: 'lead',
				operation: 'create',
				campaignId: { __rl: true, mode: 'id', value: '={{ $json.campaign }}' },
				phoneNumber: '={{ $json.phone }}',
			};
			// No other check uses these phone numbers.
			const items = OWNERS.map((owner, item) => ({
				token: owner,
				campaign: CAMPAIGNS[owner],
				phone: `+4915112347${index}0${item}`,
			}));
			const addLead = action(NODE, parameters, credential);
			const execution = await runNode(environment, addLead, items);
			assert.equal(execution.status, 'success', execution.error);
			assert.deepEqual(
				getItems(execution, NODE).map(({ campaign_id }) => campaign_id),
				OWNERS.map((owner) => CAMPAIGNS[owner]),
			);
		});
	}

	await check('the test of a credential whose token needs an item fails', async () => {
		const token = '={{ $json.token }}';
		const credential = await saveCredential(editor, token, { url: service.url, token });
		const data = { baseUrl: service.url, apiToken: token };
		assert.deepEqual(await editor.testCredential(credential, data), {
			status: 'Error',
			message: "Node '' hasn't been executed",
		});
	});
}
