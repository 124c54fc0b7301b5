import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { INPUT_ITEM, type Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { toWireTypes } from '../../../../nodes/VoiceAssistantCalling/fields/toWireTypes.ts';
import { VoiceAssistantCalling } from '../../../../nodes/VoiceAssistantCalling/VoiceAssistantCalling.node.ts';
import { root } from '../../../support/package.mts';
import { readContract, serviceOperations } from '../../../support/parity/contract.mts';
import { nodeOperations, pathOf, type NamedOperation } from '../../../support/parity/node.mts';

/**
 * The description uses only the part of n8n's routing that the runner supports. n8n's engine would execute
 * the rest, and the runner would ignore it.
 */
const { description } = new VoiceAssistantCalling();
const service = serviceOperations(
	await readContract(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8')),
);

/** A part of the description that can have a routing in n8n. */
interface Part {
	/** Its path: `Filters → Status → Busy`. */
	label: string;
	kind: 'field' | 'operation' | 'other';
	/** A field, or a value that it offers. */
	part: Record<string, unknown>;
}

function partsOf(field: Field, prefix = '', kind: Part['kind'] = 'field'): Part[] {
	const label = prefix + field.displayName;
	const inside = (field.options ?? []).flatMap((option): Part[] => {
		if ('values' in option) {
			return option.values.flatMap((value) => partsOf(value, `${label} → `, 'other'));
		}
		if ('type' in option) return partsOf(option, `${label} → `, kind);
		const isOperation = prefix === '' && field.name === 'operation';
		return [
			{
				label: `${label} → ${option.name}`,
				kind: isOperation ? 'operation' : 'other',
				part: { ...option },
			},
		];
	});
	return [{ label, kind, part: { ...field } }, ...inside];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths of an object: `send.property`. Lists and functions are leaves. */
const namesIn = (value: unknown, prefix = ''): string[] =>
	isRecord(value) && Object.keys(value).length > 0
		? Object.entries(value).flatMap(([key, inner]) => namesIn(inner, `${prefix}${key}.`))
		: [prefix.slice(0, -1)];

/** The routing that the runner supports, for each kind of part. */
const KNOWN: Record<Part['kind'], RegExp> = {
	field: /^send\.(type|property|preSend)$/,
	operation: /^request\.(method|url|body\.\w+)$/,
	other: /^$/,
};

/** The routing of a part that the runner does not support. */
const unknownIn = ({ label, kind, part: { routing } }: Part): string[] =>
	routing === undefined
		? []
		: namesIn(routing)
				.filter((name) => !KNOWN[kind].test(name))
				.map((name) => `${label}: ${name}`);

/** Every text in a value that is an expression, or looks like one. */
function expressionsIn(value: unknown): string[] {
	if (typeof value === 'string') return /^=|\{\{/.test(value) ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(expressionsIn);
}

const all = (properties: Field[]) => properties.flatMap((field) => partsOf(field));
const parts = all(description.properties as Field[]);

/** A field with a routing that the types do not allow. */
const fieldWith = (routing: unknown, more: Partial<Field> = {}): Field => ({
	displayName: 'Extra',
	name: 'extra',
	type: 'string',
	default: '',
	...more,
	...({ routing } as object),
});

describe('the routing of the description', () => {
	it('is supported by the runner', () => {
		expect(parts.flatMap(unknownIn)).toEqual([]);
		expect(Object.keys(description)).not.toContain('requestOperations');
	});

	it.each([
		['a value that is computed', fieldWith({ send: { property: 'to', value: '={{ 1 }}' } })],
		['a page', fieldWith({ send: { paginate: true } })],
		['a name that is not split', fieldWith({ send: { propertyInDotNotation: false } })],
		['what happens to a response', fieldWith({ output: { maxResults: 1 } })],
		['a request of a field', fieldWith({ request: { url: '/user/sms' } })],
		['pages', fieldWith({ operations: { pagination: {} } })],
		[
			'a choice that is no operation',
			fieldWith(undefined, {
				type: 'options',
				options: [{ name: 'A', value: 'a', ...{ routing: { request: { url: '/a' } } } }],
			}),
		],
		[
			'a field in an entry of a list',
			fieldWith(undefined, {
				type: 'fixedCollection',
				options: [
					{ displayName: 'A', name: 'a', values: [fieldWith({ send: { property: 'to' } })] },
				],
			}),
		],
		[
			'a field in a collection',
			fieldWith(undefined, { type: 'collection', options: [fieldWith({ send: { value: '1' } })] }),
		],
	])('would be refused with %s', (_, field) => {
		expect(all([field]).flatMap(unknownIn)).toHaveLength(1);
	});

	it('converts every request first, as the runner does', () => {
		const [first] = description.properties;
		expect(first).toMatchObject({
			name: 'resource',
			routing: { send: { preSend: [toWireTypes] } },
		});
		expect(first).not.toHaveProperty('displayOptions');
	});

	it('hides no field by a condition that the runner does not read', () => {
		const conditions = parts.flatMap(({ label, part }) =>
			isRecord(part.displayOptions)
				? namesIn(part.displayOptions).map((name) => `${label}: ${name}`)
				: [],
		);
		const known = /: (show\.(resource|operation|returnAll|output|@tool|\w+Mode)|hide\.@tool)$/;
		expect(conditions).not.toEqual([]);
		expect(conditions.filter((condition) => !known.test(condition))).toEqual([]);
	});
});

describe('the expressions of the description', () => {
	it('are the base URL, the subtitle, the input item, and those in request URLs', () => {
		const { properties, ...head } = { ...description, hints: [] };
		expect(expressionsIn(head)).toEqual([
			'={{$parameter["operation"] + ": " + $parameter["resource"]}}',
			'={{$credentials.baseUrl}}',
		]);
		const addresses = nodeOperations.map(({ request }) => request.url);
		const others = expressionsIn(properties).filter((text) => !addresses.includes(text));
		expect([...new Set(others)]).toEqual([INPUT_ITEM]);
	});

	it.each(nodeOperations)('in the address of $name only name a value', ({ request, fields }) => {
		const expressions = expressionsIn(request);
		const required = fields.filter((field) => field.required).map(({ name }) => name);
		for (const text of expressions) {
			expect(text).toMatch(
				/^=(\{\{\$credentials\.\w+ \|\| "[\w/]+"\}\}|[\w/]+\/\{\{\$parameter\.\w+\}\})$/,
			);
			const [, source, name] = /\$(\w+)\.(\w+)/.exec(text) ?? [];
			expect(source === 'parameter' ? required : ['assistantListPath']).toContain(name);
		}
	});
});

/**
 * Temporary names of values in a request. The preSend of the field moves each value to its final name.
 * parity/fields.test.mts shows that no temporary name is sent.
 */
const STAGING = [
	// Fields to clear, by their name in the contract.
	{ staged: /^body\.remove\.(\w+)$/, name: 'body.$1' },
	// Variables as JSON, those of the input item, and what to leave out of it.
	{ staged: /^body\.variables\.(json|input|leaveOut)$/, name: 'body.variables' },
	// A choice that becomes true or false.
	{ staged: /^body\.on_duplicate$/, name: 'body.allow_dupplicate' },
	// Filters as JSON.
	{ staged: /^query\.json$/, name: 'query.status' },
];

/** The names that an operation's fields send and the contract does not have. */
function strayNames(operation: NamedOperation): string[] {
	const { method } = operation.request;
	const known = service
		.filter((each) => each.method === method && each.path === pathOf(operation))
		.flatMap((each) => each.requestValues.map(({ name }) => name));
	return operation.fields
		.flatMap((field) => partsOf(field))
		.flatMap(({ label, part }) => {
			const { send } = (part as Partial<Field>).routing ?? {};
			if (!send?.property) return [];
			const name = `${send.type ?? 'query'}.${send.property}`;
			const staging = send.preSend && STAGING.find(({ staged }) => staged.test(name));
			const final = staging ? name.replace(staging.staged, staging.name) : name;
			const isKnown = known.some(
				(each) =>
					each === final || [`${final}.`, `${final}[]`].some((start) => each.startsWith(start)),
			);
			return isKnown ? [] : [`${label}: ${name}`];
		});
}

describe('the names on the wire', () => {
	it.each(nodeOperations)('of $name are those of the contract', (operation) => {
		expect(strayNames(operation)).toEqual([]);
	});

	it.each([
		['body', 'phone_nummer'],
		['body', 'variabels.email'],
		['body', 'remove.phone_number'],
		['body', 'variables.json'],
		['query', 'phone_number'],
	] as const)(
		'do not include a typo, a staging name without its preSend: %s.%s',
		(type, property) => {
			const [operation] = nodeOperations.filter(({ name }) => name === 'lead/update');
			if (!operation) throw new Error('There is no lead/update');
			const fields = [fieldWith({ send: { type, property } })];
			expect(strayNames({ ...operation, fields })).toEqual([`Extra: ${type}.${property}`]);
		},
	);
});
