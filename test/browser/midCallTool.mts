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
		await browser.createWorkflow();
		await browser.searchNodes('mid call tool');
		await browser.addTrigger(TRIGGER);
	};

	await check('"mid call tool" finds the trigger, which shows all its fields', async () => {
		await addTrigger();
		// Only then it offers all options.
		await assertLooksRight(await browser.openChoices('tool'));
		await browser.choose('Use Existing');
		await addEverything(browser, fields);
		await browser.addEntry(browser.list('parameters'));
		await browser.field('type', browser.list('parameters')).waitFor();
		await assertLooksRight(browser.fields);
		await browser.closeNode();
	});

	await check('an assistant is picked in an entry of the list of assistants', async () => {
		await addTrigger();
		await browser.fill('name', 'get_free_slots');
		await browser.fill('description', 'Look up free slots.');
		await browser.addEntry(browser.list('assistants'));
		await browser.openList('assistantId');
		// An earlier check gives it another name.
		await browser.pick('ID 2');
		assert.match(await browser.picked('assistantId'), /\(ID 2, inbound\)$/);
		await assertLooksRight(browser.fields);
	});

	const refusal = /works only with an existing tool/;
	await check(
		'n8n shows why listening is refused while the tool is created on publish',
		async () => {
			await browser.page.getByText('Answer an assistant during a call').waitFor();
			await browser.execute();
			const message = await browser.notification('Problem running workflow').innerText();
			assert.match(message, refusal);
			assert.match(message, /pin sample parameters/);
			await browser.closeNotifications();
			await browser.closeNode();
		},
		// n8n responds with an error, which it then shows.
		/status of 500 .*\/rest\/workflows\/\w+\/run/,
		refusal,
	);

	await check('the action that answers is offered to workflows, and not to agents', async () => {
		await browser.openNodeInNewWorkflow('Voice Assistant Calling');
		await browser.add('Respond to mid call tool');
		assert.equal(await browser.chosen('operation'), 'Respond');
		await assertLooksRight(browser.fields);
		await browser.closeNode();

		const agentNode = node(AGENT_NODE, AGENT_TYPE, 1, { resource: 'midCallTool' });
		const { id } = await editor.createWorkflow(workflow('Agent', [agentNode]));
		await browser.openWorkflow(id);
		await browser.openNodeOnCanvas(AGENT_NODE);
		const choices = await browser.openChoices('operation');
		await choices.getByText('Update', { exact: true }).waitFor();
		assert.doesNotMatch(await choices.innerText(), /Respond/);
		await browser.choose('Create');
		await browser.closeNode();
	});
}
