import assert from 'node:assert/strict';

import type { Locator } from 'playwright-core';

import { ACTION } from '../../host/n8n/names.mts';
import { node, workflow } from '../support/workflows.mts';
import { assertLooksRight } from './appearance.mts';
import type { EditorPage } from './editor/editorPage.mts';
import { countPresses, type Presses } from './editor/presses.mts';
import { assertDescribed, assertExplained, THEMES } from './explanations.mts';
import type { Choice, EditorField, EditorOperation, ServedNode } from './servedNode.mts';
import type { BrowserEnvironment } from './testEnvironment.mts';

const NODE = 'Voice Assistant Calling';
/** n8n appends this to the type of a node that an agent uses. */
const AGENT_TYPE = `${ACTION}Tool`;
const AGENT_NODE = 'For an agent';
/** A field that n8n 2.41 adds to every node for an agent. */
const OF_N8N = 'descriptionType';

/** From the open form to a field that is not there yet: open the list, and choose. */
const MOST_PRESSES = 2;

/** What each list shows of the account in the sandbox, by the method that fills it. */
const LISTED: Record<string, RegExp> = {
	getTimezones: /^Europe\/Berlin$/,
	searchAssistants: /^.+ \(ID 2, inbound\)$/,
	searchCalls: /^\d{4}-\d\d-\d\d \d\d:\d\d · \+\d+ · /,
	searchCampaigns: /^The service does not list campaigns\. Choose 'By ID'\.$/,
	searchLanguages: /^German\b/,
	searchPhoneNumbers: /^Maybe \+14155550100 \(ID 1\), used by Appointment caller$/,
	searchTools: /^[a-z_]+ \(ID 1\), used by .+$/,
	searchVoices: /^Voice 1, used by Appointment caller$/,
};

/** Every field of every operation opens, in two clicks at most, and explains itself in both themes. */
export async function allFields(
	{ browser, check }: BrowserEnvironment,
	served: ServedNode,
): Promise<void> {
	await browser.openNodeInNewWorkflow(NODE);
	await browser.nodePanel.add('Create lead');
	const presses = await countPresses(browser.page);
	const opened = new Set<string>();
	const read = new Set<string>();

	for (const operation of served.operations) {
		const { resource, operation: name, action, fields, notices, choices } = operation;
		await check(
			`${resource} > ${name} shows each field in two clicks, with its texts`,
			async () => {
				await choose(browser, operation);
				// n8n names a node after its action until the user renames it.
				await browser.node.name.getByText(action, { exact: true }).waitFor();
				await addEverything(browser, fields, presses);
				for (const { name: list, entry } of fields) {
					if (entry) await openEntry(browser, browser.form.entries(list), entry, presses);
				}
				await assertFieldsLookRight(browser);
				for (const notice of notices) {
					await browser.form.fields.getByText(notice, { exact: true }).waitFor();
				}
				await assertAllExplained(browser, fields);
				await assertDescribed(browser, fields, read);
				await openEachChoice(browser, fields, opened);
				await openEachList(browser, fields, opened);
				for (const choice of choices) await tryEach(browser, choice, read, presses);
			},
		);
	}

	await check('the settings offer the options of requests, with their texts', async () => {
		await browser.node.openSettings();
		await addEverything(browser, served.settings, presses);
		await assertFieldsLookRight(browser);
		await assertAllExplained(browser, served.settings);
	});
	await browser.node.close();
}

/** The fields that only a node for an agent has. */
export async function agentFields(
	{ browser, editor, check }: BrowserEnvironment,
	served: ServedNode,
	forAgents: ServedNode,
): Promise<void> {
	const agent = node(AGENT_NODE, AGENT_TYPE, 1, {});
	const { id } = await editor.createWorkflow(workflow('Agent', [agent]));
	await browser.workflow.open(id);
	await browser.workflow.openNode(AGENT_NODE);
	const presses = await countPresses(browser.page);
	const read = new Set<string>();

	for (const operation of forAgents.operations) {
		const known = served.operations.find(({ action }) => action === operation.action);
		const isNew = (name: string) =>
			name !== OF_N8N && !known?.fields.some((field) => field.name === name);
		const fields = operation.fields.filter(({ name }) => isNew(name));
		if (fields.length === 0) continue;
		await check(`${operation.action}: a node for an agent shows its own fields`, async () => {
			await choose(browser, operation);
			await assertFieldsLookRight(browser);
			await assertAllExplained(browser, fields);
			await assertDescribed(browser, fields, read);
			for (const choice of operation.choices.filter(({ field }) => isNew(field))) {
				await tryEach(browser, choice, read, presses);
			}
		});
	}
	await browser.node.close();
}

async function assertFieldsLookRight(browser: EditorPage): Promise<void> {
	for (const theme of THEMES) {
		await browser.useTheme(theme);
		await assertLooksRight(browser.form.fields);
	}
}

/** The fields, their members, and the fields of their entries. */
async function assertAllExplained(browser: EditorPage, fields: EditorField[]): Promise<void> {
	await assertExplained(browser, fields);
	for (const { name, members = [], entry = [] } of fields) {
		await assertExplained(browser, members, browser.form.field(name));
		await assertExplained(browser, entry, browser.form.entries(name));
		for (const member of members) {
			await assertExplained(
				browser,
				member.entry ?? [],
				browser.form.entries(member.name, browser.form.field(name)),
			);
		}
	}
}

async function choose(browser: EditorPage, wanted: EditorOperation): Promise<void> {
	const { resource, operation } = wanted;
	if ((await browser.form.chosen('resource')) !== resource) {
		await assertLooksRight(await browser.form.openChoices('resource'));
		await browser.form.choose(resource);
	}
	await assertLooksRight(await browser.form.openChoices('operation'));
	await browser.form.choose(operation);
}

/**
 * Adds every member to every collection, and an entry to every list of entries in it.
 *
 * @param presses counts, if each must be there in two clicks
 */
export async function addEverything(
	browser: EditorPage,
	fields: EditorField[],
	presses?: Presses,
): Promise<void> {
	for (const { name, members } of fields) {
		await browser.form.field(name).first().waitFor();
		for (const member of members ?? []) {
			await add(browser, name, member, members?.length === 1, presses);
		}
	}
}

async function add(
	browser: EditorPage,
	collection: string,
	{ name, label, entry }: EditorField,
	only: boolean,
	presses?: Presses,
): Promise<void> {
	const within = browser.form.field(collection);
	const before = await browser.form.field(name, within).count();
	await inTwoClicks(label, presses, async () => {
		await browser.form.addTo(collection, label, only);
		await browser.form.field(name, within).nth(before).waitFor();
	});
	if (entry === undefined) return;
	// Before the next member, because n8n 2.41 then removes a list without entries.
	await openEntry(browser, browser.form.entries(name, within), entry);
}

/** Adds an entry to a list, and waits for its fields. */
async function openEntry(
	browser: EditorPage,
	list: Locator,
	entry: EditorField[],
	presses?: Presses,
): Promise<void> {
	const labels = entry.map(({ label }) => label).join(', ');
	await inTwoClicks(labels, presses, async () => {
		await browser.form.addEntry(list);
		for (const { name } of entry) await browser.form.field(name, list).waitFor();
	});
}

/** Opens a drop-down list with choices in both themes, each list once. */
async function openEachChoice(
	browser: EditorPage,
	fields: EditorField[],
	opened: Set<string>,
): Promise<void> {
	for (const { name, label, description, choices } of fields.flatMap((field) => [
		field,
		...(field.members ?? []),
	])) {
		const key = `${label}: ${description}`;
		if (choices === undefined || opened.has(key)) continue;
		const chosen = await browser.form.chosen(name);
		const list = await browser.form.openChoices(name);
		for (const theme of THEMES) {
			await browser.useTheme(theme);
			for (const text of choices) await list.getByText(text, { exact: true }).first().waitFor();
			await assertLooksRight(list);
		}
		await browser.form.choose(chosen);
		opened.add(key);
	}
}

/** Opens a list that the node fills in both themes, each list once. */
async function openEachList(
	browser: EditorPage,
	fields: EditorField[],
	opened: Set<string>,
): Promise<void> {
	for (const { name, listMethod, isPicker } of fields) {
		if (listMethod === undefined || opened.has(listMethod)) continue;
		const entry = LISTED[listMethod];
		assert.ok(entry, `No check knows what ${listMethod} lists.`);
		const list = await (isPicker ? browser.picker.open(name) : browser.form.openChoices(name));
		for (const theme of THEMES) {
			await browser.useTheme(theme);
			await list.getByText(entry).first().waitFor();
			await assertLooksRight(list);
		}
		await (isPicker
			? browser.picker.close(list)
			: browser.form.choose(await list.getByText(entry).first().innerText()));
		opened.add(listMethod);
	}
}

/** Chooses each label, and at last the one that was chosen before. */
async function tryEach(
	browser: EditorPage,
	{ field, initial, others }: Choice,
	read: Set<string>,
	presses: Presses,
): Promise<void> {
	for (const { label, shows } of others) {
		await inTwoClicks(label, presses, async () => {
			await assertLooksRight(await browser.form.openChoices(field));
			await browser.form.choose(label);
			for (const { name } of shows) await browser.form.field(name).first().waitFor();
		});
		await assertFieldsLookRight(browser);
		await assertExplained(browser, shows);
		await assertDescribed(browser, shows, read);
	}
	await browser.form.openChoices(field);
	await browser.form.choose(initial);
}

async function inTwoClicks(
	what: string,
	presses: Presses | undefined,
	work: () => Promise<void>,
): Promise<void> {
	const before = await presses?.();
	await work();
	if (presses === undefined || before === undefined) return;
	const count = (await presses()) - before;
	assert.ok(count > 0 && count <= MOST_PRESSES, `${what} needs ${count} clicks.`);
}
