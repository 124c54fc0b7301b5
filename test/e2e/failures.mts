import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { action, fields, start, START, workflow } from '../support/workflows.mts';
import { runNode } from './runNode.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

const lead = (phoneNumber: string) => ({
	resource: 'lead',
	operation: 'create',
	campaignId: '1',
	phoneNumber,
});

/** What fails. An agent uses each operation (aiAgent/everyOperation.mts). */
export async function failures(environment: E2eEnvironment): Promise<void> {
	const { check, editor, alice } = environment;
	await check('a refusal of the service is stored with message and fields', async () => {
		const execution = await runNode(environment, action(NODE, lead('12'), alice));
		assert.equal(execution.status, 'error');
		const message = [
			"'Phone Number': Invalid phone number",
			"The phone number was sent as 12. It is too short. Check its digits.",
			'Correct the fields named above, then try again.',
		].join('\n');
		assert.equal(execution.error, message);
		assert.equal(execution.runs.find(({ node }) => node === NODE)?.error, message);
	});

	await check('failed items reach the error output, the others the other one, paired', async () => {
		const phones = ['+4915112345671', '12', '+4915112345673'];
		const origin = { origin: `={{ $('${START}').item.json.phone }}` };
		const definition = workflow(
			'Error output',
			[
				start(),
				{ ...action(NODE, lead('={{ $json.phone }}'), alice), onError: 'continueErrorOutput' },
				fields('Added', { ...origin, phone: '={{ $json.phone_number }}' }),
				fields('Failed', {
					...origin,
					message: '={{ $json.error.message }}',
					field: '={{ $json.error.errors["Phone Number"][0] }}',
				}),
			],
			[
				[START, NODE],
				[NODE, 'Added', 0],
				[NODE, 'Failed', 1],
			],
		);
		const pinData = { [START]: phones.map((phone) => ({ json: { phone } })) };
		const { id } = await editor.createWorkflow({ ...definition, pinData });
		const execution = await editor.run(id, START);
		assert.equal(execution.status, 'success', execution.error);
		const [first, wrong, last] = phones;
		assert.deepEqual(getItems(execution, 'Added'), [
			{ origin: first, phone: first },
			{ origin: last, phone: last },
		]);
		assert.deepEqual(getItems(execution, 'Failed'), [
			{
				origin: wrong,
				message: "'Phone Number': Invalid phone number",
				field: 'Invalid phone number',
			},
		]);
	});
}
