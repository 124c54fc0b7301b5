import * as z from 'zod';

import { openCatalogue } from '../../host/api/catalogue.mts';
import type { Editor } from '../../host/api/editor.mts';
import { ACTION } from '../../host/n8n/names.mts';

const named = z.object({ name: z.string(), displayName: z.string() });
const choice = z.object({ name: z.string(), value: z.unknown(), action: z.string().optional() });
const member = named.extend({
	type: z.string(),
	typeOptions: z.object({ multipleValues: z.boolean().default(false) }).default({}),
	options: z.array(z.object({ values: z.array(named).optional() })).default([]),
});
type ServedMember = z.infer<typeof member>;
const field = named.extend({
	type: z.string(),
	typeOptions: z.unknown(),
	default: z.unknown(),
	displayOptions: z.object({ show: z.record(z.array(z.unknown())).default({}) }).optional(),
	isNodeSetting: z.boolean().default(false),
	options: z.array(z.unknown()).default([]),
});
const nodeType = z.object({ properties: z.array(field) });

type Field = z.infer<typeof field>;

/** A field of a collection; a list of entries has fields of its own. */
export interface Member {
	name: string;
	label: string;
	/** names of the fields of an entry, where the member is a list of entries */
	entry?: string[];
}

/** A field that n8n's editor shows. */
export interface EditorField {
	name: string;
	/** what can be added, where the field is a collection */
	members?: Member[];
}

/** A choice that shows further fields. */
export interface Choice {
	/** the name of the field with the choice */
	field: string;
	/** the label that it begins with */
	initial: string;
	/** the other labels, and the fields that they show */
	others: Array<{ label: string; shows: string[] }>;
}

/** An operation that n8n's editor shows. */
export interface EditorOperation {
	/** labels in the two drop-down lists */
	resource: string;
	operation: string;
	/** the name of the action in the panel that offers nodes */
	action: string;
	fields: EditorField[];
	/** the lists of entries outside of collections, with the fields of an entry */
	lists: Array<{ name: string; entry: string[] }>;
	choices: Choice[];
}

/** What the editor should show of the action node, from the description that n8n serves. */
export interface ServedNode {
	operations: EditorOperation[];
	/** the fields on the tab *Settings*, n8n's own left out */
	settings: EditorField[];
}

/** Reads the action node's description from n8n. */
export async function readServedNode(editor: Editor): Promise<ServedNode> {
	const properties = await readProperties(editor, ACTION);
	const choices = (field?: Field) => z.array(choice).parse(field?.options ?? []);
	const defaults = new Map(properties.map((one) => [one.name, one.default]));

	const operationsOf = (resource: z.infer<typeof choice>): EditorOperation[] => {
		const operations = properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show.resource?.includes(resource.value),
		);
		return choices(operations).map(({ name, value, action }) => {
			const values = new Map([...defaults, ['resource', resource.value], ['operation', value]]);
			const shownWith = (chosen: typeof values) =>
				properties.filter(
					({ name: own, type, displayOptions, isNodeSetting }) =>
						!isNodeSetting &&
						type !== 'hidden' &&
						own !== 'resource' &&
						own !== 'operation' &&
						Object.entries(displayOptions?.show ?? {}).every(([key, wanted]) =>
							wanted.includes(chosen.get(key)),
						),
				);
			const shown = shownWith(values);
			const toChoice = (one: Field): Choice => ({
				field: one.name,
				initial: choices(one).find((each) => each.value === one.default)?.name ?? '',
				others: choices(one)
					.map(({ name: label, value: chosen }) => ({
						label,
						shows: shownWith(new Map([...values, [one.name, chosen]]))
							.filter((each) => !shown.includes(each))
							.map((each) => each.name),
					}))
					.filter(({ shows }) => shows.length > 0),
			});
			return {
				resource: resource.name,
				operation: name,
				action: action ?? name,
				fields: shown.map(toEditorField),
				lists: shown.flatMap((one) => {
					const { success, data } = member.safeParse(one);
					return success && isList(data) ? [{ name: one.name, entry: entryOf(data) }] : [];
				}),
				choices: shown
					.filter(({ type }) => type === 'options')
					.map(toChoice)
					.filter(({ others }) => others.length > 0),
			};
		});
	};
	return {
		operations: choices(properties.find(({ name }) => name === 'resource')).flatMap(operationsOf),
		settings: properties.filter(({ isNodeSetting }) => isNodeSetting).map(toEditorField),
	};
}

/** Reads the fields of one of the triggers from n8n. */
export async function readTriggerFields(editor: Editor, type: string): Promise<EditorField[]> {
	return (await readProperties(editor, type)).map(toEditorField);
}

async function readProperties(editor: Editor, type: string): Promise<Field[]> {
	const types = await openCatalogue(editor.rest).nodeTypes();
	return nodeType.parse(types.find(({ name }) => name === type)).properties;
}

const isList = ({ type, typeOptions }: ServedMember) =>
	type === 'fixedCollection' && typeOptions.multipleValues;

/** The names of the fields of an entry. */
const entryOf = ({ options }: ServedMember): string[] =>
	options[0]?.values?.map((value) => value.name) ?? [];

function toEditorField({ name, type, options }: Field): EditorField {
	if (type !== 'collection') return { name };
	return {
		name,
		members: z
			.array(member)
			.parse(options)
			.map((one) => ({
				name: one.name,
				label: one.displayName,
				...(isList(one) && { entry: entryOf(one) }),
			})),
	};
}
