import assert from 'node:assert/strict';

import type { ReceivedRequest } from '../../sandbox/client.mts';
import { assertLooksRight } from './appearance.mts';
import { addEverything } from './fields.mts';
import type { EditorField } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';
const ASSISTANT = 'Appointment caller';
/** n8n 2.41 tries to register a trigger five times over 15 s. */
const REFUSAL_LIMIT_MS = 90_000;

/** Calls of an assistant start workflows; the user learns why when they cannot. */
export async function calls(environment: BrowserEnvironment, fields: EditorField[]): Promise<void> {
	const { browser, control, check, takePictures } = environment;

	const addTrigger = async (name: string): Promise<void> => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.nodePanel.add(name);
	};
	const pickAssistant = async (): Promise<void> => {
		await browser.picker.open('assistantId');
		await browser.picker.pick(ASSISTANT);
	};
	const completeCall = async (to: string): Promise<void> => {
		await control.outbound({ assistant_id: 1, to });
		await control.advance('PT2M');
	};

	await check(
		'the trigger for inbound calls opens with its event, and all its options',
		async () => {
			await addTrigger('On inbound call completed');
			assert.equal(await browser.form.chosen('triggerOn'), 'Inbound Call Completed');
			await assertLooksRight(await browser.form.openChoices('triggerOn'));
			await browser.form.choose('Call Completed');
			await addEverything(browser, fields);
			await assertLooksRight(browser.form.fields);
			await browser.node.close();
		},
	);

	await check('a trigger listens, and shows the call that completes', async () => {
		await addTrigger('On call completed');
		assert.equal(await browser.form.chosen('triggerOn'), 'Call Completed');
		await pickAssistant();
		await browser.node.execute();
		await browser.output.listening();
		assert.ok((await control.requests()).some(isRegistration));
		await completeCall('+4915112345671');
		assert.equal(await browser.output.itemCount(), '1 item');
		await browser.output.showSchema();
		await browser.output.shows('+4915112345671');
		await browser.output.shows('callCompleted');
		await browser.notifications.closeAll();
		await assertLooksRight(browser.form.fields);
		await takePictures('trigger');
		await browser.node.close();
	});

	await check('a workflow is published, and the user sees what starts it', async () => {
		await browser.workflow.publish();
		await browser.workflow.published.getByText(/^From now on this workflow starts/).waitFor();
		await browser.workflow.closePublished();
	});

	await check('a call completes, and its execution is in the list', async () => {
		await completeCall('+4915112345672');
		await browser.workflow.openExecutions();
		await browser.workflow.executions.filter({ hasText: 'Succeeded' }).nth(1).waitFor();
		assert.equal(await browser.workflow.executions.count(), 2);
	});

	const refusal = /already go to the host 127\.0\.0\.1:\d+, to another trigger or workflow/;

	await check(
		'n8n shows why listening is refused while another workflow receives the calls',
		async () => {
			await addTrigger('On call completed');
			await pickAssistant();
			await browser.node.execute();
			const message = await browser.notifications.titled('Problem running workflow').innerText();
			assert.match(message, refusal);
			assert.match(message, /'Call > Get Many'/);
			await browser.notifications.closeAll();
			await browser.node.close();
		},
		// n8n responds with an error, which it then shows.
		/status of 500 .*\/rest\/workflows\/\w+\/run/,
		refusal,
	);

	await check(
		'n8n shows why publishing is refused while another workflow receives the calls',
		async () => {
			await browser.workflow.publish();
			const refused = browser.notifications.titled('Workflow could not be published');
			await refused.waitFor({ timeout: REFUSAL_LIMIT_MS });
			const message = await refused.innerText();
			assert.match(message, refusal);
			assert.match(message, /Choose another assistant/);
			await browser.notifications.closeAll();
		},
	);
}

function isRegistration({ method, path, status }: ReceivedRequest): boolean {
	return method === 'PUT' && path === '/api/user/assistant/1' && status === 200;
}
