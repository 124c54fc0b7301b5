import { bundle, createConfig } from '@redocly/openapi-core';
import { format } from 'prettier';

export interface Schema {
	type?: string | string[];
	enum?: unknown[];
	format?: string;
	default?: unknown;
	pattern?: string;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	maxItems?: number;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	allOf?: Schema[];
}

type Content = Record<string, { schema: Schema } | undefined>;

export interface Operation {
	operationId: string;
	parameters?: Array<{ name: string; in: string; schema: Schema }>;
	requestBody?: { content: Content };
	responses: Record<string, { content: Content }>;
}

export type Paths = Record<string, Record<string, Operation | undefined>>;

/** Reads the operations of the contract, without references. */
export async function readPaths(openapi: string): Promise<Paths> {
	const config = await createConfig({});
	const result = await bundle({ ref: openapi, config, dereference: true });
	return contractPaths((result.bundle.parsed as { paths: Paths }).paths);
}

/** The operations of the nodes that only other public documents show. */
const DOCUMENTED = [
	'deleteCall',
	'deleteLead',
	'deleteTool',
	'getAccount',
	'getCall',
	'getTool',
	'listCampaigns',
	'listLeads',
	'listPhoneNumbers',
	'listTools',
	'makeCall',
];

/** The paths without the operations that only other public documents show, except those of the nodes. */
export const contractPaths = <Found extends Record<string, object>>(paths: Found): Found =>
	Object.fromEntries(
		Object.entries(paths).map(([path, items]) => [
			path,
			Object.fromEntries(
				Object.entries(items).filter(
					([, item]: [string, object]) =>
						!('x-documented' in item) ||
						DOCUMENTED.includes((item as { operationId?: string }).operationId ?? ''),
				),
			),
		]),
	) as Found;

/** A schema and those it is composed of, as one. */
export function flat(schema: Schema): Schema {
	const parts = [...(schema.allOf ?? []).map(flat), schema];
	const properties: Record<string, Schema> = {};
	for (const [name, property] of parts.flatMap((part) => Object.entries(part.properties ?? {}))) {
		properties[name] = { ...properties[name], ...property };
	}
	return {
		type: parts.find(({ type }) => type)?.type,
		properties,
		required: parts.flatMap(({ required = [] }) => required),
		items: schema.items,
	};
}

/** The operations with one of these methods. */
export const operationsWith = (paths: Paths, methods: string[]): Operation[] =>
	Object.values(paths).flatMap((path) => methods.flatMap((method) => path[method] ?? []));

/** The text of a TypeScript module in the style of this repository. */
export const formatModule = async (text: string): Promise<string> =>
	await format(text, { parser: 'typescript', useTabs: true, singleQuote: true, printWidth: 100 });
