import { readYaml } from '../../contract/readYaml.mts';
import { isObject } from '../describe.mts';
import { observation } from '../run.mts';

/** A field of a record as the contract describes it. */
export interface FieldSchema {
	/** JSON types, such as `integer` and `null`; empty when the contract names none. */
	types: string[];
	/** Whether an object's keys are the user's own. */
	isOpen: boolean;
}

/** The fields of a record as the contract describes them. */
export interface RecordSchema {
	required: string[];
	fields: Map<string, FieldSchema>;
}

/** Reads the schema of a record from contract/openapi.yaml. */
function recordSchema(schemas: { [name: string]: unknown }, name: string): RecordSchema {
	const schema = schemas[name];
	if (!isObject(schema) || !isObject(schema['properties'])) throw new Error(`no schema ${name}`);
	const fields = Object.entries(schema['properties']).map(
		([field, value]) => [field, fieldSchema(schemas, value)] as const,
	);
	const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
	return { required, fields: new Map(fields) };
}

function fieldSchema(schemas: { [name: string]: unknown }, value: unknown): FieldSchema {
	if (!isObject(value)) return { types: [], isOpen: false };
	const { $ref: reference, type } = value;
	if (typeof reference === 'string') {
		return fieldSchema(schemas, schemas[reference.split('/').at(-1) ?? '']);
	}
	const types = [type ?? []].flat().map(String);
	return { types, isOpen: types.includes('object') && !('properties' in value) };
}

/** What the contract says of the records that can be read. */
export const recordSchemas = observation(async () => {
	const contract = await readYaml('openapi.yaml');
	const components = isObject(contract) ? contract['components'] : undefined;
	const schemas = isObject(components) ? components['schemas'] : undefined;
	if (!isObject(schemas)) throw new Error('openapi.yaml has no schemas');
	return {
		call: recordSchema(schemas, 'Call'),
		assistant: recordSchema(schemas, 'Assistant'),
		tool: recordSchema(schemas, 'Tool'),
		campaign: recordSchema(schemas, 'Campaign'),
		page: recordSchema(schemas, 'PageEnvelope'),
	};
});
