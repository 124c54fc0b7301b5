import { flat, formatModule, operationsWith, type Paths, type Schema } from './openapi.mts';

const HEADER = `// Generated from contract/openapi.yaml and newer.yaml by \`npm run generate\`, do not edit.

/**
 * What the contract says about the values of requests, by operationId and property: the limits of a number as
 * n8n's \`typeOptions\`, the limits of a text as a rule, and the assumed defaults. \`newerAssistant\` has those of
 * newer documents where they differ.
 */
`;

function toLimits(schema: Schema): object {
	const { type, minimum, maximum, minLength = 0, maxLength, pattern, format: kind } = schema;
	const types = [type].flat();
	// An ID is no number that users count with. A text of one character or more is a required field.
	const isCounted =
		maximum !== undefined && (types.includes('number') || types.includes('integer'));
	const isText = types.includes('string') && schema.enum === undefined && kind === undefined;
	return {
		...(isCounted && { minValue: minimum, maxValue: maximum }),
		...(isCounted && { numberPrecision: types.includes('integer') ? 0 : 2 }),
		...(isText && minLength > 1 && { minLength }),
		...(isText && maxLength !== undefined && { maxLength }),
		...(isText && pattern !== undefined && { pattern }),
		...(['boolean', 'number', 'string'].includes(typeof schema.default) && {
			default: schema.default,
		}),
	};
}

/** The limits inside a schema, also of its objects and lists, by property. */
function limitsIn(schema: Schema): Record<string, object> {
	return Object.fromEntries(
		Object.entries({ ...flat(schema).properties, ...flat(schema.items ?? {}).properties })
			.map(([name, property]): [string, object] => [
				name,
				{ ...toLimits(property), ...limitsIn(property) },
			])
			.filter(([, found]) => Object.keys(found).length > 0),
	);
}

/**
 * The text of the module with the limits of the values in requests, for the fields of the nodes.
 *
 * @param newer see {@link readNewerAssistant}
 */
export async function limits(paths: Paths, newer: Schema): Promise<string> {
	const found = operationsWith(paths, ['post', 'put'])
		.map(({ operationId, requestBody }): [string, object] => [
			operationId,
			limitsIn(requestBody?.content['application/json']?.schema ?? {}),
		])
		.filter(([, inside]) => Object.keys(inside).length > 0);
	const text = JSON.stringify({ ...Object.fromEntries(found), newerAssistant: limitsIn(newer) });
	return await formatModule(`${HEADER}export const limits = ${text};`);
}
