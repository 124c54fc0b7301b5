import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { nodeDescriptions } from '../../../scripts/generate/nodeDescriptions.mts';
import { getOperations } from '../../../scripts/generate/nodeOperations.mts';
import { toContractPath } from '../../../scripts/generate/previews.mts';
import { root } from '../package.mts';
import { bodyExamples } from '../../../sandbox/test/support/examples.mts';
import {
	asObject,
	isObject,
	getObjects,
	operations as serviceOperations,
	resolve,
	type JsonObject,
	type Operation,
} from '../../../sandbox/test/support/contract.mts';

/** An operation of the node with the request that the contract shows as its example. */
export interface OperationCase {
	/** Resource and operation: `lead: create`. */
	name: string;
	operationId: string;
	/** The values of the example, entered into the fields that send them. */
	parameters: INodeParameters;
	/** The request of the example. Alice of sandbox/test/support/seed.mts has the records that it names. */
	request: {
		method: 'DELETE' | 'GET' | 'POST' | 'PUT';
		path: string;
		body?: IDataObject;
		query?: IDataObject;
	};
	/** Whether the service responds with records: a page of them, or all. */
	readsList: boolean;
	/** `always`, `if-running`, or undefined when it costs nothing. */
	costsMoney: unknown;
	/** All fields of the operation. */
	fields: INodeProperties[];
	/** The field with the ID of the one record that the operation is about. */
	idField?: INodeProperties;
	/** The operation of the service. */
	service: Operation;
}

/** The value of a picker, entered by ID. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;

/** The value of a picker, chosen from the list. */
export const fromList = (value: string, name: string) =>
	({ __rl: true, mode: 'list', value, cachedResultName: name }) as INodeParameters;

/** The record whose ID requests have in their path. */
const ID = '1';

/** The values of a request by the names that fields send them under: `variables.customer_name`. */
const namedValues = (values: JsonObject, prefix = ''): Array<[string, unknown]> =>
	Object.entries(values).flatMap(([key, value]): Array<[string, unknown]> => [
		[prefix + key, value],
		...(isObject(value) ? namedValues(value, `${prefix}${key}.`) : []),
	]);

/** A value as n8n's editor stores it. */
function entered({ type, modes = [] }: INodeProperties, value: unknown): unknown {
	if (type === 'dateTime') return `${String(value)}T00:00:00`;
	if (type !== 'resourceLocator') return value;
	const mode = modes.find(({ name }) => name !== 'list')?.name;
	return { __rl: true, mode, value: String(value) };
}

/** Whether a new node shows a field: a list is entered as a table, unless the user chooses JSON. */
const isShown = ({ displayOptions }: INodeProperties, fields: INodeProperties[]): boolean =>
	Object.entries(displayOptions?.show ?? {}).every(([name, values]) => {
		const chosenBy = fields.find((field) => field.name === name);
		return !chosenBy || values?.includes(chosenBy.default as string);
	});

/** Enters values into the fields that send them, also into those of collections. */
export function enter(fields: INodeProperties[], values: Map<string, unknown>): INodeParameters {
	const parameters: Record<string, unknown> = {};
	for (const field of fields.filter((each) => isShown(each, fields))) {
		const { name, type, options = [], routing } = field;
		if (type === 'collection') {
			const inside = enter(
				options.filter((option) => 'type' in option),
				values,
			);
			if (Object.keys(inside).length > 0) parameters[name] = inside;
		} else {
			const value = values.get(routing?.send?.property ?? '');
			const isList = type === 'fixedCollection';
			if (value === undefined || isList !== Array.isArray(value)) continue;
			// The fields of an entry have the names of the request.
			parameters[name] = isList ? { [String(options[0]?.name)]: value } : entered(field, value);
		}
	}
	return parameters as INodeParameters;
}

/** Whether the response is a list without an envelope. */
function isBareList({ definition }: Operation): boolean {
	const { '200': ok } = asObject(definition.responses, 'responses');
	return /"schema":\{"type":"array"/.test(JSON.stringify(ok ?? {}));
}

const getParameters = ({ definition }: Operation): JsonObject[] =>
	definition.parameters === undefined
		? []
		: getObjects(definition.parameters).map((each) => resolve(each, 'a parameter').value);

function toCase(
	resource: unknown,
	{ value: operation, routing }: INodePropertyOptions,
	fields: INodeProperties[],
): OperationCase[] {
	const { method, url } = routing?.request ?? {};
	if (url === undefined) return [];
	const name = `${String(resource)}: ${String(operation)}`;
	const service = serviceOperations.find(
		(each) => each.method === method && each.path === toContractPath(url),
	);
	if (!service) throw new Error(`The contract has no request of ${name}`);

	const inQuery = getParameters(service);
	const hasPages = inQuery.some((parameter) => parameter.name === 'per_page');
	const readsList = hasPages || isBareList(service);
	const examples = bodyExamples(service);
	const example = examples.find((each) => each.name === operation) ?? examples[0];
	const query = Object.fromEntries(
		inQuery.flatMap((each) => (each.example === undefined ? [] : [[each.name, each.example]])),
	) as JsonObject;
	const body = example?.body;

	const parameters: INodeParameters = {
		resource: String(resource),
		operation: String(operation),
		...enter(fields, new Map(namedValues({ ...query, ...body }))),
	};
	const hasLimit = fields.some((field) => field.name === 'limit');
	if (hasLimit) Object.assign(parameters, { returnAll: false, limit: 1 });
	// The ID of one record is in the path, or is looked for in a list.
	const [, inPath] = /\$parameter\.(\w+)/.exec(url) ?? [];
	const idField = fields.find(
		(field) =>
			field.name === inPath || (readsList && !hasLimit && field.required && !field.routing),
	);
	if (idField) parameters[idField.name] = entered(idField, ID) as string;

	const isOffered = ([key, value]: [string, unknown]) =>
		Object.keys(enter(fields, new Map([[key, value]]))).length > 0;
	const filters = Object.entries(query).filter(isOffered);
	const pages = hasPages ? { page: '1', per_page: hasLimit ? '1' : '100' } : {};
	return [
		{
			name,
			operationId: service.operationId,
			parameters,
			request: {
				method: service.method as OperationCase['request']['method'],
				path: `/api${service.path.replace('{id}', ID)}`,
				...(body && { body: body as IDataObject }),
				...(inQuery.length > 0 && {
					query: {
						...pages,
						...Object.fromEntries(filters.map(([key, value]) => [key, String(value)])),
					},
				}),
			},
			readsList,
			costsMoney: example?.costsMoney,
			service,
			idField,
			fields,
		},
	];
}

const [description] = await nodeDescriptions(root);
if (!description) throw new Error('package.json lists no node');

const isDelete = ({ request }: OperationCase): boolean => request.method === 'DELETE';

/** Every operation of the node that sends a request, once. Those that delete come last, so all find their records. */
export const OPERATIONS: OperationCase[] = getOperations(description)
	.flatMap(({ resource, operations }) =>
		operations.flatMap(({ operation, fields }) => toCase(resource.value, operation, fields)),
	)
	.sort((a, b) => Number(isDelete(a)) - Number(isDelete(b)));

export const isRead = ({ request }: OperationCase): boolean => request.method === 'GET';

/** The operations that change something, and those that only read. */
export const WRITES = OPERATIONS.filter((operation) => !isRead(operation));
export const READS = OPERATIONS.filter(isRead);

/** Whether an operation creates a record, which is in the response (contract: Endpoints). */
export const isCreate = ({ name }: OperationCase): boolean =>
	name.endsWith(': create') || name === 'sms: send';

/** The operation of that name, such as `lead: create`. */
export function operationNamed(name: string): OperationCase {
	const found = OPERATIONS.find((operation) => operation.name === name);
	if (!found) throw new Error(`There is no operation ${name}`);
	return found;
}

/** Lists have decimals as texts, 1 and 0 for yes and no, and times without a zone (contract: Assistant, Call). */
function inOneType(value: unknown): unknown {
	if (typeof value === 'boolean') return Number(value);
	if (typeof value !== 'string') return value;
	if (/^\d{4}-\d\d-\d\d[ T]/.test(value)) return Date.parse(value.replace(/( .*[^Z])$/, '$1Z'));
	return /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/**
 * Compares an output item with the response that it is made of: with its record, with its message if it
 * has none, or with the wanted record of its page.
 *
 * @param response the body
 * @returns the names that differ. Of a record in a page, an output has only some fields
 */
export function outputDifferences(
	{ readsList }: OperationCase,
	response: unknown,
	item: Record<string, unknown> = {},
): string[] {
	const differences = (row: JsonObject) => {
		const shared = Object.keys(row).filter((name) => name in item);
		return shared.filter((name) => !isDeepStrictEqual(inOneType(item[name]), inOneType(row[name])));
	};
	if (readsList) {
		const rows = getObjects(isObject(response) ? response.data : response);
		const row = rows.find(({ id }) => id === Number(ID)) ?? rows[0] ?? {};
		return differences(row);
	}
	const { data, ...others } = asObject(response, 'the response');
	const record = isObject(data) ? data : others;
	// An output has only some fields of a bare record.
	if (!isObject(data) && !('message' in others)) return differences(record);
	return Object.keys(record).filter((name) => !isDeepStrictEqual(item[name], record[name]));
}

/** The same for an agent, which does not see the address of a tool, because it can be secret. */
export const agentDifferences = (
	operation: OperationCase,
	response: unknown,
	item?: Record<string, unknown>,
): string[] =>
	outputDifferences(operation, response, item).filter(
		(name) => name !== 'endpoint' || !operation.name.startsWith('midCallTool'),
	);

/** Creates a lead for each item, with the item's phone number. */
export const leadPerItem: INodeParameters = {
	resource: 'lead',
	operation: 'create',
	campaignId: '1',
	phoneNumber: '={{ $json.phone }}',
};

/** Items with one phone number each. */
export const people = (count: number): Array<{ phone: string }> =>
	Array.from({ length: count }, (_, index) => ({ phone: `+49151123${46_000 + index}` }));
