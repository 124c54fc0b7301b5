import { checkField } from '../../../nodes/VoiceAssistantCalling/fields/checkFields.ts';
import type { Field } from '../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { ANY_KEY, type Place, type ServiceOperation } from './contract.mts';
import type { NodeOperation, Sent } from './node.mts';

const inWords = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

const haveSame = (left: unknown[], right: unknown[]) =>
	left.length === right.length && left.every((value) => right.includes(value));

const makes = ({ method, path }: NodeOperation, operation: ServiceOperation) =>
	method === operation.method && path === operation.path;

/** A switch that removes something sends null or an empty list, and nothing else. */
const isRemoval = ({ values }: Sent) =>
	values.length > 0 &&
	values.every((value) => value === null || (Array.isArray(value) && value.length === 0));

/** The lengths that a description must name. */
function lengthInWords({ minLength = 0, maxLength }: Place['schema']): string {
	if (maxLength === undefined) return 'no length';
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

function* fieldDifferences(field: Field, { schema }: Place): Generator<string> {
	const { type, typeOptions = {}, default: initial, description = '' } = field;
	const limits = [
		[
			'minimum',
			isId(field) ? 1 : typeOptions.minValue,
			schema.minimum ?? (isId(field) ? 1 : undefined),
		],
		['maximum', typeOptions.maxValue, schema.maximum],
	] as const;
	for (const [limit, ours, wanted] of limits) {
		if (ours !== wanted) yield `${limit} ${ours ?? 'none'}, in the contract ${wanted ?? 'none'}`;
	}
	// A switch is added to be switched on, and a text begins empty.
	const begins = ['number', 'options'].includes(type) && initial !== undefined;
	if (begins && schema.default !== undefined && initial !== schema.default) {
		yield `begins with ${inWords([initial])}, in the contract ${inWords([schema.default])}`;
	}
	const told = /(\d+ to )?\d+ characters/.exec(description)?.[0] ?? 'no length';
	const wanted = lengthInWords(schema);
	if (told !== wanted) yield `description names ${told}, the contract ${wanted}`;
}

const jsonType = (value: unknown) => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

function* typeDifferences({ values }: Sent, place: Place): Generator<string> {
	const types = [...new Set(values.map(jsonType))];
	const allowed = place.types.includes('number') ? [...place.types, 'integer'] : place.types;
	if (allowed.length > 0 && types.some((type) => !allowed.includes(type))) {
		yield `sends ${types.join(', ')}, in the contract ${place.types.join(', ')}`;
	}
}

function senderDifferences(sent: Sent, place: Place): string[] {
	if (isRemoval(sent)) return [];
	return [
		...typeDifferences(sent, place),
		...(sent.field ? fieldDifferences(sent.field, place) : []),
	].map((what) => `'${sent.label}': ${what}`);
}

/** The list that a place is in: `body.headers[]` for `body.headers[].name`. */
const listOf = (place: string) => /^.*\[\]/.exec(place)?.[0];

function* requiredDifferences({ name, required }: Place, node: NodeOperation[]): Generator<string> {
	if (name.endsWith(ANY_KEY)) return;
	const list = listOf(name);
	// What is required in an entry matters to those operations only that have the list.
	const concerned = node.filter(
		({ sent }) => !list || sent.some((at) => at.place.startsWith(list) && !isRemoval(at)),
	);
	const without = concerned.filter(
		({ sent }) => !sent.some((at) => at.always && at.place === name),
	);
	if (required) {
		for (const { name } of without) yield `required in the contract, but not in ${name}`;
	} else if (without.length === 0) {
		yield `optional in the contract, but required in ${concerned.map(({ name }) => name).join(', ')}`;
	}
}

/** What an update can clear, it must be able to clear on purpose: with null, or an empty list. */
function* clearingDifferences(places: Place[], node: NodeOperation[]): Generator<string> {
	const clears = (name: string) =>
		node.some(({ sent }) => sent.some((at) => at.place === name && isRemoval(at)));
	const clearable = places.flatMap(({ name, types }) =>
		types.includes('null') ? name : (listOf(name) ?? []),
	);
	for (const name of new Set(clearable)) {
		if (!clears(name)) yield `${name}: can be cleared, but no field does it`;
	}
}

/** What is different at one place, over all operations of the node that make the same request. */
function* placeDifferences(place: Place, node: NodeOperation[]): Generator<string> {
	const senders = node.flatMap(({ sent }) => sent.filter((at) => at.place === place.name));
	if (senders.length === 0) {
		yield 'no field sends it';
		return;
	}
	for (const sent of senders) yield* senderDifferences(sent, place);
	yield* requiredDifferences(place, node);
	const { enum: wanted } = place.schema;
	const offered = [...new Set(senders.flatMap(({ values }) => values))];
	if (wanted && !haveSame(offered, wanted)) {
		yield `offers ${inWords(offered)}, in the contract ${inWords(wanted)}`;
	}
}

function missing(operation: ServiceOperation, node: NodeOperation[]): string[] {
	const { operationId, method, path, places } = operation;
	const making = node.filter((each) => makes(each, operation));
	if (making.length === 0)
		return [`${operationId}: no operation of the node does ${method} ${path}`];
	return [
		...places.flatMap((place) =>
			[...placeDifferences(place, making)].map((what) => `${place.name}: ${what}`),
		),
		...(method === 'PUT' ? clearingDifferences(places, making) : []),
	].map((what) => `${operationId} ${what}`);
}

function unknown(operation: NodeOperation, service: ServiceOperation[]): string[] {
	const { name, method, path, sent, idle } = operation;
	const known = service.find((each) => makes(operation, each));
	if (!known) return [`${name}: ${method} ${path} is not in the contract`];
	const isKnown = ({ place }: Sent) =>
		known.places.some((each) => each.name === place || each.name.startsWith(`${place}.`));
	return [
		...sent
			.filter((at) => !isKnown(at))
			.map(({ label, place }) => `${name} '${label}': ${place} is not in the contract`),
		...idle.map((label) => `${name} '${label}': sends nothing`),
	];
}

/**
 * Compares what the node can send with what the contract lets a request carry, both ways.
 *
 * @returns every difference in words, by operation, place and field; empty when there is none
 */
export const differences = (service: ServiceOperation[], node: NodeOperation[]): string[] => [
	...service.flatMap((operation) => missing(operation, node)),
	...node.flatMap((operation) => unknown(operation, service)),
];
