import assert from 'node:assert/strict';

import { assertLooksRight } from './appearance.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** The user picks an assistant from the list and changes it. */
export async function picker({ browser, check }: BrowserEnvironment): Promise<void> {
	await check('an assistant is found in the list, and the step changes it', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.nodePanel.add('Update assistant');
		await browser.picker.open('assistantId');
		assert.deepEqual(await browser.picker.listed.allInnerTexts(), [
			'Appointment caller (ID 1, outbound)',
			'Reception (ID 2, inbound)',
		]);
		await browser.picker.filter('recep');
		await browser.picker.listed.filter({ hasText: 'Appointment' }).waitFor({ state: 'hidden' });
		await browser.picker.pick('Reception');
		assert.equal(await browser.picker.picked('assistantId'), 'Reception (ID 2, inbound)');
		await browser.form.addTo('updateFields', 'Name', false);
		await browser.form.fill('name', 'Front desk');
		await assertLooksRight(browser.form.fields);
		await browser.node.execute();
		assert.equal(await browser.output.itemCount(), '1 item');
		await browser.output.shows('Front desk');
		await browser.notifications.closeAll();
		await browser.node.close();
	});
}

/** What the lists show where the service lists nothing: values of other records, and sentences. */
export async function gatheredLists({
	browser,
	check,
	control,
}: BrowserEnvironment): Promise<void> {
	await check('the lists of voices and phone numbers show who uses them', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.nodePanel.add('Create assistant');
		await browser.picker.open('voiceId');
		assert.deepEqual(await browser.picker.listed.allInnerTexts(), [
			'Voice 1, used by Appointment caller',
			'Voice 2, used by Reception',
		]);
		await browser.picker.pick('Voice 2');
		await browser.form.addTo('callHandling', 'Phone Number', false);
		await browser.picker.open('phoneNumberId');
		assert.deepEqual(await browser.picker.listed.allInnerTexts(), [
			'Maybe +14155550100 (ID 1), used by Appointment caller',
			'Maybe +493023125000 (ID 2), used by Reception',
		]);
		await browser.picker.pick('ID 2');
		const number = await browser.picker.picked('phoneNumberId');
		assert.equal(number, 'Maybe +493023125000 (ID 2), used by Reception');
		await browser.node.close();
	});

	await check(
		'a list that cannot be read says why, and is read again when it is opened again',
		async () => {
			await browser.openNodeInNewWorkflow(NODE);
			await browser.nodePanel.add('Update assistant');
			await control.fault({ operation: 'listAssistants', status: 401 });
			const problem = await browser.picker.problem('assistantId');
			assert.match(problem, /The service did not accept the API token/);
			assert.match(problem, /You can also choose 'By ID'\./);
			await browser.page.keyboard.press('Escape');
			await browser.picker.open('assistantId');
			await browser.picker.pick('Reception');
			await browser.node.close();
		},
		/status of 500 .*resource-locator-results/, // n8n's own answer for a list that it cannot read.
	);

	await check('a sentence in a list cannot be picked, and an ID can be entered', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.nodePanel.add('Stop campaign');
		await browser.picker.open('campaignId');
		const sentence = "The service does not list campaigns. Choose 'By ID'.";
		assert.deepEqual(await browser.picker.listed.allInnerTexts(), [sentence]);
		await browser.picker.listed.first().click();
		assert.equal(await browser.picker.picked('campaignId'), '');
		await browser.page.keyboard.press('Escape');
		await browser.picker.enterId('campaignId', '1');
		await browser.node.execute();
		assert.equal(await browser.output.itemCount(), '1 item');
		await browser.notifications.closeAll();
		await browser.node.close();
	});
}
