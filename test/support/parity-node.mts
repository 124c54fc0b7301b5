import type {
	GenericValue,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';
import { VoiceAssistantCallingApi } from '../../credentials/VoiceAssistantCallingApi.credentials.ts';
import { MAX_PER_PAGE } from '../../nodes/shared/client/pages.ts';
import { probes, traced } from './parity-probe.mts';

/** A value of the request, and the field of the node that decides it. */
export interface Sent {
	/** What the user sees: `Additional Fields → Secondary Contacts → Phone Number`. */
	label: string;
	/** Where in the request, named as a place of the contract. */
	place: string;
	/** Some values that arrive there. */
	values: unknown[];
	types: string[];
	/** Whether the request, or the entry of a list, always carries it. */
	always: boolean;
	/** Ids are whole numbers from 1, which the transport checks by the field's name (shared/ids.ts). */
	isId: boolean;
	minimum?: number;
	maximum?: number;
	/** What stands in the field when it is added; switches are added to be switched on. */
	initial?: unknown;
	description: string;
}

/** An operation of the node, and what its routing makes of its fields. */
export interface NodeOperation {
	/** `lead/create` */
	name: string;
	option: INodePropertyOptions;
	method: string;
	/** With `{}` for each parameter: `/user/leads/{}`. */
	path: string;
	/** What the user fills in, in the order of the screen. */
	fields: INodeProperties[];
	sent: Sent[];
	/** Labels of fields that change nothing in the request. */
	idle: string[];
}

/** What a user can fill in: a field, or one inside a collection or a list. */
interface Input {
	label: string;
	field: INodeProperties;
	/** The routing that the value goes through: the field's, or the list's that it is in. */
	routing: INodePropertyRouting | undefined;
	always: boolean;
	/** Gives what the routing gets when the field has this value. */
	inPlace: (value: NodeParameterValueType) => GenericValue;
}

const isShown = ({ displayOptions }: INodeProperties, resource: string, operation: string) =>
	displayOptions?.show?.resource?.includes(resource) === true &&
	displayOptions.show.operation?.includes(operation) === true;

/** A picker is stored as an object around what was picked; only its own routing gets that alone. */
const stored = ({ type }: INodeProperties, value: NodeParameterValueType) =>
	type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;

/** An entry's options field cannot be empty on the screen. */
const isFilled = ({ required, type, default: initial }: INodeProperties) =>
	required === true || (type === 'options' && initial !== '');

function inputs(field: INodeProperties, prefix = ''): Input[] {
	const label = prefix + field.displayName;
	const { options = [], routing } = field;
	if (field.type === 'collection') {
		return options
			.filter((option) => 'type' in option)
			.flatMap((member) => inputs({ ...member, required: false }, `${label} → `));
	}
	if (field.type === 'fixedCollection') {
		return options
			.filter((option) => 'values' in option)
			.flatMap(({ name, values }) => {
				const entry = Object.fromEntries(
					values.map((value) => [value.name, stored(value, probes(value)[0] ?? null)]),
				);
				return values.map((value) => ({
					label: `${label} → ${value.displayName}`,
					field: value,
					routing,
					always: isFilled(value),
					inPlace: (given: NodeParameterValueType) => ({
						[name]: [{ ...entry, [value.name]: stored(value, given) }],
					}),
				}));
			});
	}
	return [{ label, field, routing, always: field.required === true, inPlace: (value) => value }];
}

/** A text out of a description, where n8n's types allow more. */
function textOf(value: unknown): string {
	if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is no text`);
	return value;
}

const jsonType = (value: unknown) => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

const isId = ({ name }: INodeProperties) => name.endsWith('Id');

const minimumOf = (field: INodeProperties) => (isId(field) ? 1 : field.typeOptions?.minValue);

/** In a path or a query everything is text; what it means is known from the field. */
function meantType(field: INodeProperties): string {
	const { type, typeOptions } = field;
	if (isId(field)) return 'integer';
	if (type === 'number') return typeOptions?.numberPrecision === 0 ? 'integer' : 'number';
	return type === 'boolean' ? 'boolean' : 'string';
}

/** A field for decimals may send a whole number too, but then it is not one for whole numbers. */
function typesOf(field: INodeProperties, place: string, values: unknown[]): string[] {
	if (!place.startsWith('body.')) return [meantType(field)];
	const types = [...new Set(values.map(jsonType))];
	const isDecimal = field.type === 'number' && meantType(field) === 'number';
	return isDecimal ? types.map((type) => (type === 'integer' ? 'number' : type)) : types;
}

const sentBy = (input: Input): Sent[] =>
	traced(input.routing, probes(input.field).map(input.inPlace)).map(({ place, values }) => ({
		label: input.label,
		place,
		values,
		types: typesOf(input.field, place, values),
		always: input.always,
		isId: isId(input.field),
		minimum: minimumOf(input.field),
		maximum: input.field.typeOptions?.maxValue,
		initial: ['number', 'options'].includes(input.field.type) ? input.field.default : undefined,
		description: input.field.description ?? '',
	}));

/** What the operation itself puts into the body. */
const fixed = (option: INodePropertyOptions): Sent[] =>
	Object.entries(option.routing?.request?.body ?? {}).map(([name, value]) => ({
		label: option.name,
		place: `body.${name}`,
		values: [value],
		types: [jsonType(value)],
		always: true,
		isId: false,
		description: '',
	}));

/** A list is read page by page by the transport, as far as Return All and Limit say. */
const paged = ({ typeOptions }: INodeProperties): Sent[] =>
	[
		{ label: 'Limit', place: 'query.per_page', maximum: MAX_PER_PAGE },
		{ label: 'Return All', place: 'query.page' },
	].map((page) => ({
		...page,
		values: [],
		types: ['integer'],
		always: false,
		isId: false,
		minimum: typeOptions?.minValue,
		description: '',
	}));

/** The fields that the request's address names: `/user/leads/{leadId}`. */
const addressed = (url: string, fields: INodeProperties[]): Sent[] =>
	fields
		.filter(({ name }) => url.includes(`{${name}}`))
		.map((field) => ({
			label: field.displayName,
			// The service calls every one of them so.
			place: 'path.id',
			values: [],
			types: [meantType(field)],
			always: field.required === true,
			isId: isId(field),
			minimum: minimumOf(field),
			description: field.description ?? '',
		}));

function nodeOperation(
	resource: string,
	option: INodePropertyOptions,
	properties: INodeProperties[],
): NodeOperation {
	const { method = 'GET', url = '' } = option.routing?.request ?? {};
	const operation = String(option.value);
	const fields = properties.filter((field) => isShown(field, resource, operation));
	const limit = fields.find(({ name }) => name === 'limit');
	const all = fields.flatMap((field) => inputs(field));
	const inAddress = addressed(url, fields);
	const sent = [
		...fixed(option),
		...inAddress,
		...(limit ? paged(limit) : []),
		...all.flatMap(sentBy),
	];
	const known = new Set(sent.map(({ label }) => label));
	return {
		name: `${resource}/${operation}`,
		option,
		method,
		path: url.replace('{assistantListPath}', listPath).replace(/\{\w+\}/g, '{}'),
		fields,
		sent,
		idle: all.map(({ label }) => label).filter((label) => !known.has(label)),
	};
}

/** The path that the credential brings along for the list of assistants. */
const listPath = textOf(
	new VoiceAssistantCallingApi().properties.find(({ name }) => name === 'assistantListPath')
		?.default,
);

/**
 * Reads from the node's description what each of its operations can send.
 *
 * @param description of the action node
 */
export const nodeOperations = ({ properties }: INodeTypeDescription): NodeOperation[] =>
	properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				options
					.filter((option) => 'value' in option)
					.map((option) => nodeOperation(textOf(resource), option, properties)),
			),
		);
