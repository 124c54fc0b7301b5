import assert from 'node:assert/strict';

import { ACTION } from '../../host/n8n/names.mts';
import { node, workflow } from '../support/workflows.mts';
import { assertLooksRight } from './appearance.mts';
import { addEverything } from './fields.mts';
import type { EditorField } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const TRIGGER = 'Voice Assistant Calling Mid Call Tool Trigger';
/** n8n appends this to the type of a node that an agent uses. */
const AGENT_TYPE = `${ACTION}Tool`;
const AGENT_NODE = 'For an agent';

/** A new user makes a workflow a tool of an assistant. */
export async function midCallTool(
	{ browser, editor, check }: BrowserEnvironment,
	fields: EditorField[],
): Promise<void> {
	const addTrigger = async (): Promise<void> => {
		await browser.workflow.create();
		await browser.nodePanel.search('mid call tool');
		await browser.nodePanel.addTrigger(TRIGGER);
	};

	await check('"mid call tool" finds the trigger, which shows all its fields', async () => {
		await addTrigger();
		// Only then it offers all options.
		await assertLooksRight(await browser.form.openChoices('tool'));
		await browser.form.choose('Use Existing');
		await addEverything(browser, fields);
		await browser.form.addEntry(browser.form.entries('parameters'));
		await browser.form.field('type', browser.form.entries('parameters')).waitFor();
		await assertLooksRight(browser.form.fields);
		await browser.node.close();
	});

	await check('an assistant is picked in an entry of the list of assistants', async () => {
		await addTrigger();
		await browser.form.fill('name', 'get_free_slots');
		await browser.form.fill('description', 'Look up free slots.');
		await browser.form.addEntry(browser.form.entries('assistants'));
		await browser.picker.open('assistantId');
		// An earlier check gives it another name.
		await browser.picker.pick('ID 2');
		assert.match(await browser.picker.picked('assistantId'), /\(ID 2, inbound\)$/);
		await assertLooksRight(browser.form.fields);
	});

	const refusal = /works only with an existing tool/;
	await check(
		'n8n shows why listening is refused while the tool is created on publish',
		async () => {
			await browser.page.getByText('Answer an assistant during a call').waitFor();
			await browser.node.execute();
			const message = await browser.notifications.titled('Problem running workflow').innerText();
			assert.match(message, refusal);
			assert.match(message, /pin sample parameters/);
			await browser.notifications.closeAll();
			await browser.node.close();
		},
		// n8n responds with an error, which it then shows.
		/status of 500 .*\/rest\/workflows\/\w+\/run/,
		refusal,
	);

	await check('the action that answers is offered to workflows, and not to agents', async () => {
		await browser.openNodeInNewWorkflow('Voice Assistant Calling');
		await browser.nodePanel.add('Respond to mid call tool');
		assert.equal(await browser.form.chosen('operation'), 'Respond');
		await assertLooksRight(browser.form.fields);
		await browser.node.close();

		const agentNode = node(AGENT_NODE, AGENT_TYPE, 1, { resource: 'midCallTool' });
		const { id } = await editor.createWorkflow(workflow('Agent', [agentNode]));
		await browser.workflow.open(id);
		await browser.workflow.openNode(AGENT_NODE);
		const choices = await browser.form.openChoices('operation');
		await choices.getByText('Update', { exact: true }).waitFor();
		assert.doesNotMatch(await choices.innerText(), /Respond/);
		await browser.form.choose('Create');
		await browser.node.close();
	});
}
