import assert from 'node:assert/strict';

import { OWNER } from '../../host/n8n/provision.mts';
import { assertLooksRight } from './appearance.mts';
import type { ServedNode } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** What people type who do not know the name of the node. */
const SEARCHES = [
	'voice agent',
	'phone call',
	'outbound',
	'inbound',
	'telephone',
	'call center',
	'appointment',
	'reminder',
	'callback',
	'receptionist',
	'transcript',
	'create lead',
	'send sms',
];

/** A new user finds the node, makes a credential and adds a lead. */
export async function firstSteps(
	environment: BrowserEnvironment,
	served: ServedNode,
): Promise<void> {
	const { browser, sandbox, check, require, takePictures } = environment;

	await require('a user signs in and creates a workflow', async () => {
		await browser.signIn(OWNER);
		await browser.createFirstWorkflow();
	}, /status of 401 \(Unauthorized\) \(.*\/rest\/login\)/); // n8n requests the user before the sign-in.

	await require('"voice assistant" finds the node, with its icon', async () => {
		await browser.searchNodes('voice assistant');
		await browser.foundNodes.first().waitFor();
		assert.equal(await browser.foundNodes.count(), 1);
		await assertLooksRight(browser.nodePanel);
	});

	await check('the node says what its triggers and its actions do', async () => {
		const text = await browser.foundNodes.first().innerText();
		assert.match(text, /when a phone call .* completes\..* add leads, run campaigns and send SMS/);
	});

	for (const text of SEARCHES) {
		await check(`"${text}" finds the node`, async () => {
			await browser.searchNodesAgain('nothing has this name');
			await browser.foundNodes.first().waitFor({ state: 'detached' });
			await browser.searchNodesAgain(text);
			await browser.foundNodes.filter({ hasText: NODE }).first().waitFor();
		});
	}

	await require('the node shows its triggers and all its actions', async () => {
		await browser.searchNodesAgain('voice assistant');
		await browser.openNode(NODE);
		const expected = [
			'On call completed',
			'On inbound call completed',
			...served.operations.map(({ action }) => action),
		];
		assert.deepEqual(await browser.offered(expected.length), expected);
		await assertLooksRight(browser.nodePanel);
	});

	await require('choosing the action "Create lead" opens it', async () => {
		await browser.add('Create lead');
		assert.equal(await browser.nodeName.innerText(), 'Create lead');
		assert.equal(await browser.chosen('resource'), 'Lead');
		assert.equal(await browser.chosen('operation'), 'Create');
		await assertLooksRight(browser.fields);
	});

	await check('n8n shows why a credential with a wrong token is refused', async () => {
		await browser.newCredential();
		await browser.fillCredential('baseUrl', sandbox.url);
		await browser.fillCredential('apiToken', 'wrong-token');
		await browser.saveCredential();
		const message = await browser.credentialProblem();
		assert.match(message, /Couldn’t connect with these settings/);
		assert.match(message, /API Token/);
		await assertLooksRight(browser.credential);
	});

	await require('the right token is accepted', async () => {
		await browser.fillCredential('apiToken', sandbox.token);
		await browser.saveCredential();
		await browser.credential.waitFor({ state: 'hidden' });
		await browser.closeNotifications();
		await browser.openCredential();
		await browser.credential.getByText('Connection tested successfully').waitFor();
		await assertLooksRight(browser.credential);
		await takePictures('credential');
		await browser.closeCredential();
	});

	await check(
		'the fields are filled in, the step runs, and the lead is in the output',
		async () => {
			await browser.enterId('campaignId', '1');
			await browser.fill('phoneNumber', '+4915112345678');
			await browser.fill('customerName', 'Anna Schmidt');
			await browser.execute();
			assert.equal(await browser.itemCount(), '1 item');
			await browser.outputShows('+4915112345678');
			await browser.outputShows('Anna Schmidt');
			await browser.closeNotifications();
			await assertLooksRight(browser.fields);
			await takePictures('create-lead');
			await browser.closeNode();
		},
	);
}
