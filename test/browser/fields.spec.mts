import { expect, type Locator } from '@playwright/test';

import { ACTION } from '../../host/n8n/names.mts';
import { node, workflow } from '../support/workflows.mts';
import { addEverything } from './addEverything.mts';
import { assertLooksRight } from './appearance.mts';
import { THEMES, type EditorPage } from './editor/editorPage.mts';
import { test } from './editorTest.mts';
import {
	getEntry,
	getHint,
	getListMethod,
	getMembers,
	readCredentialFields,
	readFields,
	readOperations,
	type EditorOperation,
	type Field,
} from './served.mts';

/** Together they have every kind of field. */
const OPERATIONS = [
	'Voice Assistant → Create',
	'Call → Get Many',
	'Call → Download Recording',
	'Call → Respond',
	'Custom API Call → Send Request',
	'Lead → Create',
	'Lead → Update',
	'Mid Call Tool → Update',
	'SMS → Send',
];

const AGENT_NODE = 'For an agent';
/** A field that n8n 2.41 adds to every node for an agent. */
const OF_N8N = 'descriptionType';
/** The switch of the credential that shows the paths of the lists, which few people need. */
const PATHS_SWITCH = 'useOtherListPaths';

/** What each list shows of the account in the sandbox, by the method that fills it. */
const LISTED: Record<string, RegExp> = {
	searchAssistants: /^.+ \(ID 2, inbound\)$/,
	searchCalls: /^\d{4}-\d\d-\d\d \d\d:\d\d · \+\d+ · /,
	searchCampaigns: /^.+ \(ID 1\)$/,
	searchLanguages: /^German$/,
	searchModels: /^gpt-4o$/,
	searchPhoneNumbers: /^\+\d+ \(ID 1\)$/,
	searchSmsPhoneNumbers: /^\+\d+ \(ID 1\)$/,
	searchTimezones: /^Europe\/Berlin$/,
	searchTools: /^[a-z_]+ \(ID 1\)$/,
	searchVoices: /^.+ \(ID 1, (fe)?male\)$/,
};

/** Descriptions and lists that a test has opened; many operations have the same. */
const seen = new Set<string>();
const isNew = (text: string) => !seen.has(text) && seen.add(text);

const getName = ({ resource, operation }: EditorOperation) => `${resource} → ${operation}`;

test('the tested operations have every kind of field', async ({ api }) => {
	const getKinds = (fields: Field[], place: string): string[] =>
		fields.flatMap((field) => [
			`${field.type} ${place}`,
			`${field.type} ${getHint(field) === undefined ? 'without' : 'with'} a hint`,
			`list of ${getListMethod(field)}`,
			...getKinds(getMembers(field), 'in a collection'),
			...getKinds(getEntry(field), 'in a list'),
		]);
	const kinds = (operations: EditorOperation[]) => {
		const all = operations.flatMap(({ fields, choices }) => [
			...getKinds(fields, 'at the top'),
			...choices.flatMap(({ others }) => others.flatMap(({ shows }) => getKinds(shows, 'chosen'))),
		]);
		return [...new Set(all)].sort();
	};
	const operations = await readOperations(api);
	const tested = operations.filter((operation) => OPERATIONS.includes(getName(operation)));
	expect(kinds(tested)).toEqual(kinds(operations));
});

for (const name of OPERATIONS) {
	test(`${name} shows each field in two clicks, with its texts`, async ({ ui, api }) => {
		const operation = (await readOperations(api)).find((one) => getName(one) === name);
		if (!operation) throw new Error(`n8n has no ${name}.`);
		const { action, fields, choices } = operation;
		await ui.addToNewWorkflow('Stop campaign');
		await choose(ui, operation);
		// n8n names a node after its action until the user renames it.
		await ui.node.name.getByText(action, { exact: true }).waitFor();
		await addEverything(ui, fields);
		await assertFieldsLookRight(ui);
		await assertExplained(ui, fields);
		await assertDescribed(ui, fields);
		await openEachList(ui, fields);
		for (const { field, initial, others } of choices) {
			for (const { label, shows } of others) {
				await assertLooksRight(await ui.form.openChoices(field));
				await ui.form.choose(label);
				await addEverything(ui, shows);
				await assertExplained(ui, shows);
				await assertFieldsLookRight(ui);
				await assertDescribed(ui, shows);
			}
			await ui.form.openChoices(field);
			await ui.form.choose(initial);
		}
	});
}

test('the settings offer the options of requests, with their texts', async ({ ui, api }) => {
	const settings = (await readFields(api, ACTION)).filter(({ isNodeSetting }) => isNodeSetting);
	await ui.addToNewWorkflow('Stop campaign');
	await ui.node.openSettings();
	await addEverything(ui, settings);
	await assertFieldsLookRight(ui);
	await assertExplained(ui, settings);
});

test('a node for an agent has its own fields, and no Respond', async ({ ui, api }) => {
	const known = new Map(
		(await readOperations(api)).map(({ action, fields }) => [
			action,
			fields.map(({ name }) => name),
		]),
	);
	const isOwn = (action: string, name: string) =>
		name !== OF_N8N && !known.get(action)?.includes(name);
	const forAgent = (await readOperations(api, true)).find(({ action, choices }) =>
		choices.some(({ field }) => isOwn(action, field)),
	);
	if (!forAgent) throw new Error('No operation has a field for agents.');
	const { action, fields, choices } = forAgent;

	const agent = node(AGENT_NODE, `${ACTION}Tool`, 1, { resource: 'call' });
	const { id } = await api.createWorkflow(workflow('Agent', [agent]));
	await ui.workflow.open(id);
	await ui.workflow.openNode(AGENT_NODE);
	const list = await ui.form.openChoices('operation');
	await list.getByText('Get Many', { exact: true }).waitFor();
	await expect(list).not.toContainText('Respond');
	await ui.form.choose('Get Many');

	await choose(ui, forAgent);
	const own = fields.filter(({ name }) => isOwn(action, name));
	await assertFieldsLookRight(ui);
	await assertExplained(ui, own);
	await assertDescribed(ui, own);
	for (const { field, others } of choices.filter(({ field }) => isOwn(action, field))) {
		for (const { label, shows } of others) {
			await ui.form.openChoices(field);
			await ui.form.choose(label);
			await assertExplained(ui, shows);
			await assertFieldsLookRight(ui);
			await assertDescribed(ui, shows);
		}
	}
});

test('the credential shows all its fields', async ({ ui, api }) => {
	const { element, field, toggle, save, open, close } = ui.credential;
	await ui.addToNewWorkflow('Stop campaign');
	await open();
	await toggle(PATHS_SWITCH);
	for (const { name, displayName } of await readCredentialFields(api, PATHS_SWITCH)) {
		await element.getByText(displayName).first().waitFor();
		await field(name).waitFor();
	}
	await assertLooksRightInThemes(ui, element);
	await toggle(PATHS_SWITCH);
	await save();
	// Unlike a new credential, it stays open.
	await element.getByText('Saved', { exact: true }).waitFor();
	await close();
});

async function assertLooksRightInThemes(ui: EditorPage, part: Locator): Promise<void> {
	for (const theme of THEMES) {
		await ui.useTheme(theme);
		await assertLooksRight(part);
	}
}

const assertFieldsLookRight = async (ui: EditorPage) =>
	await assertLooksRightInThemes(ui, ui.form.fields);

/** Fields with their members and the fields of their entries, each with the field that it is in. */
const flatten = (ui: EditorPage, fields: Field[], within?: Locator): Array<[Field, Locator?]> =>
	fields.flatMap((field) => [
		[field, within],
		...flatten(ui, getMembers(field), ui.form.field(field.name, within)),
		...flatten(ui, getEntry(field), ui.form.entries(field.name, within)),
	]);

/** Expects that fields have their label and hint on the screen, and the sign that shows their description. */
async function assertExplained(ui: EditorPage, all: Field[]): Promise<void> {
	for (const [field, within] of flatten(ui, all)) {
		const { name, type, displayName, description } = field;
		if (type === 'notice') {
			await ui.form.fields.getByText(displayName, { exact: true }).waitFor();
			continue;
		}
		const shown = ui.form.field(name, within).first();
		const hint = getHint(field);
		await shown.getByText(displayName, { exact: true }).first().waitFor();
		if (hint !== undefined) await shown.getByText(hint, { exact: true }).first().waitFor();
		if (description) await ui.form.sign(name, within).waitFor({ state: 'attached' });
	}
}

/** Expects that the descriptions of fields appear while the pointer is on them, and look right. */
async function assertDescribed(ui: EditorPage, fields: Field[]): Promise<void> {
	for (const { name, displayName, description } of fields) {
		if (!description || !isNew(`${displayName}: ${description}`)) continue;
		const withoutLinks = description.replaceAll(/<[^>]+>/g, '');
		await assertLooksRight(await ui.form.showDescription(name, withoutLinks));
		await ui.form.hideDescription();
	}
}

async function choose(ui: EditorPage, wanted: EditorOperation): Promise<void> {
	for (const name of ['resource', 'operation'] as const) {
		await assertLooksRight(await ui.form.openChoices(name));
		await ui.form.choose(wanted[name]);
	}
}

/** Opens the drop-down lists, and those that the node fills, in both themes. */
async function openEachList(ui: EditorPage, all: Field[]): Promise<void> {
	for (const field of all.flatMap((one) => [one, ...getMembers(one)])) {
		const { name, type, displayName, description, options = [] } = field;
		const method = getListMethod(field);
		if (method === undefined && type === 'options') {
			if (!isNew(`${displayName} lists ${description}`)) continue;
			const chosen = await ui.form.chosen(name).inputValue();
			const list = await ui.form.openChoices(name);
			for (const option of options) {
				await list.getByText(option.name, { exact: true }).first().waitFor();
				const text = 'description' in option ? option.description : undefined;
				if (text) await list.getByText(text, { exact: true }).first().waitFor();
			}
			await assertLooksRightInThemes(ui, list);
			await ui.form.choose(chosen);
		} else if (method !== undefined && isNew(method)) {
			const expected = LISTED[method];
			if (!expected) throw new Error(`No test knows what ${method} lists.`);
			const list = await ui.picker.open(name);
			await list.getByText(expected).first().waitFor();
			await assertLooksRightInThemes(ui, list);
			await ui.picker.close();
		}
	}
}
