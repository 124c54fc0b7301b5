import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import type { JsonObject } from '../support/sandbox/contract.mts';
import { looksRight } from './appearance.mts';
import { addEverything } from './fields.mts';
import type { OfferedField } from './servedNode.mts';
import type { Stage } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';
const ASSISTANT = 'Appointment caller';
/** n8n 2.41 tries five times over 15 s before it gives a registration up. */
const REFUSAL_LIMIT_MS = 90_000;

const REGISTRATION_LIMIT_MS = 30_000;

/** A call of the assistant starts workflows, and where it cannot, the user is told why. */
export async function calls(stage: Stage, fields: OfferedField[]): Promise<void> {
	const { browser, control, see, takePictures } = stage;

	const addTrigger = async (name: string): Promise<void> => {
		await browser.createWorkflow();
		await browser.searchNodes(NODE);
		await browser.openNode(NODE);
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

	await see('the trigger for inbound calls opens with its event, and all its options', async () => {
		await addTrigger('On inbound call completed');
		assert.equal(await browser.chosen('triggerOn'), 'Inbound Call Completed');
		await looksRight(await browser.openChoices('triggerOn'));
		await browser.choose('Call Completed');
		await addEverything(browser, fields);
		await looksRight(browser.fields);
		await browser.closeNode();
	});

	await see('a trigger listens, and shows the call that completes', async () => {
		await addTrigger('On call completed');
		assert.equal(await browser.chosen('triggerOn'), 'Call Completed');
		await pickAssistant();
		await browser.execute();
		await browser.listening();
		// The editor shows that before n8n has registered the trigger.
		await waitFor('the trigger to register itself', REGISTRATION_LIMIT_MS, async () =>
			(await control.requests()).find(isRegistration),
		);
		await completeCall('+4915112345671');
		assert.equal(await browser.itemCount(), '1 item');
		await browser.showSchema();
		await browser.outputShows('+4915112345671');
		await browser.outputShows('callCompleted');
		await browser.quiet();
		await looksRight(browser.fields);
		await takePictures('trigger');
		await browser.closeNode();
	});

	await see('a workflow is published, and the user is told what starts it', async () => {
		await browser.publish();
		await browser.published.getByText(/^From now on this workflow starts/).waitFor();
		await browser.closePublished();
	});

	await see('a call completes, and its execution is in the list', async () => {
		await completeCall('+4915112345672');
		await browser.openExecutions();
		await browser.executions.filter({ hasText: 'Succeeded' }).nth(1).waitFor();
		assert.equal(await browser.executions.count(), 2);
	});

	const refusal = /already go to the host 127\.0\.0\.1:\d+, to another trigger or workflow/;

	await see(
		'listening is refused in words while another workflow has the calls',
		async () => {
			await addTrigger('On call completed');
			await pickAssistant();
			await browser.execute();
			const words = await browser.announcement('Problem running workflow').innerText();
			assert.match(words, refusal);
			assert.match(words, /'Call > Get Many'/);
			await browser.quiet();
			await browser.closeNode();
		},
		// n8n answers with an error what it then shows.
		/status of 500 .*\/rest\/workflows\/\w+\/run/,
		refusal,
	);

	await see('publishing is refused in words while another workflow has the calls', async () => {
		await browser.publish();
		const refused = browser.announcement('Workflow could not be published');
		await refused.waitFor({ timeout: REFUSAL_LIMIT_MS });
		const words = await refused.innerText();
		assert.match(words, refusal);
		assert.match(words, /Choose another assistant/);
		await browser.quiet();
	});
}

function isRegistration({ method, path, status }: JsonObject): boolean {
	return method === 'PUT' && path === '/api/user/assistant/1' && status === 200;
}
