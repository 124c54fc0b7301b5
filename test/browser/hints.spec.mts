import { expect } from '@playwright/test';

import { people } from '../support/n8n/operations.mts';
import { action, start, START, workflow } from '../support/workflows.mts';
import { assertLooksRight } from './appearance.mts';
import { THEMES, type EditorPage } from './editor/editorPage.mts';
import { test } from './editorTest.mts';

const NODE = 'The node';
const PAUSE_SECONDS = 2;

const DUPLICATES = /^Each item becomes a lead, even if the campaign already has its phone number/;
const PAUSED = new RegExp(`The run waited ${PAUSE_SECONDS} s in total`);

const CREATE_LEADS = {
	resource: 'lead',
	operation: 'create',
	campaignId: { __rl: true, mode: 'id', value: '1' },
	phoneNumber: '={{ $json.phone }}',
	additionalFields: { onDuplicate: 'createAnyway' },
};

/** One hint before a run, and one after it. `test/nodes/action/hints.test.mts` has when each hint is shown. */
test('a hint warns of duplicates, and says how long a run waited', async ({
	ui,
	api,
	control,
	credential,
}) => {
	const nodes = [start(), action(NODE, CREATE_LEADS, credential)];
	const { id } = await api.createWorkflow({
		...workflow('Hints', nodes, [[START, NODE]]),
		pinData: { [START]: people(3).map((json) => ({ json })) },
	});
	await ui.workflow.open(id);
	await ui.workflow.openNode(NODE);
	await assertHint(ui, DUPLICATES);
	const headers = { 'Retry-After': String(PAUSE_SECONDS) };
	await control.fault({ operation: 'createLead', status: 429, headers });
	await ui.run('3 items');
	await assertHint(ui, PAUSED);
	await expect(ui.node.hint(DUPLICATES)).toHaveCount(0);
});

/** The hint is on the screen and looks right, in both themes. */
async function assertHint(ui: EditorPage, text: RegExp): Promise<void> {
	for (const theme of THEMES) {
		await ui.useTheme(theme);
		await ui.node.hint(text).waitFor();
		await assertLooksRight(ui.node.hint(text));
	}
}
