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
const field = named.extend({
	type: z.string(),
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

/** An operation that n8n's editor shows. */
export interface EditorOperation {
	/** labels in the two drop-down lists */
	resource: string;
	operation: string;
	/** the name of the action in the panel that offers nodes */
	action: string;
	fields: EditorField[];
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
			const shown = properties.filter(
				({ name: own, displayOptions, isNodeSetting }) =>
					!isNodeSetting &&
					own !== 'resource' &&
					own !== 'operation' &&
					Object.entries(displayOptions?.show ?? {}).every(([key, wanted]) =>
						wanted.includes(values.get(key)),
					),
			);
			return {
				resource: resource.name,
				operation: name,
				action: action ?? name,
				fields: shown.map(toEditorField),
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
				...(one.type === 'fixedCollection' &&
					one.typeOptions.multipleValues && {
						entry: one.options[0]?.values?.map((value) => value.name) ?? [],
					}),
			})),
	};
}
