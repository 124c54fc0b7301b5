import * as z from 'zod';

import { checkInput } from '../base/checkInput.mts';
import { duration } from '../base/duration.mts';
import { CALL_STATUSES, LEAD_STATUSES } from '../contract/statuses.mts';
import { callChoices, requireToolScenario } from '../simulation/callChoices.mts';

const id = z.number().int().min(1).optional();
const text = z.string().optional();
const name = z.string().min(1);
const price = z.number().min(0).finite().optional();
const values = z.record(z.unknown()).optional();

/** A call of the past. Without times it was made when the sandbox was first started. */
const call = z
	.object({
		id,
		assistant_id: id,
		assistant_name: text,
		campaign_id: id,
		campaign_name: text,
		lead_id: id,
		type: z.enum(['inbound', 'outbound', 'web']).optional(),
		status: z.enum(CALL_STATUSES).optional(),
		duration: z.number().int().min(0).optional(),
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
		created_at: name.optional(),
		updated_at: name.optional(),
		/** How long ago it was made, instead of `created_at`. */
		ago: duration.optional(),
	})
	.strict();

/** The other fields of assistants, tools and leads are those of a create request. */
const user = z
	.object({
		token: z.string().regex(/^\S+$/, 'A token has no spaces, and at least one character.'),
		balance: z.number().finite().optional(),
		tool_quota: z.number().int().min(0).optional(),
		voices: z.array(z.object({ id: z.number().int().min(1), name }).strict()).optional(),
		languages: z.array(name).optional(),
		phone_numbers: z
			.array(
				z
					.object({
						id,
						phone_number: name,
						sms_capable: z.boolean().default(true),
						subscription_expires_at: name.nullable().default(null),
					})
					.strict(),
			)
			.optional(),
		campaigns: z
			.array(z.object({ id, name, assistant_id: id, status: name.optional() }).strict())
			.optional(),
		assistants: z
			.array(
				z
					.object({
						id,
						status: z.enum(['active', 'inactive']).optional(),
						inbound_webhook_url: name.nullable().optional(),
					})
					.passthrough(),
			)
			.optional(),
		tools: z.array(z.object({ id }).passthrough()).optional(),
		leads: z
			.array(
				z
					.object({
						id,
						status: z.enum(LEAD_STATUSES).optional(),
						...callChoices,
					})
					.passthrough()
					.superRefine(requireToolScenario),
			)
			.optional(),
		calls: z.array(call).optional(),
	})
	.strict();

const seed = z.object({ users: z.array(user).min(1) }).strict();

/** What a new sandbox begins with. README.md describes it. */
export type Seed = z.output<typeof seed>;
export type SeedUser = Seed['users'][number];
export type SeedCall = z.output<typeof call>;

/**
 * Reads a seed that came from a file or from createSandbox, and fills in its defaults.
 *
 * @throws {InvalidInput} with every field that does not fit the format
 */
export const readSeed = (value: unknown): Seed => checkInput(seed, value, 'The seed is invalid');
