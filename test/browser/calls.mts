import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { ReceivedRequest } from '../../sandbox/client.mts';
import { assertLooksRight } from './appearance.mts';
import { addEverything } from './fields.mts';
import type { EditorField } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';
const ASSISTANT = 'Appointment caller';
/** n8n 2.41 tries to register a trigger five times over 15 s. */
const REFUSAL_LIMIT_MS = 90_000;

const REGISTRATION_LIMIT_MS = 30_000;

/** Calls of an assistant start workflows; the user learns why when they cannot. */
export async function calls(environment: BrowserEnvironment, fields: EditorField[]): Promise<void> {
	const { browser, control, check, takePictures } = environment;

	const addTrigger = async (name: string): Promise<void> => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.add(name);
	};
	const pickAssistant = async (): Promise<void> => {
		await browser.openList('assistantId');
		await browser.pick(ASSISTANT);
	};
	const completeCall = async (to: string): Promise<void> => {
		await control.outbound({ assistant_id: 1, to });
		await control.advance('PT2M');
	};

	await check(
		'the trigger for inbound calls opens with its event, and all its options',
		async () => {
			await addTrigger('On inbound call completed');
			assert.equal(await browser.chosen('triggerOn'), 'Inbound Call Completed');
			await assertLooksRight(await browser.openChoices('triggerOn'));
			await browser.choose('Call Completed');
			await addEverything(browser, fields);
			await assertLooksRight(browser.fields);
			await browser.closeNode();
		},
	);

	await check('a trigger listens, and shows the call that completes', async () => {
		await addTrigger('On call completed');
		assert.equal(await browser.chosen('triggerOn'), 'Call Completed');
		await pickAssistant();
		await browser.execute();
		await browser.listening();
		// The editor shows this before n8n has registered the trigger.
		await waitFor('the trigger to register itself', REGISTRATION_LIMIT_MS, async () =>
			(await control.requests()).find(isRegistration),
		);
		await completeCall('+4915112345671');
		assert.equal(await browser.itemCount(), '1 item');
		await browser.showSchema();
		await browser.outputShows('+4915112345671');
		await browser.outputShows('callCompleted');
		await browser.closeNotifications();
		await assertLooksRight(browser.fields);
		await takePictures('trigger');
		await browser.closeNode();
	});

	await check('a workflow is published, and the user sees what starts it', async () => {
		await browser.publish();
		await browser.published.getByText(/^From now on this workflow starts/).waitFor();
		await browser.closePublished();
	});

	await check('a call completes, and its execution is in the list', async () => {
		await completeCall('+4915112345672');
		await browser.openExecutions();
		await browser.executions.filter({ hasText: 'Succeeded' }).nth(1).waitFor();
		assert.equal(await browser.executions.count(), 2);
	});

	const refusal = /already go to the host 127\.0\.0\.1:\d+, to another trigger or workflow/;

	await check(
		'n8n shows why listening is refused while another workflow receives the calls',
		async () => {
			await addTrigger('On call completed');
			await pickAssistant();
			await browser.execute();
			const message = await browser.notification('Problem running workflow').innerText();
			assert.match(message, refusal);
			assert.match(message, /'Call > Get Many'/);
			await browser.closeNotifications();
			await browser.closeNode();
		},
		// n8n responds with an error, which it then shows.
		/status of 500 .*\/rest\/workflows\/\w+\/run/,
		refusal,
	);

	await check(
		'n8n shows why publishing is refused while another workflow receives the calls',
		async () => {
			await browser.publish();
			const refused = browser.notification('Workflow could not be published');
			await refused.waitFor({ timeout: REFUSAL_LIMIT_MS });
			const message = await refused.innerText();
			assert.match(message, refusal);
			assert.match(message, /Choose another assistant/);
			await browser.closeNotifications();
		},
	);
}

function isRegistration({ method, path, status }: ReceivedRequest): boolean {
	return method === 'PUT' && path === '/api/user/assistant/1' && status === 200;
}
