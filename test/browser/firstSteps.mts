import assert from 'node:assert/strict';

import { OWNER } from '../../host/n8n/provision.mts';
import { looksRight } from './appearance.mts';
import type { ServedNode } from './servedNode.mts';
import type { Stage } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** A new user finds the node, makes a credential and adds a lead. */
export async function firstSteps(stage: Stage, served: ServedNode): Promise<void> {
	const { browser, sandbox, see, mustSee, takePictures } = stage;

	await mustSee(
		'a user signs in and creates a workflow',
		async () => {
			await browser.signIn(OWNER);
			await browser.createFirstWorkflow();
		},
		// n8n asks who is there before anybody has signed in.
		/status of 401 \(Unauthorized\) \(.*\/rest\/login\)/,
	);

	await mustSee('"voice assistant" finds the node, with its icon', async () => {
		await browser.searchNodes('voice assistant');
		await browser.foundNodes.first().waitFor();
		assert.equal(await browser.foundNodes.count(), 1);
		await looksRight(browser.nodePanel);
	});

	await mustSee('the node shows its triggers and all its actions', async () => {
		await browser.openNode(NODE);
		const expected = [
			'On call completed',
			'On inbound call completed',
			...served.operations.map(({ action }) => action),
		];
		assert.deepEqual(await browser.offered(expected.length), expected);
		await looksRight(browser.nodePanel);
	});

	await mustSee('choosing the action "Create lead" opens it', async () => {
		await browser.add('Create lead');
		assert.equal(await browser.nodeName.innerText(), 'Create lead');
		assert.equal(await browser.chosen('resource'), 'Lead');
		assert.equal(await browser.chosen('operation'), 'Create');
		await looksRight(browser.fields);
	});

	await see('a credential with a wrong token is refused in words', async () => {
		await browser.newCredential();
		await browser.fillCredential('baseUrl', sandbox.url);
		await browser.fillCredential('apiToken', 'wrong-token');
		await browser.saveCredential();
		const words = await browser.credentialProblem();
		assert.match(words, /Couldn’t connect with these settings/);
		assert.match(words, /API Token/);
		await looksRight(browser.credential);
	});

	await mustSee('the right token is accepted', async () => {
		await browser.fillCredential('apiToken', sandbox.token);
		await browser.saveCredential();
		await browser.credential.waitFor({ state: 'hidden' });
		await browser.quiet();
		await browser.openCredential();
		await browser.credential.getByText('Connection tested successfully').waitFor();
		await looksRight(browser.credential);
		await takePictures('credential');
		await browser.closeCredential();
	});

	await see('the fields are filled in, the step runs, and the lead is in the output', async () => {
		await browser.fill('campaignId', '1');
		await browser.fill('phoneNumber', '+4915112345678');
		await browser.addTo('additionalFields', 'Customer Name', false);
		await browser.fill('customerName', 'Anna Schmidt');
		await browser.execute();
		assert.equal(await browser.itemCount(), '1 item');
		await browser.outputShows('+4915112345678');
		await browser.outputShows('Anna Schmidt');
		await browser.quiet();
		await looksRight(browser.fields);
		await takePictures('create-lead');
		await browser.closeNode();
	});
}
