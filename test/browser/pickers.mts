import assert from 'node:assert/strict';

import { assertLooksRight } from './appearance.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** The user picks an assistant from the list and changes it. */
export async function picker({ browser, check }: BrowserEnvironment): Promise<void> {
	await check('an assistant is found in the list, and the step changes it', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.add('Update assistant');
		await browser.openList('assistantId');
		assert.deepEqual(await browser.listed.allInnerTexts(), [
			'Appointment caller (ID 1, outbound)',
			'Reception (ID 2, inbound)',
		]);
		await browser.filterList('recep');
		await browser.listed.filter({ hasText: 'Appointment' }).waitFor({ state: 'hidden' });
		await browser.pick('Reception');
		assert.equal(await browser.picked('assistantId'), 'Reception (ID 2, inbound)');
		await browser.addTo('updateFields', 'Name', false);
		await browser.fill('name', 'Front desk');
		await assertLooksRight(browser.fields);
		await browser.execute();
		assert.equal(await browser.itemCount(), '1 item');
		await browser.outputShows('Front desk');
		await browser.closeNotifications();
		await browser.closeNode();
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
		await browser.add('Create assistant');
		await browser.openList('voiceId');
		assert.deepEqual(await browser.listed.allInnerTexts(), [
			'Voice 1, used by Appointment caller',
			'Voice 2, used by Reception',
		]);
		await browser.pick('Voice 2');
		await browser.addTo('callHandling', 'Phone Number', false);
		await browser.openList('phoneNumberId');
		assert.deepEqual(await browser.listed.allInnerTexts(), [
			'Maybe +14155550100 (ID 1), used by Appointment caller',
			'Maybe +493023125000 (ID 2), used by Reception',
		]);
		await browser.pick('ID 2');
		const number = await browser.picked('phoneNumberId');
		assert.equal(number, 'Maybe +493023125000 (ID 2), used by Reception');
		await browser.closeNode();
	});

	await check(
		'a list that cannot be read says why, and is read again when it is opened again',
		async () => {
			await browser.openNodeInNewWorkflow(NODE);
			await browser.add('Update assistant');
			await control.fault({ operation: 'listAssistants', status: 401 });
			const problem = await browser.listProblem('assistantId');
			assert.match(problem, /The service did not accept the API token/);
			assert.match(problem, /You can also choose 'By ID'\./);
			await browser.page.keyboard.press('Escape');
			await browser.openList('assistantId');
			await browser.pick('Reception');
			await browser.closeNode();
		},
		/status of 500 .*resource-locator-results/, // n8n's own answer for a list that it cannot read.
	);

	await check('a sentence in a list cannot be picked, and an ID can be entered', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.add('Stop campaign');
		await browser.openList('campaignId');
		const sentence = "The service does not list campaigns. Choose 'By ID'.";
		assert.deepEqual(await browser.listed.allInnerTexts(), [sentence]);
		await browser.listed.first().click();
		assert.equal(await browser.picked('campaignId'), '');
		await browser.page.keyboard.press('Escape');
		await browser.enterId('campaignId', '1');
		await browser.execute();
		assert.equal(await browser.itemCount(), '1 item');
		await browser.closeNotifications();
		await browser.closeNode();
	});
}
