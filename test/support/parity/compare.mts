import { checkField } from '../../../nodes/VoiceAssistantCalling/fields/checkFields.ts';
import type { Field } from '../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import {
	EMAIL,
	PHONE_NUMBER,
	WEB_ADDRESS,
	type TextRule,
} from '../../../nodes/shared/fields/textRule.ts';
import { ANY_KEY, type RequestValue, type ServiceOperation } from './contract.mts';
import type { NodeOperation, SentValue } from './node.mts';

const jsonList = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

const haveSame = (left: unknown[], right: unknown[]) =>
	left.length === right.length && left.every((value) => right.includes(value));

const makes = ({ method, path }: NodeOperation, operation: ServiceOperation) =>
	method === operation.method && path === operation.path;

/** A switch that clears a field sends null or an empty list, and nothing else. */
const isRemoval = ({ values }: SentValue) =>
	values.length > 0 &&
	values.every((value) => value === null || (Array.isArray(value) && value.length === 0));

/** The length limits that a description must name. */
function lengthLimits({ minLength = 0, maxLength }: RequestValue['schema']): string | undefined {
	if (maxLength === undefined) return undefined;
	return minLength > 1 ? `${minLength} to ${maxLength} characters` : `${maxLength} characters`;
}

/** Whether a field takes nothing but IDs, which are whole numbers from 1. */
function isId(field: Field): boolean {
	try {
		checkField(field, '0', '');
		return false;
	} catch (error) {
		return error instanceof Error && error.message.includes('must be an ID');
	}
}

/** HTTP sets the rules of headers. The contract says nothing about them. */
const isHeader = ({ name }: RequestValue) => name.startsWith('body.headers[]');

/** What the contract says about a text, as a rule of a field. */
function wantedRule({ schema }: RequestValue): TextRule {
	if (schema['x-assumed'] === 'phone-number-formats') return PHONE_NUMBER;
	if (schema.format?.startsWith('uri')) return WEB_ADDRESS;
	const { minLength = 0, maxLength, pattern } = schema;
	return { minLength: minLength > 1 ? minLength : undefined, maxLength, pattern };
}

/** Texts with a rule in the node, although the contract has none. */
const OURS: Array<[path: RegExp, rule: TextRule]> = [
	[/^(listCalls query|makeCall body)\.phone_number$/, PHONE_NUMBER],
	[/\bvariables\.email$/, EMAIL],
];

/** The rule that the contract wants for the text of a field, if its text has a rule. */
function wantedTextRule(field: Field, expected: RequestValue): TextRule | undefined {
	const { type, options = [] } = field;
	const isText = type === 'string' || (type === 'options' && options.length === 0);
	if (!isText || isId(field) || isHeader(expected)) return undefined;
	const name = `${expected.operationId} ${expected.name}`;
	return OURS.find(([path]) => path.test(name))?.[1] ?? wantedRule(expected);
}

function* fieldDifferences(
	field: Field,
	initial: unknown,
	expected: RequestValue,
): Generator<string> {
	const { schema } = expected;
	const { type, typeOptions = {}, description = '', rule = {} } = field;
	// A number from 0 may set a switch too: *Min Interrupt Words* is off with 0.
	if (type === 'number' && schema.type === 'boolean') return;
	const idMinimum = isId(field) ? 1 : undefined;
	// Only numbers and options start with the default of the contract: users add a switch to switch it on.
	const begins = ['number', 'options'].includes(type) && initial !== undefined;
	const told = /(\d+ to )?\d+ characters/.exec(description)?.[0];
	const wanted = wantedTextRule(field, expected) ?? rule;
	const compared: Array<[what: string, ours: unknown, wanted: unknown]> = [
		['minimum', idMinimum ?? typeOptions.minValue, schema.minimum ?? idMinimum],
		['maximum', typeOptions.maxValue, schema.maximum],
		['begins with', initial, begins ? (schema.default ?? initial) : initial],
		['description names', told, lengthLimits(schema)],
		...(['minLength', 'maxLength', 'pattern'] as const).map((limit): [string, unknown, unknown] => [
			`checks ${limit}`,
			rule[limit],
			wanted[limit],
		]),
	];
	for (const [what, ours, theirs] of compared) {
		if (ours !== theirs)
			yield `${what} ${jsonList([ours ?? 'none'])}, in the contract ${jsonList([theirs ?? 'none'])}`;
	}
}

const jsonType = (value: unknown) => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

function* typeDifferences({ values }: SentValue, expected: RequestValue): Generator<string> {
	const types = [...new Set(values.map(jsonType))];
	const allowed = expected.types.includes('number')
		? [...expected.types, 'integer']
		: expected.types;
	if (allowed.length > 0 && types.some((type) => !allowed.includes(type))) {
		yield `sends ${types.join(', ')}, in the contract ${expected.types.join(', ')}`;
	}
}

function senderDifferences(sent: SentValue, expected: RequestValue): string[] {
	if (isRemoval(sent)) return [];
	return [
		...typeDifferences(sent, expected),
		...(sent.field ? fieldDifferences(sent.field, sent.initial, expected) : []),
	].map((what) => `'${sent.label}': ${what}`);
}

/** The list that holds a value: `body.headers[]` for `body.headers[].name`. */
const getList = (name: string) => /^.*\[\]/.exec(name)?.[0];

function* requiredDifferences(
	{ name, required }: RequestValue,
	node: NodeOperation[],
): Generator<string> {
	if (name.endsWith(ANY_KEY)) return;
	const list = getList(name);
	// A required field of a list entry concerns only the operations that have the list.
	const concerned = node.filter(
		({ sent }) => !list || sent.some((at) => at.path.startsWith(list) && !isRemoval(at)),
	);
	const without = concerned.filter(({ sent }) => !sent.some((at) => at.always && at.path === name));
	if (required) {
		for (const { name } of without) yield `required in the contract, but not in ${name}`;
	} else if (without.length === 0) {
		yield `optional in the contract, but required in ${concerned.map(({ name }) => name).join(', ')}`;
	}
}

/** Users must be able to clear every field that an update can clear: with null, or an empty list. */
function* clearingDifferences(
	requestValues: RequestValue[],
	node: NodeOperation[],
): Generator<string> {
	const clears = (name: string) =>
		node.some(({ sent }) => sent.some((at) => at.path === name && isRemoval(at)));
	const clearable = requestValues.flatMap(({ name, types }) =>
		types.includes('null') ? name : (getList(name) ?? []),
	);
	for (const name of new Set(clearable)) {
		if (!clears(name)) yield `${name}: can be cleared, but no field does it`;
	}
}

/** The differences of one value, over all operations of the node that make the same request. */
function* valueDifferences(expected: RequestValue, node: NodeOperation[]): Generator<string> {
	const senders = node.flatMap(({ sent }) => sent.filter((at) => at.path === expected.name));
	if (senders.length === 0) {
		yield 'no field sends it';
		return;
	}
	for (const sent of senders) yield* senderDifferences(sent, expected);
	yield* requiredDifferences(expected, node);
	const { enum: wanted } = expected.schema;
	const offered = [...new Set(senders.flatMap(({ values }) => values))];
	if (wanted && !haveSame(offered, wanted)) {
		yield `offers ${jsonList(offered)}, in the contract ${jsonList(wanted)}`;
	}
}

function missing(operation: ServiceOperation, node: NodeOperation[]): string[] {
	const { operationId, method, path, requestValues } = operation;
	const making = node.filter((each) => makes(each, operation));
	if (making.length === 0)
		return [`${operationId}: no operation of the node does ${method} ${path}`];
	return [
		...requestValues.flatMap((expected) =>
			[...valueDifferences({ ...expected, operationId }, making)].map(
				(what) => `${expected.name}: ${what}`,
			),
		),
		...(method === 'PUT' ? clearingDifferences(requestValues, making) : []),
	].map((what) => `${operationId} ${what}`);
}

function unknown(operation: NodeOperation, service: ServiceOperation[]): string[] {
	const { name, method, path, sent, idle } = operation;
	const known = service.find((each) => makes(operation, each));
	if (!known) return [`${name}: ${method} ${path} is not in the contract`];
	const isKnown = ({ path }: SentValue) =>
		known.requestValues.some((each) => each.name === path || each.name.startsWith(`${path}.`));
	return [
		...sent
			.filter((at) => !isKnown(at))
			.map(({ label, path }) => `${name} '${label}': ${path} is not in the contract`),
		...idle.map((label) => `${name} '${label}': sends nothing`),
	];
}

/**
 * Compares the values that the node can send with those that the contract allows, in both directions.
 *
 * @returns a message for each difference, which names operation, value and field
 */
export const differences = (service: ServiceOperation[], node: NodeOperation[]): string[] => [
	...service.flatMap((operation) => missing(operation, node)),
	...node.flatMap((operation) => unknown(operation, service)),
];
