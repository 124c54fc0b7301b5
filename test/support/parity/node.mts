import { buildRequest } from '../../../nodes/VoiceAssistantCalling/fields/buildRequest.ts';
import type { Values } from '../../../nodes/VoiceAssistantCalling/fields/fieldValues.ts';
import type { Field } from '../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import {
	operationOf,
	operationsAndFields,
	type Operation,
} from '../../../nodes/VoiceAssistantCalling/resources/index.ts';
import { ASSISTANT_LIST_PATH } from '../../../nodes/shared/client/credential.ts';
import { MAX_PER_PAGE } from '../../../nodes/shared/client/pages.ts';
import { ANY_KEY, valuesIn } from './contract.mts';

/** An operation of the node: `lead/create`. */
export interface NamedOperation extends Operation {
	name: string;
}

/** A value of the request, and the field of the node that decides it. */
export interface Sent {
	/** What the user sees: `Additional Fields → Secondary Contacts → Phone Number`. */
	label: string;
	/** Where in the request, named as a place of the contract. */
	place: string;
	/** Some values that arrive there. */
	values: unknown[];
	/** Whether the request, or the entry of a list, always carries it. */
	always: boolean;
	/** None where the operation itself decides the value. */
	field?: Field;
}

/** What an operation of the node can send. */
export interface NodeOperation {
	name: string;
	method: string;
	/** With `{}` for each parameter: `/user/leads/{}`. */
	path: string;
	sent: Sent[];
	/** Labels of fields that change nothing in the request. */
	idle: string[];
}

/** What a user can fill in: a field, or one inside a collection or a list. */
interface Input {
	label: string;
	field: Field;
	always: boolean;
	/** The operation's values when this field has a value. */
	valuesWith: (value: unknown) => Values;
}

/** Every operation of the node. */
export const nodeOperations: NamedOperation[] = operationsAndFields
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource ?? [];
		return options
			.filter((option) => 'value' in option)
			.map(({ value }) => ({
				name: `${resource as string}/${value}`,
				...operationOf(resource, value),
			}));
	});

/** Texts and a key that nothing else in a request can be mistaken for. */
const TEXTS = ['77001', '77002'];
const KEY = 'probe';

/** Values that a user may give a field: at least two, so that what arrives can be traced to it. */
function probes({ type, options = [], typeOptions }: Field): unknown[] {
	const { minValue: min = 1, maxValue: max = min + 1, numberPrecision } = typeOptions ?? {};
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	switch (type) {
		case 'boolean':
			return [true, false];
		case 'number':
			return numberPrecision === 0 ? [min, max] : [min + 0.01, max - 0.01];
		case 'json':
			return ['1', '2'].map((value) => `{"${KEY}": ${value}}`);
		case 'dateTime':
			return ['2031-02-03T04:05:06', '2032-03-04T05:06:07'];
		default:
			return values.length > 0 ? values : TEXTS;
	}
}

/** A picker is stored as an object around what was picked. */
const stored = ({ type }: Field, value: unknown) =>
	type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;

const membersOf = ({ options = [] }: Field) => options.filter((option) => 'type' in option);

/** The field whose JSON form another one is, by their names: `filters` for `filtersJson`. */
const formOf = ({ name }: Field, fields: Field[]) =>
	fields.find((field) => field.type === 'collection' && name === `${field.name}Json`);

/** The choice in an entry of a list cannot be taken back on the screen. */
const isFilled = ({ required, type, default: initial }: Field) =>
	required === true || (type === 'options' && initial !== '');

/** What a user can fill in with a field: itself, or what is inside it. */
function inputs(
	field: Field,
	fields: Field[],
	prefix = '',
	within = (values: Values): Values => values,
): Input[] {
	const label = prefix + field.displayName;
	const withField = (value: unknown) => within({ [field.name]: value });
	if (field.type === 'collection') {
		return membersOf(field).flatMap((member) =>
			inputs({ ...member, required: false }, [], `${label} → `, withField),
		);
	}
	if (field.type === 'fixedCollection') {
		const groups = (field.options ?? []).filter((option) => 'values' in option);
		return groups.flatMap(({ name, values }) => {
			const entry = values.map((value) => [value.name, stored(value, probes(value)[0])]);
			return values.map((value) => ({
				label: `${label} → ${value.displayName}`,
				field: value,
				always: isFilled(value),
				valuesWith: (given) =>
					withField({
						[name]: [{ ...Object.fromEntries(entry), [value.name]: stored(value, given) }],
					}),
			}));
		});
	}
	const form = formOf(field, fields);
	if (form) {
		return membersOf(form).map((member) => ({
			label: `${label} → ${member.displayName}`,
			field: member,
			always: false,
			valuesWith: (given) =>
				withField(JSON.stringify({ [member.routing?.send.property ?? '']: given })),
		}));
	}
	const always = field.required === true;
	return [{ label, field, always, valuesWith: (given) => withField(stored(field, given)) }];
}

const ENDPOINT = { baseUrl: 'http://localhost/api', assistantListPath: ASSISTANT_LIST_PATH };

/** Names a place as the contract does: a key that the user chose stands for any. */
const withAnyKey = (place: string) =>
	place
		.split('.')
		.map((key) => ([KEY, ...TEXTS].includes(key) ? ANY_KEY : key))
		.join('.');

/** What the request of an operation carries, by place. */
async function carried(
	{ request, fields }: Operation,
	values: Values,
): Promise<Map<string, unknown>> {
	// An update that changes nothing would be refused.
	const body = { ...request.body, unchanged: true };
	const built = await buildRequest({ request: { ...request, body }, fields }, values, ENDPOINT);
	const [, id] = /\/(\d+)$/.exec(built.url) ?? [];
	return new Map([
		...valuesIn(id && Number(id), 'path.id'),
		...valuesIn(built.qs, 'query'),
		...valuesIn(built.body, 'body'),
	]);
}

/** What a field decides: the places of the request that differ when its value does. */
async function sentBy(operation: Operation, input: Input): Promise<Sent[]> {
	const { label, field, always, valuesWith } = input;
	const requests = await Promise.all(
		probes(field).map((value) => carried(operation, valuesWith(value))),
	);
	const places = new Set(requests.flatMap((request) => [...request.keys()]));
	return [...places].flatMap((place) => {
		const arrived = requests.map((request) => request.get(place));
		const isConstant = new Set(arrived.map((value) => JSON.stringify(value))).size === 1;
		const values = arrived.filter((value) => value !== undefined);
		return isConstant ? [] : [{ label, place: withAnyKey(place), values, always, field }];
	});
}

/** What the operation itself puts into the body. */
const fixed = ({ name, request }: NamedOperation): Sent[] =>
	Object.entries(request.body ?? {}).map(([key, value]) => ({
		label: name,
		place: `body.${key}`,
		values: [value],
		always: true,
	}));

/** The pages of a list, which the transport asks for as far as Limit and Return All say. */
function paged({ fields }: NamedOperation): Sent[] {
	const limit = fields.find(({ name }) => name === 'limit');
	if (!limit) return [];
	const page: Field = { ...limit, default: undefined };
	const typeOptions = { ...page.typeOptions, maxValue: MAX_PER_PAGE };
	const common = { values: [1], always: false };
	return [
		{ ...common, label: 'Limit', place: 'query.per_page', field: { ...page, typeOptions } },
		{ ...common, label: 'Return All', place: 'query.page', field: page },
	];
}

/** The address of an operation without the values that stand in it: `/user/leads/{}`. */
export const pathOf = ({ request }: Operation): string =>
	request.url
		.replace(/^=/, '')
		.replace('{{$credentials.assistantListPath}}', ASSISTANT_LIST_PATH)
		.replace(/\{\{.+?\}\}/g, '{}');

/** Finds out what an operation can send: its requests are built with values for each field. */
export async function readNodeOperation(operation: NamedOperation): Promise<NodeOperation> {
	const { name, request, fields } = operation;
	const all = fields.flatMap((field) => inputs(field, fields));
	const found = await Promise.all(all.map((input) => sentBy(operation, input)));
	const sent = [...fixed(operation), ...paged(operation), ...found.flat()];
	const known = new Set(sent.map(({ label }) => label));
	return {
		name,
		method: request.method,
		path: pathOf(operation),
		sent,
		idle: all.map(({ label }) => label).filter((label) => !known.has(label)),
	};
}
