import { buildRequest } from '../../../nodes/VoiceAssistantCalling/fields/buildRequest.ts';
import type { Values } from '../../../nodes/VoiceAssistantCalling/fields/fieldValues.ts';
import type { Field, SendContext } from '../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { resources } from '../../../nodes/VoiceAssistantCalling/resources/index.ts';
import type { Operation } from '../../../nodes/VoiceAssistantCalling/resources/operation.ts';
import { outputFields } from '../../../nodes/VoiceAssistantCalling/resources/common/output.ts';
import { ASSISTANT_LIST_PATH } from '../../../nodes/shared/client/credential.ts';
import { MAX_PER_PAGE } from '../../../nodes/shared/client/pages.ts';
import { ANY_KEY, valuesIn } from './contract.mts';

/** An operation of the node: `lead/create`. */
export interface NamedOperation extends Operation {
	name: string;
}

/** A value of the request, and the field of the node that sets it. */
export interface SentValue {
	/** The label of the field: `Additional Fields → Secondary Contacts → Phone Number`. */
	label: string;
	/** Its path in the request, as RequestValue names it. */
	path: string;
	/** Examples of the value. */
	values: unknown[];
	/** Whether the request, or the list entry, always has it. */
	always: boolean;
	/** Undefined if the operation itself sets the value. */
	field?: Field;
	/** The value that the field begins with. */
	initial?: unknown;
}

/** The values that an operation of the node can send. */
export interface NodeOperation {
	name: string;
	method: string;
	/** With `{}` for each parameter: `/user/leads/{}`. */
	path: string;
	sent: SentValue[];
	/** Labels of fields that do not change the request. */
	idle: string[];
}

/** A field that a user can fill in, also inside a collection or a list. */
interface Input {
	label: string;
	field: Field;
	always: boolean;
	/** The operation's field values when this field has a value. */
	valuesWith: (value: unknown) => Values;
}

/** Every operation of the node that sends a request to the service. */
export const nodeOperations: NamedOperation[] = Object.entries(resources).flatMap(
	([resource, { operations }]) =>
		Object.entries(operations).flatMap(([name, operation]) =>
			'request' in operation ? [{ ...operation, name: `${resource}/${name}` }] : [],
		),
);

/** Texts and a key that no other value of a request equals. */
const TEXTS = ['77001', '77002'];
const KEY = 'probe';

/** An input item with all of them. */
const ITEM = { '77001': 1, '77002': 2 };

/** At least two valid values of a field, to find out which value of the request the field sets. */
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
		case 'hidden':
			return [1, 2].map((value) => ({ [KEY]: value }));
		case 'dateTime':
			return ['2031-02-03T04:05:06', '2032-03-04T05:06:07'];
		default:
			return values.length > 0 ? values : TEXTS;
	}
}

/** n8n stores the value of a picker inside an object. */
const stored = ({ type }: Field, value: unknown) =>
	type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;

const getMembers = ({ options = [] }: Field) => options.filter((option) => 'type' in option);

/** The collection whose JSON form a field is: `filters` for `filtersJson`. */
const getForm = ({ name }: Field, fields: Field[]) =>
	fields.find((field) => field.type === 'collection' && name === `${field.name}Json`);

/** Whether a field of a list entry always has a value: n8n has no way to clear a choice there. */
const isFilled = ({ required, type, default: initial }: Field) =>
	required === true || (type === 'options' && initial !== '');

/** Values of the other fields that show a field, and of the hidden fields that are used with it. */
function shownWith(field: Field, fields: Field[]): Values {
	const { show = {} } = field.displayOptions ?? {};
	const isUsedWith = ({ type, displayOptions }: Field) =>
		type === 'hidden' && JSON.stringify(displayOptions?.show) === JSON.stringify(show);
	return {
		...Object.fromEntries(Object.entries(show).map(([name, values]) => [name, values?.[0]])),
		...Object.fromEntries(fields.filter(isUsedWith).map(({ name }) => [name, ITEM])),
	};
}

/** The inputs of a list: the fields of an entry. */
function entryInputs(
	entries: Field[],
	label: string,
	withList: (list: Values[]) => Values,
): Input[] {
	const entry: Values = Object.fromEntries(
		entries.map((value) => [value.name, stored(value, probes(value)[0])]),
	);
	return entries.map((value) => ({
		label: `${label} → ${value.displayName}`,
		field: value,
		always: isFilled(value),
		valuesWith: (given) => withList([{ ...entry, [value.name]: stored(value, given) }]),
	}));
}

/** The inputs of a field: itself, or the fields inside it. */
function inputs(
	field: Field,
	fields: Field[],
	prefix = '',
	within = (values: Values): Values => values,
): Input[] {
	if (field.type === 'notice') return [];
	const label = prefix + field.displayName;
	const withField = (value: unknown) =>
		within({ ...shownWith(field, fields), [field.name]: value });
	if (field.type === 'collection') {
		const others = fields.filter((each) => each !== field);
		return getMembers(field).flatMap((member) =>
			inputs({ ...member, required: false }, others, `${label} → `, withField),
		);
	}
	if (field.type === 'fixedCollection') {
		const groups = (field.options ?? []).filter((option) => 'values' in option);
		return groups.flatMap(({ name, values }) =>
			entryInputs(values, label, (list) => withField({ [name]: list })),
		);
	}
	if (field.entries) {
		return entryInputs(field.entries, label, (list) => withField(JSON.stringify(list)));
	}
	const form = getForm(field, fields);
	if (form) {
		return getMembers(form).map((member) => ({
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

/** A run without options, and a credential without a Default Country Code. */
const CONTEXT: SendContext = {
	getNodeParameter: (_name, fallback) => fallback,
	getCredentials: () => Promise.resolve({}),
};

const ENDPOINT = {
	baseUrl: 'http://localhost/api',
	assistantListPath: ASSISTANT_LIST_PATH,
};

/** Replaces keys that the user chose by {@link ANY_KEY}. */
const withAnyKey = (path: string) =>
	path
		.split('.')
		.map((key) => ([KEY, ...TEXTS].includes(key) ? ANY_KEY : key))
		.join('.');

/** Builds the request of an operation. @returns its values, by path */
async function requestWith(
	{ request, fields }: Operation,
	values: Values,
): Promise<Map<string, unknown>> {
	// The node refuses an update that changes nothing.
	const body = { ...request.body, unchanged: true };
	const built = await buildRequest(
		{ request: { ...request, body }, fields },
		values,
		ENDPOINT,
		CONTEXT,
	);
	const [, id] = /\/(\d+)$/.exec(built.url) ?? [];
	return new Map([
		...valuesIn(id && Number(id), 'path.id'),
		...valuesIn(built.qs, 'query'),
		...valuesIn(built.body, 'body'),
	]);
}

/** The values that a field sets: those that change when the field changes. */
async function sentBy(operation: Operation, input: Input): Promise<SentValue[]> {
	const { label, field, always, valuesWith } = input;
	const requests = await Promise.all(
		probes(field).map((value) => requestWith(operation, valuesWith(value))),
	);
	const paths = new Set(requests.flatMap((request) => [...request.keys()]));
	return [...paths].flatMap((path) => {
		const arrived = requests.map((request) => request.get(path));
		const isConstant = new Set(arrived.map((value) => JSON.stringify(value))).size === 1;
		const values = arrived.filter((value) => value !== undefined);
		// A choice can have other values than the request.
		const initial = arrived[probes(field).indexOf(field.default)] ?? field.default;
		return isConstant ? [] : [{ label, path: withAnyKey(path), values, always, field, initial }];
	});
}

/** The values that the operation itself puts into the body. */
const fixed = ({ name, request }: NamedOperation): SentValue[] =>
	Object.entries(request.body ?? {}).map(([key, value]) => ({
		label: name,
		path: `body.${key}`,
		values: [value],
		always: true,
	}));

/** The page parameters of a list, which the transport sets from Limit and Return All. */
function paged({ fields, isWholeList }: NamedOperation): SentValue[] {
	if (isWholeList) return [];
	const limit = fields.find(({ name }) => name === 'limit');
	if (!limit) return [];
	const typeOptions = { ...limit.typeOptions, maxValue: MAX_PER_PAGE };
	const common = { values: [1], always: false };
	return [
		{ ...common, label: 'Limit', path: 'query.per_page', field: { ...limit, typeOptions } },
		{ ...common, label: 'Return All', path: 'query.page', field: limit },
	];
}

/** Fields that do not change the request: they choose the output, or how a file is downloaded. */
const NOT_IN_REQUEST = [
	...outputFields.map(({ name }) => name),
	'binaryPropertyName',
	'maxFileSize',
	'timeLimit',
];

/** Whether the transport uses a field: it looks for the record with an ID in the list. */
const isForTransport = ({ name }: Field, { oneOfList, isWholeList }: Operation) =>
	name === oneOfList?.idField ||
	NOT_IN_REQUEST.includes(name) ||
	(isWholeList === true && ['limit', 'returnAll'].includes(name));

/** The path of an operation, without values: `/user/leads/{}`. */
export const getPath = ({ request }: Operation): string =>
	request.url
		.replace(/^=/, '')
		.replace(/\{\{\$credentials\.\w+ \|\| "(.+?)"\}\}/, '$1')
		.replace(/\{\{.+?\}\}/g, '{}');

/** Finds out which values an operation can send, by building its requests with values for each field. */
export async function readNodeOperation(operation: NamedOperation): Promise<NodeOperation> {
	const { name, request, fields } = operation;
	const all = fields.flatMap((field) => inputs(field, fields));
	const found = await Promise.all(all.map((input) => sentBy(operation, input)));
	// Additional Fields (JSON) sends what the contract does not have.
	const known = found.flat().filter(({ path }) => path !== `body.${ANY_KEY}`);
	// The query of an operation for one record narrows the list that it reads otherwise.
	const isSent = ({ path }: SentValue) =>
		!operation.oneOfList?.listPath || !path.startsWith('query.');
	const sent = [...fixed(operation), ...paged(operation), ...known.filter(isSent)];
	const labels = new Set([...sent, ...found.flat()].map(({ label }) => label));
	const showsOthers = ({ name }: Field) =>
		fields.some(({ displayOptions }) => displayOptions?.show?.[name] !== undefined);
	return {
		name,
		method: request.method,
		path: getPath(operation),
		sent,
		idle: all
			.filter(
				({ label, field }) =>
					!labels.has(label) && !isForTransport(field, operation) && !showsOthers(field),
			)
			.map(({ label }) => label),
	};
}
