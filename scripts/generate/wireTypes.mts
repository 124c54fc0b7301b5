import {
	formatModule,
	operationsWith,
	type Operation,
	type Paths,
	type Schema,
} from './openapi.mts';

const TYPES = ['array', 'boolean', 'date', 'integer', 'number', 'object', 'string'];

const HEADER = `// Generated from contract/openapi.yaml and newer.yaml by \`npm run generate\`, do not edit.

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

type Found = [name: string, type: string];

function toWireType({ type = [], format: kind, allOf = [] }: Schema): string | undefined {
	const [known] = [type].flat().filter((each) => each !== 'null');
	if (known === 'string' && kind === 'date') return 'date';
	return known ?? allOf.map(toWireType).find((each) => each !== undefined);
}

/** The names inside a schema, those of nested objects and lists too. */
function* namesIn({ properties = {}, items, allOf = [] }: Schema): Generator<Found> {
	for (const [name, schema] of Object.entries(properties)) {
		const type = toWireType(schema);
		if (type !== undefined) yield [name, type];
		yield* namesIn(schema);
	}
	for (const schema of [...allOf, ...(items ? [items] : [])]) yield* namesIn(schema);
}

/** The names that an operation sends. */
function* sentNames({ parameters = [], requestBody }: Operation): Generator<Found> {
	for (const { name, in: where, schema } of parameters) {
		const type = toWireType(schema);
		if (where === 'query' && type !== undefined) yield [name, type];
	}
	yield* namesIn(requestBody?.content['application/json']?.schema ?? {});
}

/**
 * The text of the module with the table that the action node converts values by.
 *
 * @param newer see {@link readNewerAssistant}
 * @throws when one name has two types in the contract, because the table could not tell them apart
 */
export async function wireTypes(paths: Paths, newer: Schema): Promise<string> {
	const table = new Map<string, string>();
	for (const [name, schema] of Object.entries(newer.properties ?? {})) {
		table.set(name, toWireType(schema) ?? '');
	}
	for (const operation of operationsWith(paths, ['get', 'post', 'put'])) {
		for (const [name, type] of sentNames(operation)) {
			const known = table.get(name) ?? type;
			if (known !== type) throw new Error(`${name} is ${known} and ${type} in the contract`);
			table.set(name, type);
		}
	}
	const names = [...table.keys()].sort((a, b) => a.localeCompare(b));
	const byType = TYPES.map((type) => [type, names.filter((name) => table.get(name) === type)]);
	return await formatModule(HEADER + JSON.stringify(Object.fromEntries(byType)) + FOOTER);
}
