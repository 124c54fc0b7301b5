import type { INodeParameters } from 'n8n-workflow';
import { byId, enter, OPERATIONS, type OperationCase } from '../n8n/operations.mts';
import { isObject, getObjects, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import { newAssistant, twoUsers } from '../../../sandbox/test/support/seed.mts';
import { contractOperations, type RequestValue, type Schema } from './contract.mts';

/** A seed of two users. Alice has a call and a lead with every field. */
export function seedWithCall(): { users: JsonObject[] } {
	const [alice = {}, ...users] = twoUsers().users;
	const [, ...others] = getObjects(alice.assistants);
	const call = {
		id: 1,
		assistant_id: 1,
		campaign_id: 2,
		type: 'outbound',
		status: 'completed',
		duration: 74,
		client_phone_number: '+4915112345611',
		answered_by: 'human',
		transcript: 'Assistant: Hello.',
		recording_url: '/recordings/call-1.wav',
		created_at: '2026-02-10 09:00:00',
	};
	const full = {
		...newAssistant,
		id: 1,
		phone_number_id: 1,
		tool_ids: [1],
		post_call_schema: [{ name: 'booked', type: 'bool', description: 'Whether it was booked' }],
	};
	const variables = { customer_name: 'Jane', email: 'jane@example.com' };
	const leads = getObjects(alice.leads).map((lead) => ({ ...lead, variables }));
	return { users: [{ ...alice, leads, calls: [call], assistants: [full, ...others] }, ...users] };
}

/** A value that is entered in another form than the request has. */
interface Converted {
	entered: unknown;
	sent: JsonObject;
}

const BEN = { customerName: 'Ben', email: 'ben@example.com' };
const CARLA = { customerName: 'Carla', email: 'carla@example.com' };

/** By the name that the field sends it under. */
const CONVERTED: Record<string, Converted> = {
	json: {
		entered: '{"campaign_id": "2", "date_to": "2026-03-01"}',
		sent: { campaign_id: '2', date_to: '2026-03-01' },
	},
	min_interrupt_words: {
		entered: 3,
		sent: { min_interrupt_words: 3, use_min_interrupt_words: true },
	},
	on_duplicate: { entered: 'fail', sent: { allow_dupplicate: false } },
	secondary_contacts: {
		entered: [
			{ phoneNumber: '+4915112345698', ...BEN, variables: '{"relation": "brother", "age": 40}' },
			{ phoneNumber: '+4915112345697', ...CARLA, variables: '{}' },
		],
		sent: {
			secondary_contacts: [
				{
					phone_number: '+4915112345698',
					variables: { customer_name: 'Ben', email: BEN.email, relation: 'brother', age: 40 },
				},
				{
					phone_number: '+4915112345697',
					variables: { customer_name: 'Carla', email: CARLA.email },
				},
			],
		},
	},
	tool_ids: { entered: [{ toolId: byId('2') }, { toolId: byId('1') }], sent: { tool_ids: [2, 1] } },
	variables: {
		entered: [
			{ name: 'city', value: 'Berlin' },
			{ name: 'zip', value: '01067' },
		],
		sent: { variables: { city: 'Berlin', zip: '01067' } },
	},
};

/** A valid value: the smallest number, and false, which are easily taken for nothing. */
function getValue({ examples, enum: choices, type, minimum = 1 }: Schema): unknown {
	const example = examples?.at(-1) ?? choices?.at(-1);
	if (example !== undefined) return example;
	const types = [type].flat();
	if (types.includes('boolean')) return false;
	return types.includes('string') ? 'Some text' : minimum;
}

/** A value for each name in a body, also for the entries of lists. The example of a query has all names. */
function getValues(requestValues: RequestValue[]): Map<string, unknown> {
	const values = new Map<string, unknown>();
	for (const { name, schema } of requestValues) {
		const [, path] = /^body\.([^*]+)$/.exec(name) ?? [];
		if (path === undefined) continue;
		const [list = '', field] = path.split('[].');
		if (field === undefined) {
			values.set(path, getValue(schema));
		} else {
			const [entry] = (values.get(list) ?? []) as JsonObject[];
			values.set(list, [{ ...entry, [field]: getValue(schema) }]);
		}
	}
	for (const [name, { entered }] of Object.entries(CONVERTED)) values.set(name, entered);
	return values;
}

/** `{a: {b: value}}` for `a.b`. */
const nested = (name: string, value: unknown): JsonObject =>
	name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as JsonObject;

const merged = (target: JsonObject, source: JsonObject): JsonObject => ({
	...target,
	...Object.fromEntries(
		Object.entries(source).map(([key, value]) => {
			const there = target[key];
			return [key, isObject(there) && isObject(value) ? merged(there, value) : value];
		}),
	),
});

/** Fills in all fields of an operation. */
function filled(operation: OperationCase): OperationCase {
	const { fields, parameters, request } = operation;
	const service = contractOperations.find(
		({ operationId }) => operationId === operation.operationId,
	);
	const values = getValues(service?.requestValues ?? []);
	let sent: JsonObject = {};
	for (const [name, value] of values) {
		const isOffered = Object.keys(enter(fields, new Map([[name, value]]))).length > 0;
		if (isOffered) sent = merged(sent, CONVERTED[name]?.sent ?? nested(name, value));
	}
	const all: INodeParameters = { ...parameters, ...enter(fields, values) };
	const { body, query } = request;
	const asText = Object.entries(sent).map(([name, value]) => [name, String(value)]);
	return {
		...operation,
		parameters: all,
		request: {
			...request,
			...(body && { body: merged(body, sent) as OperationCase['request']['body'] }),
			...(query && {
				query: { ...query, ...(Object.fromEntries(asText) as JsonObject) } as typeof query,
			}),
		},
	};
}

/** Every operation of the node with all of its fields, and the expected request. */
export const FILLED: OperationCase[] = OPERATIONS.map(filled);
