import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

import { assertLooksRight } from './appearance.mts';
import type { EditorPage } from './editorPage.mts';
import type { Choice, Member, EditorField, EditorOperation, ServedNode } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';

/** The user picks an assistant from the list and changes it. */
export async function picker({ browser, check }: BrowserEnvironment): Promise<void> {
	await check('an assistant is found in the list, and the step changes it', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.add('Update assistant');
		await browser.openList('assistantId');
		assert.deepEqual(await browser.listed.allInnerTexts(), [
			'Appointment caller (ID 1, outbound)',
			'Reception (ID 2, inbound)',
		]);
		await browser.filterList('recep');
		await browser.listed.filter({ hasText: 'Appointment' }).waitFor({ state: 'hidden' });
		await browser.pick('Reception');
		assert.equal(await browser.picked('assistantId'), 'Reception (ID 2, inbound)');
		await browser.addTo('updateFields', 'Name', false);
		await browser.fill('name', 'Front desk');
		await assertLooksRight(browser.fields);
		await browser.execute();
		assert.equal(await browser.itemCount(), '1 item');
		await browser.outputShows('Front desk');
		await browser.closeNotifications();
		await browser.closeNode();
	});
}

/** What the lists show where the service lists nothing: values of other records, and sentences. */
export async function gatheredLists({
	browser,
	check,
	control,
}: BrowserEnvironment): Promise<void> {
	await check('the lists of voices and phone numbers show who uses them', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.add('Create assistant');
		await browser.openList('voiceId');
		assert.deepEqual(await browser.listed.allInnerTexts(), [
			'Voice 1, used by Appointment caller',
			'Voice 2, used by Reception',
		]);
		await browser.pick('Voice 2');
		await browser.addTo('callHandling', 'Phone Number', false);
		await browser.openList('phoneNumberId');
		assert.deepEqual(await browser.listed.allInnerTexts(), [
			'+14155550100 (ID 1), used by Appointment caller',
			'+493023125000 (ID 2), used by Reception',
		]);
		await browser.pick('ID 2');
		const number = await browser.picked('phoneNumberId');
		assert.equal(number, '+493023125000 (ID 2), used by Reception');
		await browser.closeNode();
	});

	await check(
		'a list that cannot be read says why, and is read again when it is opened again',
		async () => {
			await browser.openNodeInNewWorkflow(NODE);
			await browser.add('Update assistant');
			await control.fault({ operation: 'listAssistants', status: 401 });
			const problem = await browser.listProblem('assistantId');
			assert.match(problem, /The service did not accept the API token/);
			assert.match(problem, /You can also choose 'By ID'\./);
			await browser.page.keyboard.press('Escape');
			await browser.openList('assistantId');
			await browser.pick('Reception');
			await browser.closeNode();
		},
		/status of 500 .*resource-locator-results/, // n8n's own answer for a list that it cannot read.
	);

	await check('a sentence in a list cannot be picked, and an ID can be entered', async () => {
		await browser.openNodeInNewWorkflow(NODE);
		await browser.add('Stop campaign');
		await browser.openList('campaignId');
		const sentence = "The service does not list campaigns. Choose 'By ID'.";
		assert.deepEqual(await browser.listed.allInnerTexts(), [sentence]);
		await browser.listed.first().click();
		assert.equal(await browser.picked('campaignId'), '');
		await browser.page.keyboard.press('Escape');
		await browser.enterId('campaignId', '1');
		await browser.execute();
		assert.equal(await browser.itemCount(), '1 item');
		await browser.closeNotifications();
		await browser.closeNode();
	});
}

/** Every operation and every collection of the action node opens and looks right in both themes. */
export async function allFields(
	{ browser, check }: BrowserEnvironment,
	served: ServedNode,
): Promise<void> {
	await browser.openNodeInNewWorkflow(NODE);
	await browser.add('Create lead');

	for (const operation of served.operations) {
		await check(`${operation.resource} > ${operation.operation} shows all its fields`, async () => {
			await choose(browser, operation);
			await addEverything(browser, operation.fields);
			for (const { name, entry } of operation.lists) {
				await openEntry(browser, browser.list(name), entry);
			}
			await assertFieldsLookRight(browser);
			for (const choice of operation.choices) await tryEach(browser, choice);
		});
	}

	await check('the settings offer the options of requests', async () => {
		await browser.openSettings();
		await addEverything(browser, served.settings);
		await assertFieldsLookRight(browser);
	});
	await browser.closeNode();
}

/** In n8n's dark theme, and in its light one. */
async function assertFieldsLookRight(browser: EditorPage): Promise<void> {
	for (const theme of ['dark', 'light'] as const) {
		await browser.useTheme(theme);
		await assertLooksRight(browser.fields);
	}
}

async function choose(browser: EditorPage, wanted: EditorOperation): Promise<void> {
	const { resource, operation, action } = wanted;
	if ((await browser.chosen('resource')) !== resource) {
		await assertLooksRight(await browser.openChoices('resource'));
		await browser.choose(resource);
	}
	await assertLooksRight(await browser.openChoices('operation'));
	await browser.choose(operation);
	// n8n names a node after its action until the user renames it.
	await browser.nodeName.getByText(action, { exact: true }).waitFor();
}

/** Adds every member to every collection, and an entry to every list of entries. */
export async function addEverything(browser: EditorPage, fields: EditorField[]): Promise<void> {
	for (const { name, members } of fields) {
		await browser.field(name).first().waitFor();
		for (const member of members ?? []) await add(browser, name, member, members?.length === 1);
	}
}

async function add(
	browser: EditorPage,
	collection: string,
	{ name, label, entry }: Member,
	only: boolean,
): Promise<void> {
	const within = browser.field(collection);
	const before = await browser.field(name, within).count();
	await browser.addTo(collection, label, only);
	await browser.field(name, within).nth(before).waitFor();
	if (entry === undefined) return;
	// Before the next member, because n8n 2.41 then removes a list without entries.
	await openEntry(browser, browser.entries(name, collection), entry);
}

/** Adds an entry to a list, and waits for its fields. */
async function openEntry(browser: EditorPage, list: Locator, entry: string[]): Promise<void> {
	await browser.addEntry(list);
	for (const value of entry) await browser.field(value, list).waitFor();
}

/** Chooses each label, and at last the one that was chosen before. */
async function tryEach(browser: EditorPage, { field, initial, others }: Choice): Promise<void> {
	for (const { label, shows } of others) {
		await assertLooksRight(await browser.openChoices(field));
		await browser.choose(label);
		for (const name of shows) await browser.field(name).first().waitFor();
		await assertLooksRight(browser.fields);
	}
	await browser.openChoices(field);
	await browser.choose(initial);
}
