import { flatSchema, getProperties } from './schema.mts';
import { asObject, resolve, type JsonObject, type Operation } from './contract.mts';

/** A body that the contract shows as an example. */
export interface Example {
	readonly name: string;
	readonly body: JsonObject;
	/** `always`, `if-running`, or undefined when the request costs nothing. */
	readonly costsMoney: unknown;
}

/** A place of a request that holds the ID of a record, or several. */
export interface Reference {
	/** Of the property; undefined when the ID is in the path. */
	readonly property?: string;
	readonly isList: boolean;
	/** What the record is: `assistant`, `phoneNumber`. */
	readonly record: string;
}

/** The media type of an operation's body; undefined when it has none. */
export function bodyContent({ definition, pointer }: Operation): JsonObject | undefined {
	if (definition.requestBody === undefined) return undefined;
	const { value } = resolve(definition.requestBody, `${pointer}/requestBody`);
	return asObject(asObject(value.content, pointer)['application/json'], pointer);
}

/** @throws when an operation has a body and no example of it */
export function bodyExamples(operation: Operation): Example[] {
	const content = bodyContent(operation);
	if (!content) return [];
	return Object.entries(asObject(content.examples, `examples of ${operation.operationId}`)).map(
		([name, example]) => {
			const { value, 'x-costs-money': costsMoney } = asObject(example, name);
			return { name, body: asObject(value, name), costsMoney };
		},
	);
}

/** The schema of an operation's body; one without properties when it has no body. */
export const bodySchema = (operation: Operation): JsonObject =>
	flatSchema(bodyContent(operation)?.schema ?? {});

/** The properties of an operation's body. */
export const bodyProperties = (operation: Operation): Array<[name: string, schema: JsonObject]> =>
	Object.entries(getProperties(bodySchema(operation))).map(([name, schema]) => [
		name,
		flatSchema(schema),
	]);

/** The records that a request names: those with `x-refers-to`, and the one in its path. */
export function references(operation: Operation): Reference[] {
	const { path, definition } = operation;
	const [record] = [definition.tags].flat().map(String);
	const inPath = path.includes('{id}') && record ? [{ isList: false, record }] : [];
	const inBody = bodyProperties(operation).flatMap(([property, schema]) => {
		const { 'x-refers-to': named, type } = schema;
		return typeof named === 'string' ? [{ property, isList: type === 'array', record: named }] : [];
	});
	return [...inPath, ...inBody];
}
