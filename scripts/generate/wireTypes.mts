import { bundle, createConfig } from '@redocly/openapi-core';
import { format } from 'prettier';

const TYPES = ['array', 'boolean', 'date', 'integer', 'number', 'object', 'string'];

const HEADER = `// Generated from contract/openapi.yaml by \`npm run generate\`, do not edit.

/** What a value is on the wire. */
export type WireType = ${TYPES.map((type) => `'${type}'`).join(' | ')};

/** The names of all values in requests, by their type. */
const NAMES: Record<WireType, string[]> = `;

const FOOTER = `;

const isWireType = (type: string): type is WireType => type in NAMES;

/** The type of each name, wherever it occurs in a request. */
export const wireTypes = new Map(
	Object.keys(NAMES)
		.filter(isWireType)
		.flatMap((type) => NAMES[type].map((name): [string, WireType] => [name, type])),
);
`;

interface Schema {
	type?: string | string[];
	format?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	allOf?: Schema[];
}

interface Operation {
	parameters?: Array<{ name: string; in: string; schema: Schema }>;
	requestBody?: { content: Record<string, { schema: Schema }> };
}

type Found = [name: string, type: string];

function typeOf({ type = [], format: kind, allOf = [] }: Schema): string | undefined {
	const [known] = [type].flat().filter((each) => each !== 'null');
	if (known === 'string' && kind === 'date') return 'date';
	return known ?? allOf.map(typeOf).find((each) => each !== undefined);
}

/** The names inside a schema, those of nested objects and lists too. */
function* namesIn({ properties = {}, items, allOf = [] }: Schema): Generator<Found> {
	for (const [name, schema] of Object.entries(properties)) {
		const type = typeOf(schema);
		if (type !== undefined) yield [name, type];
		yield* namesIn(schema);
	}
	for (const schema of [...allOf, ...(items ? [items] : [])]) yield* namesIn(schema);
}

/** The names that an operation sends. */
function* namesOf({ parameters = [], requestBody }: Operation): Generator<Found> {
	for (const { name, in: where, schema } of parameters) {
		const type = typeOf(schema);
		if (where === 'query' && type !== undefined) yield [name, type];
	}
	for (const { schema } of Object.values(requestBody?.content ?? {})) yield* namesIn(schema);
}

/**
 * The table that the action node converts values by.
 *
 * @param openapi path of the document
 * @returns the text of a module that exports `wireTypes`, a map from name to type
 * @throws when one name has two types in the contract, because the table could not tell them apart
 */
export async function wireTypes(openapi: string): Promise<string> {
	const config = await createConfig({});
	const result = await bundle({ ref: openapi, config, dereference: true });
	const { paths } = result.bundle.parsed as {
		paths: Record<string, Record<string, Operation | undefined>>;
	};
	const table = new Map<string, string>();
	const operations = Object.values(paths).flatMap((methods) =>
		['get', 'post', 'put'].flatMap((method) => methods[method] ?? []),
	);
	for (const [name, type] of operations.flatMap((operation) => [...namesOf(operation)])) {
		const known = table.get(name) ?? type;
		if (known !== type) throw new Error(`${name} is ${known} and ${type} in the contract`);
		table.set(name, type);
	}
	const names = [...table.keys()].sort((a, b) => a.localeCompare(b));
	const byType = TYPES.map((type) => [type, names.filter((name) => table.get(name) === type)]);
	const text = HEADER + JSON.stringify(Object.fromEntries(byType)) + FOOTER;
	return await format(text, {
		parser: 'typescript',
		useTabs: true,
		singleQuote: true,
		printWidth: 100,
	});
}
