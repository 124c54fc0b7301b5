import { Ajv2020 } from 'ajv/dist/2020.js';

import {
	CALL_STATUSES,
	LEAD_STATUSES,
	type Assistant,
	type Call,
	type Lead,
	type User,
} from '../store/records.mts';
import { BadInput } from '../base/invalidInput.mts';
import { SCENARIO_NAMES } from '../simulation/scenarios.mts';

/** What a new sandbox begins with. README.md describes it to people. */
export interface Seed {
	users: SeedUser[];
}

/** A record whose fields are those of a create request; the contract checks them. */
interface CreateFields {
	[field: string]: unknown;
}

export interface SeedUser {
	token: string;
	balance?: number;
	tool_quota?: number;
	voices?: User['voices'];
	languages?: string[];
	phone_numbers?: Array<{
		id?: number;
		phone_number: string;
		sms_capable: boolean;
		subscription_expires_at: string | null;
	}>;
	campaigns?: Array<{ id?: number; name: string; assistant_id?: number; status?: string }>;
	assistants?: Array<
		CreateFields & Partial<Pick<Assistant, 'id' | 'status' | 'inbound_webhook_url'>>
	>;
	tools?: Array<CreateFields & { id?: number }>;
	leads?: Array<CreateFields & Partial<Pick<Lead, 'id' | 'status' | 'scenario'>>>;
	calls?: SeedCall[];
}

/** A call of the past. Without times it was made when the sandbox was first started. */
export interface SeedCall extends Partial<
	Pick<
		Call,
		| 'id'
		| 'assistant_name'
		| 'campaign_name'
		| 'type'
		| 'status'
		| 'duration'
		| 'assistant_phone_number'
		| 'client_phone_number'
		| 'transcript'
		| 'variables'
		| 'evaluation'
		| 'webhook_response'
		| 'carrier_cost'
		| 'total_cost'
		| 'answered_by'
		| 'recording_url'
	>
> {
	assistant_id?: number;
	campaign_id?: number;
	lead_id?: number;
	created_at?: string;
	updated_at?: string;
	/** How long ago it was made (ISO 8601 duration), instead of `created_at`. */
	ago?: string;
}

const id = { type: 'integer', minimum: 1 };
const text = { type: 'string' };
const name = { type: 'string', minLength: 1 };
const number = { type: 'number', minimum: 0 };
const object = { type: 'object' };
const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const list = (required: string[], properties: object, additionalProperties = false) => ({
	type: 'array',
	items: { type: 'object', additionalProperties, required, properties },
});

const ajv = new Ajv2020({ useDefaults: true });
const isSeed = ajv.compile<Seed>({
	type: 'object',
	additionalProperties: false,
	required: ['users'],
	properties: {
		users: {
			minItems: 1,
			...list(['token'], {
				token: { type: 'string', pattern: '^\\S+$' },
				balance: { type: 'number' },
				tool_quota: { type: 'integer', minimum: 0 },
				voices: list(['id', 'name'], { id, name }),
				languages: { type: 'array', items: name },
				phone_numbers: list(['phone_number'], {
					id,
					phone_number: name,
					sms_capable: { type: 'boolean', default: true },
					subscription_expires_at: { default: null, anyOf: [name, { type: 'null' }] },
				}),
				campaigns: list(['name'], { id, name, assistant_id: id, status: name }),
				assistants: list(
					[],
					{ id, status: { enum: ['active', 'inactive'] }, inbound_webhook_url: nullable(name) },
					true,
				),
				tools: list([], { id }, true),
				leads: list(
					[],
					{ id, status: { enum: LEAD_STATUSES }, scenario: { enum: SCENARIO_NAMES } },
					true,
				),
				calls: list([], {
					id,
					assistant_id: id,
					assistant_name: text,
					campaign_id: id,
					campaign_name: text,
					lead_id: id,
					type: { enum: ['inbound', 'outbound', 'web'] },
					status: { enum: CALL_STATUSES },
					duration: { type: 'integer', minimum: 0 },
					assistant_phone_number: text,
					client_phone_number: text,
					transcript: text,
					variables: object,
					evaluation: object,
					webhook_response: object,
					carrier_cost: number,
					total_cost: number,
					answered_by: { enum: ['human', 'machine', 'unknown'] },
					recording_url: nullable(text),
					created_at: name,
					updated_at: name,
					ago: name,
				}),
			}),
		},
	},
});

/**
 * Takes a seed as it was read from a file or given to createSandbox, and fills in its defaults.
 * @throws {BadInput} in words, when it has not the format
 */
export function readSeed(value: unknown): Seed {
	const seed = structuredClone(value);
	if (isSeed(seed)) return seed;
	const [error] = isSeed.errors ?? [];
	const place = error?.instancePath.slice(1).replaceAll('/', '.') || 'the file';
	const { additionalProperty: extra }: { additionalProperty?: string } = error?.params ?? {};
	const what = extra === undefined ? error?.message : `has an unknown field "${extra}"`;
	throw new BadInput(`The seed is not right: ${place} ${what}.`);
}
