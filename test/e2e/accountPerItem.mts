import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import type { Checks } from '../support/checks.mts';
import { ALICE, BOB } from '../support/sandbox/seed.mts';
import { action, node, start, START, workflow } from '../support/workflows.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const LIST = 'List';
const PEOPLE = 'People';
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

/** Items whose phone numbers no other check uses. */
const itemsFor = (expression: number) =>
	OWNERS.map((token, index) => ({
		token,
		campaign: CAMPAIGNS[token],
		phone: `+4915112347${expression}0${index}`,
	}));

/** A credential whose token is an expression: n8n evaluates it, and the item of each request counts. */
export async function accountPerItem(
	{ check }: Checks,
	{ editor, service }: E2eEnvironment,
): Promise<void> {
	for (const [index, token] of EXPRESSIONS.entries()) {
		await check(`each item goes to the account that its credential names: ${token}`, async () => {
			const credential = await saveCredential(editor, token, { url: service.url, token });
			const people = node(LIST, 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ people: itemsFor(index) }),
				options: {},
			});
			const split = node(PEOPLE, 'n8n-nodes-base.splitOut', 1, {
				fieldToSplitOut: 'people',
				options: {},
			});
			const addLead = action(
				NODE,
				{
					resource: 'lead',
					operation: 'create',
					campaignId: { __rl: true, mode: 'id', value: '={{ $json.campaign }}' },
					phoneNumber: '={{ $json.phone }}',
				},
				credential,
			);
			const { id } = await editor.createWorkflow(
				workflow(
					'Leads of two accounts',
					[start(), people, split, addLead],
					[
						[START, LIST],
						[LIST, PEOPLE],
						[PEOPLE, NODE],
					],
				),
			);
			const execution = await editor.run(id, START);
			assert.equal(execution.status, 'success', execution.error);
			assert.deepEqual(
				itemsOf(execution, NODE).map(({ campaign_id }) => campaign_id),
				OWNERS.map((owner) => CAMPAIGNS[owner]),
			);
		});
	}
}
