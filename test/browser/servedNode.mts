import * as z from 'zod';

import { openCatalogue, type TypeDescription } from '../../host/api/catalogue.mts';
import type { Editor } from '../../host/api/editor.mts';
import { ACTION, CREDENTIAL_TYPE } from '../../host/n8n/names.mts';

const conditions = z.record(z.array(z.unknown())).default({});
const displayOptions = z.object({ show: conditions, hide: conditions }).default({});
const choice = z.object({
	name: z.string(),
	value: z.unknown(),
	action: z.string().optional(),
	displayOptions,
});
type ServedChoice = z.infer<typeof choice>;
const mode = z.object({
	hint: z.string().optional(),
	typeOptions: z.object({ searchListMethod: z.string().optional() }).default({}),
});
const named = z.object({
	name: z.string(),
	displayName: z.string(),
	type: z.string(),
	hint: z.string().optional(),
	description: z.string().optional(),
	modes: z.array(mode).default([]),
	typeOptions: z
		.object({
			multipleValues: z.boolean().default(false),
			loadOptionsMethod: z.string().optional(),
		})
		.default({}),
});
const member = named.extend({
	options: z
		.array(
			z.object({
				name: z.string(),
				description: z.string().optional(),
				values: z.array(named).optional(),
			}),
		)
		.default([]),
});
type ServedMember = z.infer<typeof member>;
const field = named.extend({
	default: z.unknown(),
	displayOptions,
	isNodeSetting: z.boolean().default(false),
	options: z.array(z.unknown()).default([]),
});
const nodeType = z.object({ properties: z.array(field) });

type Field = z.infer<typeof field>;
/** The values of a node's fields, by name. */
type Values = Map<string, unknown>;

/** A field that n8n's editor shows, with its texts. */
export interface EditorField {
	name: string;
	label: string;
	/** under the field */
	hint?: string;
	/** while the pointer is on the label */
	description?: string;
	/** name of the method that fills the list, where the field has one */
	listMethod?: string;
	/** whether the list can be searched */
	isPicker: boolean;
	/** the labels and descriptions in its drop-down list, where they are in the description of the node */
	choices?: string[];
	/** what can be added, where the field is a collection */
	members?: EditorField[];
	/** the fields of an entry, where the field is a list of entries */
	entry?: EditorField[];
}

/** A choice that shows further fields. */
export interface Choice {
	/** the name of the field with the choice */
	field: string;
	/** the label that it begins with */
	initial: string;
	/** the other labels, and the fields that they show */
	others: Array<{ label: string; shows: EditorField[] }>;
}

/** An operation that n8n's editor shows. */
export interface EditorOperation {
	/** labels in the two drop-down lists */
	resource: string;
	operation: string;
	/** the name of the action in the panel that offers nodes */
	action: string;
	fields: EditorField[];
	/** texts between the fields */
	notices: string[];
	choices: Choice[];
}

/** What the editor should show of the action node, from the description that n8n serves. */
export interface ServedNode {
	operations: EditorOperation[];
	/** the fields on the tab *Settings*, n8n's own left out */
	settings: EditorField[];
}

/** Whether fields and choices are shown. n8n sets `@tool` for a node that an agent uses (n8n 2.41). */
const isShown = ({ show, hide }: z.infer<typeof displayOptions>, values: Values) =>
	Object.entries(show).every(([key, wanted]) => wanted.includes(values.get(key))) &&
	!Object.entries(hide).some(([key, unwanted]) => unwanted.includes(values.get(key)));

/**
 * Reads the action node's description from n8n.
 *
 * @param isTool whether an agent uses the node
 */
export async function readServedNode(editor: Editor, isTool = false): Promise<ServedNode> {
	const properties = await readProperties(editor, isTool ? `${ACTION}Tool` : ACTION);
	const defaults: Values = new Map([
		...properties.map((one): [string, unknown] => [one.name, one.default]),
		['@tool', isTool],
	]);
	const resources = choicesOf(
		properties.find(({ name }) => name === 'resource'),
		defaults,
	);
	return {
		operations: resources.flatMap((resource) => operationsOf(resource, properties, defaults)),
		settings: properties.filter(({ isNodeSetting }) => isNodeSetting).map(toEditorField),
	};
}

/** The operations of a resource. @param defaults the values of a new node */
function operationsOf(
	resource: ServedChoice,
	properties: Field[],
	defaults: Values,
): EditorOperation[] {
	const operations = properties.find(
		({ name, displayOptions: { show } }) =>
			name === 'operation' && show.resource?.includes(resource.value),
	);
	return choicesOf(operations, defaults).map(({ name, value, action }) => {
		const values = new Map([...defaults, ['resource', resource.value], ['operation', value]]);
		const shown = shownWith(properties, values);
		return {
			resource: resource.name,
			operation: name,
			action: action ?? name,
			fields: shown.filter((one) => !isNotice(one)).map(toEditorField),
			notices: shown.filter(isNotice).map(({ displayName }) => displayName),
			choices: shown
				.filter(({ type }) => type === 'options')
				.map((one) => toChoice(one, properties, values))
				.filter(({ others }) => others.length > 0),
		};
	});
}

const isNotice = ({ type }: Field): boolean => type === 'notice';

/** What the editor shows of an operation while the node has these values. */
const shownWith = (properties: Field[], values: Values): Field[] =>
	properties.filter(
		(one) =>
			!one.isNodeSetting &&
			one.type !== 'hidden' &&
			one.name !== 'resource' &&
			one.name !== 'operation' &&
			isShown(one.displayOptions, values),
	);

/** What each label of a drop-down list shows. @param values those before the choice */
function toChoice(one: Field, properties: Field[], values: Values): Choice {
	const shown = shownWith(properties, values);
	const choices = choicesOf(one, values);
	return {
		field: one.name,
		initial: choices.find(({ value }) => value === one.default)?.name ?? '',
		others: choices
			.map(({ name: label, value }) => ({
				label,
				shows: shownWith(properties, new Map([...values, [one.name, value]]))
					.filter((each) => !shown.includes(each))
					.map(toEditorField),
			}))
			.filter(({ shows }) => shows.length > 0),
	};
}

/** The entries of a drop-down list that the editor shows while the node has these values. */
const choicesOf = (one: Field | undefined, values: Values): ServedChoice[] =>
	z
		.array(choice)
		.parse(one?.options ?? [])
		.filter((each) => isShown(each.displayOptions, values));

/** Reads the fields of one of the triggers from n8n. */
export async function readTriggerFields(editor: Editor, type: string): Promise<EditorField[]> {
	return (await readProperties(editor, type)).map(toEditorField);
}

/**
 * Reads the fields of the credential that n8n shows.
 *
 * @param switchedOn name of a switch that shows further fields
 */
export async function readCredentialFields(
	editor: Editor,
	switchedOn: string,
): Promise<EditorField[]> {
	const types = await openCatalogue(editor.rest).credentialTypes();
	const properties = propertiesOf(types, CREDENTIAL_TYPE);
	const values = new Map(properties.map((one) => [one.name, one.default]));
	values.set(switchedOn, true);
	return properties
		.filter((one) => isShown(one.displayOptions, values))
		.map((one) => toEditorField(one));
}

async function readProperties(editor: Editor, type: string): Promise<Field[]> {
	return propertiesOf(await openCatalogue(editor.rest).nodeTypes(), type);
}

const propertiesOf = (types: TypeDescription[], type: string): Field[] =>
	nodeType.parse(types.find(({ name }) => name === type)).properties;

const toTexts = (one: z.infer<typeof named>): EditorField => ({
	name: one.name,
	label: one.displayName,
	// n8n shows the hint of the mode that is chosen.
	hint: one.hint ?? one.modes[0]?.hint,
	description: one.description,
	listMethod: one.modes[0]?.typeOptions.searchListMethod ?? one.typeOptions.loadOptionsMethod,
	isPicker: one.type === 'resourceLocator',
});

/** n8n reads the choices of the other lists from the node when it opens them. */
const hasChoices = ({ type, typeOptions }: z.infer<typeof named>) =>
	type === 'options' && typeOptions.loadOptionsMethod === undefined;

const toMember = (one: ServedMember): EditorField => ({
	...toTexts(one),
	...(hasChoices(one) && {
		choices: one.options.flatMap(({ name, description = [] }) => [name].concat(description)),
	}),
	...(one.type === 'fixedCollection' &&
		one.typeOptions.multipleValues && { entry: one.options[0]?.values?.map(toTexts) ?? [] }),
});

function toEditorField(one: Field): EditorField {
	const members = z.array(member);
	if (one.type === 'collection') {
		return { ...toTexts(one), members: members.parse(one.options).map(toMember) };
	}
	return toMember(member.parse(one));
}
