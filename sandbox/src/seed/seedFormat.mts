import * as z from 'zod';

import { duration } from '../base/duration.mts';
import { voice } from '../contract/assumptionFormat.mts';
import { CALL_STATUSES, CALL_TYPES, LEAD_STATUSES } from '../contract/statuses.mts';
import { mix, scenarioDefinitions } from '../domain/call/scenarioFormat.mts';
import { ALL_TIMES, isTime } from '../domain/times.mts';
import type { Owned } from '../store/records.mts';
import type { State } from '../store/store.mts';
import type { Table } from '../store/table.mts';
import { isBuiltIn } from '../simulation/builtInScenarios.mts';
import { callChoices } from '../simulation/callChoices.mts';

/** Leaves room for the ids that follow. Above 2^53, numbers are no longer exact. */
const MAX_ID = 1_000_000_000_000_000;

/** The longest call, in seconds: a day. */
const MAX_CALL_DURATION = 24 * 60 * 60;

const id = z.number().int().min(1).max(MAX_ID).optional();
/** The id of another record; null where there is none. */
const reference = id.transform((value) => value ?? null);
const text = z.string().optional();
const name = z.string().min(1);
const price = z.number().min(0).finite().optional();
const time = name.refine(isTime, (text) => ({
	message: `"${text}" is not a time ${ALL_TIMES}. Write it as in "2030-01-31 12:00:00".`,
}));
const values = z.record(z.unknown()).optional();
const ago = duration.optional();

/**
 * The records of a user, by the field that lists them. The other fields of tools, assistants and leads
 * are those of a create request. A record refers only to records of the kinds before its own.
 */
export const recordFormats = {
	phone_numbers: z
		.object({
			id,
			phone_number: name,
			type: z.enum(['normal', 'sip', 'caller_id']).default('normal'),
			sms_capable: z.boolean().default(true),
			subscription_expires_at: time.nullable().default(null),
		})
		.strict(),
	tools: z.object({ id }).passthrough(),
	assistants: z
		.object({
			id,
			status: z.enum(['active', 'inactive']).optional(),
			inbound_webhook_url: name.nullable().optional(),
		})
		.passthrough(),
	campaigns: z
		.object({ id, name, assistant_id: reference, status: name.optional(), mix: mix.optional() })
		.strict(),
	leads: z
		.object({ id, status: z.enum(LEAD_STATUSES).optional(), ago, ...callChoices })
		.passthrough(),
	/** Calls of the past. Without times they were made when the sandbox was first started. */
	calls: z
		.object({
			id,
			assistant_id: reference,
			assistant_name: text,
			campaign_id: reference,
			campaign_name: text,
			lead_id: reference,
			type: z.enum(CALL_TYPES).optional(),
			status: z.enum(CALL_STATUSES).optional(),
			duration: z.number().int().min(0).max(MAX_CALL_DURATION).optional(),
			assistant_phone_number: text,
			client_phone_number: text,
			transcript: text,
			variables: values,
			evaluation: values,
			webhook_response: values,
			carrier_cost: price,
			total_cost: price,
			answered_by: z.enum(['human', 'machine', 'unknown']).optional(),
			recording_url: z.string().nullable().optional(),
			created_at: time.optional(),
			updated_at: time.optional(),
			/** Instead of `created_at`. */
			ago,
		})
		.strict(),
};

/** A field of a user that lists records. */
export type RecordKind = keyof typeof recordFormats;

export type SeedRecord<Kind extends RecordKind> = z.output<(typeof recordFormats)[Kind]>;

/** Where the records of a kind are stored. */
export const getTable = (state: State, kind: RecordKind): Table<Owned> =>
	(kind === 'phone_numbers' ? state.phoneNumbers : state[kind]) as object as Table<Owned>;

/** All kinds of records, in the order in which they are loaded. */
export const RECORD_KINDS = Object.keys(recordFormats) as RecordKind[];

const recordList = z.array(z.unknown()).optional();

/** A user, whose records are checked one by one. */
export const userFormat = z
	.object({
		token: z.string().regex(/^\S+$/, 'A token has no spaces, and at least one character.'),
		name: name.optional(),
		balance: z.number().finite().optional(),
		tool_quota: z.number().int().min(0).optional(),
		voices: z.array(voice).optional(),
		languages: z.array(name).optional(),
		...(Object.fromEntries(RECORD_KINDS.map((kind) => [kind, recordList])) as {
			[kind in RecordKind]: typeof recordList;
		}),
	})
	.strict();

export const scenariosFormat = scenarioDefinitions
	.superRefine((added, { addIssue }) => {
		for (const name of Object.keys(added).filter(isBuiltIn)) {
			const message = `The scenario ${name} is built in. Choose another name.`;
			addIssue({ code: 'custom', path: [name], message });
		}
	})
	.default({});

/** A seed, whose users are checked one by one. README.md describes it. */
export const seedFormat = z
	.object({ scenarios: scenariosFormat, users: z.array(z.unknown()).min(1) })
	.strict();
