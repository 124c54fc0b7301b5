import assert from 'node:assert/strict';

import { itemsOf, type Execution, type Item } from '../../host/api/execution.mts';
import { CREDENTIAL_TYPE } from '../../host/n8n/names.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import type { Checks } from '../support/checks.mts';
import { OPERATIONS } from '../support/n8n/operations.mts';
import { startService } from '../support/sandbox/service.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { action, fields, start, START, workflow } from '../support/workflows.mts';
import { seed } from './seed.mts';
import type { Stage } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** Runs every operation, and what can go wrong with one, in workflows. */
export async function operations({ check, lifetime }: Checks, { editor }: Stage): Promise<void> {
	// Of its own, because each operation finds it as new.
	const service = await startService({ seed: seed() });
	await lifetime.atEnd(async () => await service.close());
	const alice = await editor.saveCredential(CREDENTIAL_TYPE, 'Alice, operations', {
		baseUrl: service.url,
		apiToken: ALICE,
	});
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
			const [arrived] = (await service.control.requests()).slice(-1);
			assert.partialDeepStrictEqual(arrived, { method: request.method, path: request.path });
			if (request.query) assert.deepEqual(arrived?.query, request.query);
			if (request.body) assert.deepEqual(arrived?.body, request.body);
		});
	}

	const lead = (phoneNumber: string) => ({
		resource: 'lead',
		operation: 'create',
		campaignId: '1',
		phoneNumber,
	});

	await check('what the service refuses is stored with message and fields', async () => {
		const execution = await run(steps('Wrong number', lead('12')));
		assert.equal(execution.status, 'error');
		const words = [
			"'Phone Number': Invalid phone number",
			'Correct the fields named above, then run the step again.',
		].join('\n');
		assert.equal(execution.error, words);
		assert.equal(execution.runs.find(({ node }) => node === NODE)?.error, words);
	});

	await check(
		'the error output gets what failed, the other what went through, paired',
		async () => {
			const phones = ['+4915112345671', '12', '+4915112345673'];
			const origin = { origin: `={{ $('${START}').item.json.phone }}` };
			const definition = workflow(
				'Error output',
				[
					start(),
					{ ...action(NODE, lead('={{ $json.phone }}'), alice), onError: 'continueErrorOutput' },
					fields('Added', { ...origin, phone: '={{ $json.phone_number }}' }),
					fields('Refused', {
						...origin,
						message: '={{ $json.error.message }}',
						field: '={{ $json.error.errors["Phone Number"][0] }}',
					}),
				],
				[
					[START, NODE],
					[NODE, 'Added', 0],
					[NODE, 'Refused', 1],
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
			assert.deepEqual(itemsOf(execution, 'Refused'), [
				{
					origin: wrong,
					message: "'Phone Number': Invalid phone number",
					field: 'Invalid phone number',
				},
			]);
		},
	);
}
