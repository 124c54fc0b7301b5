import { expect } from '@playwright/test';

import { assertLooksRight } from './appearance.mts';
import { NODE } from './editor/editorPage.mts';
import { test } from './editorTest.mts';
import { readOperations } from './served.mts';

/** What people type who do not know the name of the node. */
const SEARCHES = [
	...['voice agent', 'voice agents', 'phone call', 'phone calls', 'outbound', 'inbound'],
	...[
		'telephone',
		'call center',
		'hotline',
		'hotlines',
		'IVR',
		'ring',
		'cold call',
		'speech',
		'robocall',
	],
	...['robocalls', 'conversation', 'conversations', 'voicemail', 'voicemails', 'text message'],
	...['text messages', 'SMS', 'send sms', 'appointment', 'appointments', 'reminder', 'reminders'],
	...['callback', 'callbacks', 'receptionist', 'receptionists', 'transcript', 'transcripts'],
	...[
		'recording',
		'recordings',
		'survey',
		'surveys',
		'do not call',
		'lead',
		'leads',
		'create lead',
		'call lead',
		'respond',
		'make call',
		'start campaign',
		'get calls',
	],
	...['call', 'calls', 'campaign', 'campaigns', 'assistant', 'assistants'],
];

/** What most people look for. */
const WANTED = ['Get many calls', 'Start campaign with paid calls', 'Create lead', 'Send paid SMS'];

// This file is the first of the suite by its name.
test.use({ hasCredential: false });

test('a new user finds the node, makes a credential and adds a lead', async ({
	ui,
	api,
	sandbox,
}, info) => {
	const { panel, node, form, credential } = ui;
	await test.step('"voice assistant" finds the node, with its icon', async () => {
		await ui.workflow.create();
		await panel.open('voice assistant');
		await expect(panel.found).toHaveText([
			/Call people with AI voice assistants.*start a workflow when a call completes/,
		]);
		await assertLooksRight(panel.element);
	});
	await test.step('the node shows its triggers and all its actions', async () => {
		await panel.openNode(NODE);
		await expect(panel.offered).toHaveText([
			'On call completed',
			'On inbound call completed',
			'On inbound call starting',
			...(await readOperations(api)).map(({ action }) => action),
		]);
		const offered = await panel.offered.allTextContents();
		const firstWebhook = offered.findIndex((action) => action.includes('webhook'));
		expect(offered.slice(0, firstWebhook)).toEqual(expect.arrayContaining(WANTED));
		await assertLooksRight(panel.element);
	});
	await test.step('choosing the action "Create lead" opens it', async () => {
		await panel.add('Create lead');
		await expect(node.name).toHaveText('Create lead');
		await expect(form.chosen('resource')).toHaveValue('Lead');
		await expect(form.chosen('operation')).toHaveValue('Create');
		await assertLooksRight(form.fields);
	});
	await test.step('n8n shows why a credential with a wrong token is refused', async () => {
		await credential.openNew();
		await credential.fill('baseUrl', sandbox.url);
		await credential.fill('apiToken', 'wrong-token');
		await credential.save();
		await credential.showProblem();
		await expect(credential.element).toContainText('Couldn’t connect with these settings');
		await expect(credential.element).toContainText(/API Token/);
		await assertLooksRight(credential.element);
	});
	await test.step('the right token is accepted', async () => {
		await credential.fill('apiToken', sandbox.token);
		await credential.save();
		await credential.element.waitFor({ state: 'hidden' });
		await ui.closeNotifications();
		await credential.open();
		await credential.element.getByText('Connection tested successfully').waitFor();
		await assertLooksRight(credential.element);
		await ui.takePictures(info, 'credential');
		await credential.close();
	});
	await test.step('the fields are filled in, and the lead is in the output', async () => {
		await ui.picker.enterId('campaignId', '1');
		await form.fill('phoneNumber', '+4915112345678');
		await form.fill('customerName', 'Anna Schmidt');
		await ui.run();
		await node.shows('+4915112345678');
		await node.shows('Anna Schmidt');
		await assertLooksRight(form.fields);
		await ui.takePictures(info, 'create-lead');
	});
});

test('other words find the node, too', async ({ ui }) => {
	await ui.workflow.create();
	await ui.panel.open('');
	for (const text of SEARCHES) {
		await ui.panel.search('');
		await expect(ui.panel.found).toHaveCount(0);
		await ui.panel.search(text);
		await ui.panel.found.filter({ hasText: NODE }).first().waitFor();
	}
});

test('the panel shows the node with the icons of either theme', async ({ ui }, info) => {
	await ui.takePictures(info, 'node-panel', ui.openNodeInNewWorkflow);
});
