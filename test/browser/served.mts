import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { openCatalogue, type TypeDescription } from '../../host/api/catalogue.mts';
import type { Editor } from '../../host/api/editor.mts';
import { ACTION, CREDENTIAL_TYPE } from '../../host/n8n/names.mts';

/** A field as n8n serves it to its editor. */
export type Field = INodeProperties;
/** The values of a node's fields, by name. */
type Values = Map<string, unknown>;

/** A choice that shows further fields. */
interface Choice {
	/** the name of the field with the choice */
	field: string;
	/** the label that it begins with */
	initial: string;
	/** the other labels, and the fields that they show */
	others: Array<{ label: string; shows: Field[] }>;
}

/** An operation that n8n's editor shows. */
export interface EditorOperation {
	/** labels in the two drop-down lists */
	resource: string;
	operation: string;
	/** the name of the action in the panel that offers nodes */
	action: string;
	/** also the texts between the fields */
	fields: Field[];
	choices: Choice[];
}

/** Whether fields and choices are shown. n8n sets `@tool` for a node that an agent uses (n8n 2.41). */
const isShown = (
	{ displayOptions: { show = {}, hide = {} } = {} }: Pick<Field, 'displayOptions'>,
	values: Values,
) =>
	Object.entries(show).every(([key, wanted = []]) =>
		wanted.some((one) => one === values.get(key)),
	) &&
	!Object.entries(hide).some(([key, unwanted = []]) =>
		unwanted.some((one) => one === values.get(key)),
	);

/** The entries of a drop-down list that the editor shows while the node has these values. */
const getChoices = ({ type, options = [] }: Field, values: Values): INodePropertyOptions[] =>
	type === 'options'
		? options.filter((one) => 'value' in one).filter((one) => isShown(one, values))
		: [];

/** The members that can be added, where the field is a collection. */
export const getMembers = ({ type, options = [] }: Field): Field[] =>
	type === 'collection' ? options.filter((one) => 'type' in one) : [];

/** The fields of an entry, where the field is a list of entries. */
export const getEntry = ({ type, typeOptions, options: [group] = [] }: Field): Field[] =>
	type === 'fixedCollection' && typeOptions?.multipleValues && group && 'values' in group
		? group.values
		: [];

/** The method of the node that fills the list, where the field has one. */
export const getListMethod = ({ modes }: Field): string | undefined =>
	modes?.[0]?.typeOptions?.searchListMethod;

/** The text under the field; n8n shows the hint of the mode that is chosen. */
export const getHint = ({ hint, modes }: Field): string | undefined => hint ?? modes?.[0]?.hint;

/** Reads the fields of a node from n8n. */
export async function readFields(editor: Editor, type: string): Promise<Field[]> {
	return getProperties(await openCatalogue(editor.rest).nodeTypes(), type);
}

/** Reads the fields of a trigger that n8n shows with one choice, and the members that can be added then. */
export async function readFieldsWith(
	editor: Editor,
	type: string,
	[name, value]: [name: string, value: string],
): Promise<Field[]> {
	const fields = await readFields(editor, type);
	const values = new Map([...fields.map(toDefault), [name, value], [`/${name}`, value]]);
	return fields
		.filter((one) => isShown(one, values))
		.map((one) =>
			one.type === 'collection'
				? { ...one, options: getMembers(one).filter((member) => isShown(member, values)) }
				: one,
		);
}

/** Reads the fields of the credential from n8n. @param switchedOn a switch that shows further fields */
export async function readCredentialFields(editor: Editor, switchedOn: string): Promise<Field[]> {
	const types = await openCatalogue(editor.rest).credentialTypes();
	const fields = getProperties(types, CREDENTIAL_TYPE);
	const values = new Map([...fields.map(toDefault), [switchedOn, true]]);
	return fields.filter((one) => isShown(one, values));
}

const getProperties = (types: TypeDescription[], type: string): Field[] =>
	types.find(({ name }) => name === type)?.properties as Field[];

const toDefault = (one: Field): [string, unknown] => [one.name, one.default];

/**
 * Reads the operations of the action node from n8n.
 *
 * @param isTool whether an agent uses the node
 */
export async function readOperations(editor: Editor, isTool = false): Promise<EditorOperation[]> {
	const fields = await readFields(editor, isTool ? `${ACTION}Tool` : ACTION);
	const defaults: Values = new Map([...fields.map(toDefault), ['@tool', isTool]]);
	const toChoices = (name: string, values: Values) =>
		fields
			.filter((one) => one.name === name && isShown(one, values))
			.flatMap((one) => getChoices(one, values));
	return toChoices('resource', defaults).flatMap((resource) => {
		const ofResource = new Map([...defaults, ['resource', resource.value]]);
		return toChoices('operation', ofResource).map(({ name, value, action = name }) => {
			// Fields of other operations can have the same name, and another default.
			const own = fields.filter(
				({ displayOptions: { show } = {} }) =>
					show?.resource?.includes(resource.value) && show.operation?.includes(value),
			);
			const values = new Map([...ofResource, ['operation', value], ...own.map(toDefault)]);
			const shown = shownWith(fields, values);
			return {
				resource: resource.name,
				operation: name,
				action,
				fields: shown,
				choices: shown.flatMap((one) => toChoice(one, fields, values)),
			};
		});
	});
}

/** What the editor shows of an operation while the node has these values. */
const shownWith = (fields: Field[], values: Values): Field[] =>
	fields.filter(
		(one) =>
			!one.isNodeSetting &&
			one.type !== 'hidden' &&
			!['resource', 'operation'].includes(one.name) &&
			isShown(one, values),
	);

/** What the labels of a drop-down list show, if they show anything. @param values those before the choice */
function toChoice(field: Field, fields: Field[], values: Values): Choice[] {
	const shown = shownWith(fields, values);
	const choices = getChoices(field, values);
	const others = choices
		.map(({ name: label, value }) => ({
			label,
			shows: shownWith(fields, new Map([...values, [field.name, value]])).filter(
				(one) => !shown.includes(one),
			),
		}))
		.filter(({ shows }) => shows.length > 0);
	const initial = choices.find(({ value }) => value === field.default)?.name ?? '';
	return others.length > 0 ? [{ field: field.name, initial, others }] : [];
}
