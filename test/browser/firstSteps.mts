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
		await browser.workflow.createFirst();
	}, /status of 401 \(Unauthorized\) \(.*\/rest\/login\)/); // n8n requests the user before the sign-in.

	await require('"voice assistant" finds the node, with its icon', async () => {
		await browser.nodePanel.search('voice assistant');
		await browser.nodePanel.found.first().waitFor();
		assert.equal(await browser.nodePanel.found.count(), 1);
		await assertLooksRight(browser.nodePanel.element);
	});

	await check('the node says what its triggers and its actions do', async () => {
		const text = await browser.nodePanel.found.first().innerText();
		assert.match(text, /when a phone call .* completes\..* add leads, run campaigns and send SMS/);
	});

	for (const text of SEARCHES) {
		await check(`"${text}" finds the node`, async () => {
			await browser.nodePanel.searchAgain('nothing has this name');
			await browser.nodePanel.found.first().waitFor({ state: 'detached' });
			await browser.nodePanel.searchAgain(text);
			await browser.nodePanel.found.filter({ hasText: NODE }).first().waitFor();
		});
	}

	await require('the node shows its triggers and all its actions', async () => {
		await browser.nodePanel.searchAgain('voice assistant');
		await browser.nodePanel.openNode(NODE);
		const expected = [
			'On call completed',
			'On inbound call completed',
			...served.operations.map(({ action }) => action),
		];
		assert.deepEqual(await browser.nodePanel.offered(expected.length), expected);
		await assertLooksRight(browser.nodePanel.element);
	});

	await require('choosing the action "Create lead" opens it', async () => {
		await browser.nodePanel.add('Create lead');
		assert.equal(await browser.node.name.innerText(), 'Create lead');
		assert.equal(await browser.form.chosen('resource'), 'Lead');
		assert.equal(await browser.form.chosen('operation'), 'Create');
		await assertLooksRight(browser.form.fields);
	});

	await check('n8n shows why a credential with a wrong token is refused', async () => {
		await browser.credential.openNew();
		await browser.credential.fill('baseUrl', sandbox.url);
		await browser.credential.fill('apiToken', 'wrong-token');
		await browser.credential.save();
		const message = await browser.credential.problem();
		assert.match(message, /Couldn’t connect with these settings/);
		assert.match(message, /API Token/);
		await assertLooksRight(browser.credential.element);
	});

	await require('the right token is accepted', async () => {
		await browser.credential.fill('apiToken', sandbox.token);
		await browser.credential.save();
		await browser.credential.element.waitFor({ state: 'hidden' });
		await browser.notifications.closeAll();
		await browser.credential.open();
		await browser.credential.element.getByText('Connection tested successfully').waitFor();
		await assertLooksRight(browser.credential.element);
		await takePictures('credential');
		await browser.credential.close();
	});

	await check(
		'the fields are filled in, the step runs, and the lead is in the output',
		async () => {
			await browser.picker.enterId('campaignId', '1');
			await browser.form.fill('phoneNumber', '+4915112345678');
			await browser.form.fill('customerName', 'Anna Schmidt');
			await browser.node.execute();
			assert.equal(await browser.output.itemCount(), '1 item');
			await browser.output.shows('+4915112345678');
			await browser.output.shows('Anna Schmidt');
			await browser.notifications.closeAll();
			await assertLooksRight(browser.form.fields);
			await takePictures('create-lead');
			await browser.node.close();
		},
	);
}
