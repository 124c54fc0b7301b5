import * as z from 'zod';

import { openCatalogue } from '../../host/api/catalogue.mts';
import type { Editor } from '../../host/api/editor.mts';
import { ACTION, TRIGGER } from '../../host/n8n/names.mts';

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

/** A field as n8n offers it to its editor. */
export interface OfferedField {
	name: string;
	/** what can be added, where the field is a collection */
	members?: Member[];
}

/** An operation as n8n offers it to its editor. */
export interface Operation {
	/** labels in the two drop-down lists */
	resource: string;
	operation: string;
	/** the name of the action in the panel that offers nodes */
	action: string;
	fields: OfferedField[];
}

/** The action node as n8n offers it: what the editor should show is asked here, not copied. */
export interface ServedNode {
	operations: Operation[];
	/** the fields on the tab *Settings*, n8n's own left out */
	settings: OfferedField[];
}

/** Asks n8n for the action node's fields. */
export async function readServedNode(editor: Editor): Promise<ServedNode> {
	const properties = await readProperties(editor, ACTION);
	const choices = (picker?: Field) => z.array(choice).parse(picker?.options ?? []);
	const initially = new Map(properties.map((one) => [one.name, one.default]));

	const operationsOf = (resource: z.infer<typeof choice>): Operation[] => {
		const picker = properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show.resource?.includes(resource.value),
		);
		return choices(picker).map(({ name, value, action }) => {
			const values = new Map([...initially, ['resource', resource.value], ['operation', value]]);
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
				fields: shown.map(offered),
			};
		});
	};
	return {
		operations: choices(properties.find(({ name }) => name === 'resource')).flatMap(operationsOf),
		settings: properties.filter(({ isNodeSetting }) => isNodeSetting).map(offered),
	};
}

/** Asks n8n for the trigger's fields. */
export async function readTriggerFields(editor: Editor): Promise<OfferedField[]> {
	return (await readProperties(editor, TRIGGER)).map(offered);
}

async function readProperties(editor: Editor, type: string): Promise<Field[]> {
	const types = await openCatalogue(editor.rest).nodeTypes();
	return nodeType.parse(types.find(({ name }) => name === type)).properties;
}

function offered({ name, type, options }: Field): OfferedField {
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
