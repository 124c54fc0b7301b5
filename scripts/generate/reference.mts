import type {
	ICredentialType,
	INodeProperties,
	INodeTypeDescription,
	NodePropertyTypes,
} from 'n8n-workflow';

import { markdownText, row, table, withBoldCosts } from './markdown.mts';
import { getChoices, getOperations } from './nodeOperations.mts';

const HEADER = `<!-- Generated from the descriptions of the nodes by \`npm run generate\`, do not edit. -->

# Reference

Every field of the nodes, as it is named on the screen. Fields inside another field have its name in front; for those that you add to it, *Default* is what they have at first. A field can have an expression instead of a fixed value, except *Resource*, *Operation* and those with *No expression*.`;

/** What a user can enter. Fields of other types hold nothing to enter. */
const TYPES: Partial<Record<NodePropertyTypes, string>> = {
	boolean: 'Switch',
	collection: 'Fields to add',
	dateTime: 'Date',
	fixedCollection: 'List',
	json: 'JSON',
	multiOptions: 'Choices',
	number: 'Number',
	options: 'Choice',
	resourceLocator: 'From a list or by ID',
	string: 'Text',
};

/** Fields that choose the operation, which the headings name. */
const CHOOSING = ['resource', 'operation'];

/** The fields inside a field: those of a collection, and those of an entry of a list. */
const fieldsIn = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});

/** A value of a field as the screen shows it: nothing for an empty one. */
function shownValue(field: INodeProperties, value: unknown): string {
	if (Array.isArray(value)) return value.map((each) => shownValue(field, each)).join(', ');
	if (typeof value === 'boolean') return value ? 'On' : 'Off';
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string' || value === '{}' || value === '[]') return '';
	return getChoices(field).find((choice) => choice.value === value)?.name ?? markdownText(value);
}

/** The sentences that say when a field is shown, if it is not always. */
function condition({ displayOptions }: INodeProperties, siblings: INodeProperties[]): string[] {
	/** A condition in words: *Return All* is *On*. */
	const conditionText = (name: string, values: unknown[] = []): string => {
		const other = siblings.find((field) => field.name === name.replace('/', ''));
		if (other === undefined) throw new Error(`No field is named ${name}`);
		const wanted = values.map((value) => `*${shownValue(other, value)}*`);
		return `*${other.displayName}* is ${wanted.join(' or ')}.`;
	};
	const hidden = Object.entries(displayOptions?.hide ?? {}).map(([name, values]) =>
		name === '@tool' ? 'Not for AI agents.' : `Hidden if ${conditionText(name, values)}`,
	);
	const shown = Object.entries(displayOptions?.show ?? {})
		.filter(([name]) => !CHOOSING.includes(name))
		.map(([name, values]) =>
			name === '@tool' ? 'Only for AI agents.' : `Shown if ${conditionText(name, values)}`,
		);
	return [...hidden, ...shown];
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** What a field does, when it is shown, and what can be chosen. */
function explanation(field: INodeProperties, siblings: INodeProperties[]): string {
	const { description = '', hint = '', noDataExpression = false } = field;
	const fixed = noDataExpression ? 'No expression.' : '';
	const said = [description, hint, fixed].filter((text) => text !== '').map(sentence);
	const choices = getChoices(field).map(({ name, description: text = '' }) =>
		markdownText(text === '' ? `*${name}*` : `*${name}*: ${text}`),
	);
	const text = [...said, ...condition(field, siblings)].map(markdownText).join(' ');
	return [text, ...choices].filter((line) => line !== '').join('<br>');
}

/** The rows of a field and of those inside it. @param siblings what its conditions refer to */
function toRows(field: INodeProperties, siblings: INodeProperties[], parents = ''): string[] {
	const type = TYPES[field.type];
	if (type === undefined || CHOOSING.includes(field.name)) return [];
	const name = `${parents}${field.displayName}`;
	const own = row(
		name,
		explanation(field, siblings),
		type,
		field.required ? 'Yes' : '',
		shownValue(field, field.default),
	);
	const inside = fieldsIn(field);
	const known = [...inside, ...siblings];
	return [own, ...inside.flatMap((each) => toRows(each, known, `${name} › `))];
}

/** What the editor says between the fields. */
const noticesIn = (fields: INodeProperties[]): string[] =>
	fields
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => markdownText(displayName));

function fieldsTable(fields: INodeProperties[]): string[] {
	const rows = fields.flatMap((field) => toRows(field, fields));
	if (rows.length === 0) return [];
	return [table(['Field', 'What it does', 'Type', 'Required', 'Default'], rows)];
}

function actionPart(action: INodeTypeDescription): string[] {
	const operations = getOperations(action).flatMap(({ resource, operations }) => [
		`## ${resource.name}`,
		...operations.flatMap(({ operation: { name, description = '' }, fields }) => [
			`### ${resource.name} → ${name}`,
			withBoldCosts(markdownText(sentence(description))),
			...noticesIn(fields),
			...fieldsTable(fields),
		]),
	]);
	const ofAll = action.properties.filter(({ displayOptions, type }) => {
		return !displayOptions?.show?.resource && type === 'collection';
	});
	const options = ofAll.flatMap((field) => [
		`## ${field.displayName}`,
		'All operations have these fields.',
		...fieldsTable(fieldsIn(field)),
	]);
	return [...operations, ...options];
}

/**
 * The page docs/reference.md.
 *
 * @param action node with all operations
 */
export function referencePage(
	action: INodeTypeDescription,
	triggers: INodeTypeDescription[],
	credentials: ICredentialType[],
): string {
	const parts = [
		HEADER,
		...actionPart(action),
		...triggers.flatMap(({ displayName, description, properties }) => [
			`## ${displayName}`,
			markdownText(sentence(description)),
			...fieldsTable(properties),
		]),
		...credentials.flatMap(({ displayName, properties }) => [
			`## Credential: ${displayName}`,
			...fieldsTable(properties),
		]),
	];
	return `${parts.join('\n\n')}\n`;
}
