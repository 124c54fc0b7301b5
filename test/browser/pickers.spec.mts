import { expect } from '@playwright/test';

import { assertLooksRight } from './appearance.mts';
import { test } from './editorTest.mts';

test('an assistant is found in the list, and the step changes it', async ({ ui }) => {
	const { picker, form } = ui;
	await ui.addToNewWorkflow('Update assistant');
	await picker.open('assistantId');
	await expect(picker.listed).toHaveText([
		'Appointment caller (ID 1, outbound)',
		'Reception (ID 2, inbound)',
	]);
	await picker.filter('recep');
	await expect(picker.listed).toHaveCount(1);
	await picker.pick('Reception');
	await expect(picker.picked('assistantId')).toHaveValue('Reception (ID 2, inbound)');
	await form.addTo('updateFields', 'Name');
	await form.fill('name', 'Front desk');
	await assertLooksRight(form.fields);
	await ui.run();
	await ui.node.shows('Front desk');
});

test('a list that cannot be read says why, and is read again when it is opened again', async ({
	ui,
	control,
	expectedErrors,
}) => {
	// n8n's own response for a list that it cannot read.
	expectedErrors.push(/status of 500 .*resource-locator-results/);
	await ui.addToNewWorkflow('Update assistant');
	await control.fault({ operation: 'listAssistants', status: 401 });
	await ui.form.input('assistantId').getByTestId('rlc-input').click();
	await expect(ui.picker.problem).toHaveText(
		/The service did not accept the API token.*You can also choose 'By ID'\./s,
	);
	await ui.page.keyboard.press('Escape');
	await ui.picker.open('assistantId');
	await ui.picker.pick('Reception');
});

test('a sentence in a list cannot be picked, and an ID can be entered', async ({ ui, control }) => {
	await control.fault({ operation: 'listCampaigns', status: 404, times: 1 });
	await ui.addToNewWorkflow('Stop campaign');
	await ui.picker.open('campaignId');
	await expect(ui.picker.listed).toHaveText(["Your provider has no such list. Choose 'By ID'."]);
	await ui.picker.listed.click();
	await expect(ui.picker.picked('campaignId')).toHaveValue('');
	await ui.page.keyboard.press('Escape');
	await ui.picker.enterId('campaignId', '1');
	await ui.run();
});
