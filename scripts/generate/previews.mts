import { flat, type Operation, type Paths, type Schema } from './openapi.mts';

interface ShownOperation {
	/** Undefined when the operation sends nothing to the service. */
	request?: { method: string; url: string };
	output?: {
		/** The fields of an item, unless it has all fields of the record. */
		fields?: string[];
		/** The fields that a record of the service does not have. */
		added?: Record<string, Preview>;
	};
}

/** The resources of the node, by their value. */
export type ShownResources = Record<string, { operations: Record<string, ShownOperation> }>;

/** What n8n's editor reads of a JSON Schema: it knows no compositions. */
type Preview = Pick<Schema, 'type'> & {
	properties?: Record<string, Preview>;
	items?: Preview;
};

function preview(schema: Schema): Preview {
	const { type, properties = {}, items } = flat(schema);
	if (type === 'array') return { type, ...(items && { items: preview(items) }) };
	if (type !== 'object') return { type };
	const shown = Object.entries(properties).map(([name, property]) => [name, preview(property)]);
	return { type, properties: Object.fromEntries(shown) as Record<string, Preview> };
}

/**
 * One item of the node's output: a record, which is in `data`, in a list or the answer itself, or the message
 * where an answer has none.
 */
export function item(answer: Schema): Schema {
	if (answer.items) return answer.items;
	const { message = {}, data } = flat(answer).properties ?? {};
	if (data === undefined) return answer;
	if (data.maxItems === 0) return { type: 'object', properties: { message } };
	return data.items ?? data;
}

/** The fields that an operation outputs of a record. */
function output(record: Schema, { fields, added }: NonNullable<ShownOperation['output']>): Schema {
	const known: Record<string, Schema> = { ...added, ...flat(record).properties };
	const names = fields ?? Object.keys(known);
	return {
		...flat(record),
		properties: Object.fromEntries(names.map((name) => [name, known[name] ?? {}])),
	};
}

/** The path of a request in the contract: without values, and with the paths that users can change. */
export const toContractPath = (url: string): string =>
	url
		.replace(/^=/, '')
		.replace(/\{\{\$credentials\.\w+ \|\| "(.+?)"\}\}/, '$1')
		.replace(/\{\{.+?\}\}/g, '{id}');

/** The body of an operation's success response. */
export function success({ operationId, responses }: Operation): Schema {
	const response = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
	const schema = response?.content['application/json']?.schema;
	if (schema === undefined) throw new Error(`${operationId} has no success response`);
	return schema;
}

/**
 * The output previews of the action node, which n8n's editor shows before a node has run.
 *
 * @returns the JSON text of each preview by `<resource>/<operation>.json`
 * @throws when the contract has no request of an operation
 */
export function previews(paths: Paths, resources: ShownResources): Array<[string, string]> {
	return Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(
			([name, { request, output: shown = {} }]): Array<[string, string]> => {
				if (!request) return [];
				const operation = paths[toContractPath(request.url)]?.[request.method.toLowerCase()];
				if (!operation) {
					const what = `${request.method} ${request.url}`;
					throw new Error(
						`contract/openapi.yaml has no ${what}. If only other documents show it, add it to DOCUMENTED (scripts/generate/openapi.mts).`,
					);
				}
				const shape = preview(output(item(success(operation)), shown));
				const text = JSON.stringify(shape, null, '\t');
				return [[`${resource}/${name}.json`, `${text}\n`]];
			},
		),
	);
}
