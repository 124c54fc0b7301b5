import assert from 'node:assert/strict';

import { itemsOf, type Execution, type Item } from '../../host/api/execution.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import { OPERATIONS } from '../support/n8n/operations.mts';
import { action, fields, start, START, workflow } from '../support/workflows.mts';
import { startAccount } from './account.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** Runs workflows with every operation, and with operations that fail. */
export async function operations(checks: Checks, { editor }: E2eEnvironment): Promise<void> {
	const { check } = checks;
	// Another service, because it is reset for each operation.
	const { service, alice } = await startAccount(checks, { editor }, 'Alice, operations');
	const run = async (definition: Workflow): Promise<Execution> => {
		await service.reset();
		const { id } = await editor.createWorkflow(definition);
		return await editor.run(id, START);
	};
	const steps = (name: string, parameters: Item, ...more: Workflow['nodes']): Workflow =>
		workflow(name, [start(), action(NODE, parameters, alice), ...more], [[START, NODE]]);

	for (const { name, parameters, request, output } of OPERATIONS) {
		await check(`operation ${name}`, async () => {
			const execution = await run(steps(name, parameters));
			assert.equal(execution.status, 'success', execution.error);
			assert.partialDeepStrictEqual(itemsOf(execution, NODE), [output]);
			const received = (await service.control.requests()).at(-1);
			assert.partialDeepStrictEqual(received, { method: request.method, path: request.path });
			if (request.query) assert.deepEqual(received?.query, request.query);
			if (request.body) assert.deepEqual(received?.body, request.body);
		});
	}

	const lead = (phoneNumber: string) => ({
		resource: 'lead',
		operation: 'create',
		campaignId: '1',
		phoneNumber,
	});

	await check('a refusal of the service is stored with message and fields', async () => {
		const execution = await run(steps('Wrong number', lead('12')));
		assert.equal(execution.status, 'error');
		const message = [
			"'Phone Number': Invalid phone number",
			"The phone number was sent as 12. Add the country code, or set 'Default Country Code'.",
			'Correct the fields named above, then try again.',
		].join('\n');
		assert.equal(execution.error, message);
		assert.equal(execution.runs.find(({ node }) => node === NODE)?.error, message);
	});

	await check(
		'the error output gets the items that failed, the other output those that succeeded, paired',
		async () => {
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
			const execution = await run({ ...definition, pinData });
			assert.equal(execution.status, 'success', execution.error);
			const [first, wrong, last] = phones;
			assert.deepEqual(itemsOf(execution, 'Added'), [
				{ origin: first, phone: first },
				{ origin: last, phone: last },
			]);
			assert.deepEqual(itemsOf(execution, 'Failed'), [
				{
					origin: wrong,
					message: "'Phone Number': Invalid phone number",
					field: 'Invalid phone number',
				},
			]);
		},
	);
}
