import { expect } from '@playwright/test';

import { ACTION, MID_CALL_TOOL_TRIGGER, POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import type { SandboxClient } from '../../sandbox/client.mts';
import { respond } from '../support/midCallTools.mts';
import { node, start, START, workflow } from '../support/workflows.mts';
import { addEverything } from './addEverything.mts';
import { assertLooksRight } from './appearance.mts';
import { test } from './editorTest.mts';
import { getEntry, readFields, readFieldsWith } from './served.mts';

const POLL = 'Poll Voice Assistant Trigger';
const MID_CALL_TOOL = 'Voice Mid Call Tool Trigger';

async function completeCall(control: SandboxClient, to: string): Promise<void> {
	await control.outbound({ assistant_id: 1, to });
	await control.advance('PT2M');
}

test('the trigger for inbound calls opens with its event and options', async ({ ui, api }) => {
	await ui.addToNewWorkflow('On inbound call completed');
	await expect(ui.form.chosen('triggerOn')).toHaveValue('Inbound Call Completed');
	await assertLooksRight(await ui.form.openChoices('triggerOn'));
	await ui.form.choose('Call Completed');
	await addEverything(ui, await readFieldsWith(api, TRIGGER, ['triggerOn', 'callCompleted']));
	await assertLooksRight(ui.form.fields);
});

test('a trigger listens, shows the call that completes, and starts executions once it is published', async ({
	ui,
	control,
}, info) => {
	await ui.addToNewWorkflow('On call completed');
	await expect(ui.form.chosen('triggerOn')).toHaveValue('Call Completed');
	await ui.picker.open('assistantId');
	await ui.picker.pick('Appointment caller');
	await ui.node.execute();
	await ui.node.listening();
	const registrations = (await control.requests()).filter(
		({ method, path, status }) =>
			method === 'PUT' && path === '/api/user/assistant/1' && status === 200,
	);
	expect(registrations).not.toEqual([]);
	await completeCall(control, '+4915112345671');
	await ui.node.hasOutput();
	await ui.node.showSchema();
	await ui.node.shows('+4915112345671');
	await ui.node.shows('callCompleted');
	await ui.closeNotifications();
	await assertLooksRight(ui.form.fields);
	await ui.takePictures(info, 'trigger');
	await ui.node.close();

	await ui.workflow.publish();
	await ui.workflow.published.getByText(/^From now on this workflow starts/).waitFor();
	await ui.workflow.closePublished();
	await completeCall(control, '+4915112345672');
	await ui.workflow.openExecutions();
	await expect(ui.workflow.executions.filter({ hasText: 'Succeeded' })).toHaveCount(2);
});

test('the poll trigger shows all its fields, and fetches the newest call', async ({
	ui,
	api,
	control,
}) => {
	await completeCall(control, '+4915112345673');
	await ui.addTriggerToNewWorkflow('poll trigger', POLL);
	const fields = await readFields(api, POLL_TRIGGER);
	for (const { name } of fields) await ui.form.field(name).first().waitFor();
	// It does not run with an empty entry in a list.
	await addEverything(
		ui,
		fields.filter((field) => getEntry(field).length === 0),
	);
	await assertLooksRight(ui.form.fields);
	await ui.run();
	await ui.node.showSchema();
	await ui.node.shows('+4915112345673');
});

test('"mid call tool" finds the trigger, which shows all its fields', async ({ ui, api }) => {
	await ui.addTriggerToNewWorkflow('mid call tool', MID_CALL_TOOL);
	// Only then it offers all options.
	await assertLooksRight(await ui.form.openChoices('tool'));
	await ui.form.choose('Use Existing');
	await addEverything(
		ui,
		await readFieldsWith(api, MID_CALL_TOOL_TRIGGER, ['otherTools', 'notSaid']),
	);
	await assertLooksRight(ui.form.fields);
});

test('an assistant is picked in a list of entries, and n8n shows why listening is refused', async ({
	ui,
	expectedErrors,
}) => {
	// n8n responds with an error, which it then shows.
	expectedErrors.push(/status of 500 .*\/rest\/workflows\/\w+\/run/, /only with an existing tool/);
	await ui.addTriggerToNewWorkflow('mid call tool', MID_CALL_TOOL);
	const firstSteps = ui.form.fields.getByText('Then publish.');
	await firstSteps.waitFor();
	await ui.form.fill('name', 'get_free_slots');
	await firstSteps.waitFor({ state: 'hidden' });
	await ui.form.fill('description', 'Look up free slots.');
	await ui.form.addEntry(ui.form.entries('assistants'));
	await ui.picker.open('assistantId');
	await ui.picker.pick('Reception');
	await expect(ui.picker.picked('assistantId')).toHaveValue('Reception (ID 2, inbound)');
	await assertLooksRight(ui.form.fields);
	await ui.page.getByText('Answer an assistant during a call').waitFor();
	await ui.node.execute();
	const message = await ui.notification('Problem running workflow');
	expect(message).toMatch(/works only with an existing tool.*pin sample parameters/s);
});

test('the action that answers an assistant opens', async ({ ui }) => {
	await ui.addToNewWorkflow('Respond to call');
	await expect(ui.form.chosen('operation')).toHaveValue('Respond');
	await assertLooksRight(ui.form.fields);
});

test('the action that answers an assistant needs no credential, and another one does', async ({
	ui: { credential, node: dialog, workflow: canvas },
	api,
	expectedErrors,
}) => {
	// Its output is that of the node before, so it has no preview.
	expectedErrors.push(/schemas\/.*\/call\/respond\.json/);
	const other = node('Others', ACTION, 1, { resource: 'phoneNumber', operation: 'getAll' });
	const nodes = [start(), respond('Answer', 'At ten.'), other].map((each, index) => ({
		...each,
		position: [300 * index, 0],
	}));
	const links: Array<[string, string]> = [
		[START, 'Answer'],
		['Answer', 'Others'],
	];
	await canvas.open((await api.createWorkflow(workflow('No credential', nodes, links))).id);
	for (const [name, count] of [
		['Others', 1],
		['Answer', 0],
	] as const) {
		await expect(canvas.warnings(name)).toHaveCount(count);
		await canvas.openNode(name);
		await expect(dialog.name).toHaveText(name);
		await expect(credential.offered).toHaveCount(count);
		await dialog.close();
	}
});

test('the panel shows the name of each trigger on one line', async ({
	ui: { panel, workflow: canvas },
}) => {
	await canvas.create();
	await panel.open('');
	for (const [text, name] of [
		['mid call tool', MID_CALL_TOOL],
		['poll trigger', POLL],
	] as const) {
		await panel.search(text);
		expect(await panel.linesOf(name), name).toBe(1);
	}
});
