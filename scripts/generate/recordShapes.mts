import { flat, formatModule, operationsWith, type Paths, type Schema } from './openapi.mts';
import { item, success } from './previews.mts';

/** The operation whose response shows each record. */
const SHOWN_BY = {
	account: 'getAccount',
	assistant: 'listAssistants',
	assistantSummary: 'createAssistant',
	call: 'listCalls',
	campaign: 'listCampaigns',
	campaignStatus: 'updateCampaignStatus',
	lead: 'createLead',
	phoneNumber: 'listPhoneNumbers',
	smsMessage: 'sendSms',
	tool: 'createTool',
};

const HEADER = `// Generated from contract/openapi.yaml by \`npm run generate\`, do not edit.

import type { RecordShape } from './fieldShape';

/** The records of the service (contract: Resources and their fields). */
export const recordShapes = `;

const FOOTER = ` satisfies Record<string, RecordShape>;`;

type Shape = Record<string, Field>;

interface Field {
	type: string;
	optional?: true;
	fields?: Shape;
}

/** A time without a zone. Those of assistants and tools are texts in ISO 8601, which no service changes. */
const isTimestamp = ({ pattern = '' }: Schema): boolean => pattern.includes(' ');

function toType(name: string, schema: Schema, types: string[]): string {
	const [type = 'string'] = types.filter((each) => each !== 'null');
	if (type === 'integer' && /(^|_)id$/.test(name)) return 'id';
	if (type === 'string' && isTimestamp(schema)) return 'timestamp';
	return type === 'integer' ? 'number' : type;
}

/** Values of these types never change, so the records that have only them need no shape. */
const UNCHANGED = ['array', 'boolean', 'string'];

function toField(name: string, schema: Schema, isRequired: boolean): Field {
	const types = [schema.type ?? flat(schema).type ?? []].flat();
	const fields = toShape(schema.items ?? schema);
	const isChanged = Object.values(fields).some(({ type }) => !UNCHANGED.includes(type));
	return {
		type: toType(name, schema, types),
		...(!isRequired && { optional: true as const }),
		...(isChanged && { fields }),
	};
}

/** The fields of a record. */
export function toShape(schema: Schema): Shape {
	const { properties = {}, required = [] } = flat(schema);
	return Object.fromEntries(
		Object.entries(properties).map(([name, property]) => [
			name,
			toField(name, property, required.includes(name)),
		]),
	);
}

/**
 * The text of the module with the records of the service.
 *
 * @throws when the contract does not have one of the operations
 */
export async function recordShapes(paths: Paths): Promise<string> {
	const operations = operationsWith(paths, ['get', 'post', 'put']);
	const shapes = Object.entries(SHOWN_BY).map(([name, operationId]) => {
		const operation = operations.find((each) => each.operationId === operationId);
		if (!operation) throw new Error(`The contract has no operation ${operationId}`);
		return [name, toShape(item(success(operation)))];
	});
	return await formatModule(HEADER + JSON.stringify(Object.fromEntries(shapes)) + FOOTER);
}
