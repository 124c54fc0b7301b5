import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { ADD_LEAD } from '../../host/n8n/examples.mts';
import { checkDoNotCall, numbersAddedBy } from './doNotCall.mts';
import { withNode } from './example.mts';
import type { Gallery } from './gallery.mts';

/** From the contact of a CRM to the started campaign. */
export async function addLeadAndStartCampaign(gallery: Gallery): Promise<void> {
	const { check, editor, open } = gallery;
	const { run, sent } = await open(ADD_LEAD);
	const lead = {
		campaign_id: 1,
		phone_number: '+14155550123',
		allow_dupplicate: true,
		variables: { customer_name: 'Anna Schmidt', email: 'anna.schmidt@example.com' },
	};
	const start = { campaign_id: 1, action: 'start' };

	await check('a contact is added to the campaign, which starts then', async () => {
		const execution = await run('Start by hand');
		assert.deepEqual(await sent('createLead'), [lead]);
		assert.deepEqual(await sent('updateCampaignStatus'), [start]);
		const [added] = getItems(execution, 'Add the lead');
		assert.deepEqual([added?.campaign_id, added?.status], [1, 'created']);
		const started = getItems(execution, 'Start the campaign');
		assert.deepEqual(started, [{ campaign_id: 1, status: 'in-progress' }]);
	});

	await check('a second run adds the contact again, and does not start what runs', async () => {
		await run('Start by hand');
		assert.deepEqual(await sent('createLead'), [lead, lead]);
		assert.deepEqual(await sent('updateCampaignStatus'), [start]);
	});

	const example = await open(ADD_LEAD);
	await checkDoNotCall(gallery, example, async (numbers) => {
		const contacts = numbers.map((phone) => ({ json: { phone, name: 'Anna Schmidt' } }));
		const jsCode = `return ${JSON.stringify(contacts)};`;
		const source = { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
		const withContacts = withNode('Contact from the CRM', () => source);
		await editor.saveWorkflow(example.id, withContacts(example.workflow));
		return await numbersAddedBy(example, async () => await example.run('Start by hand'));
	});
}
