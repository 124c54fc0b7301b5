import * as z from 'zod';

import { duration } from '../base/duration.mts';
import { id as queriedId, text } from '../base/queryFields.mts';
import { callChoices } from '../simulation/callChoices.mts';
import { CLOCK_MODES, MAX_SPEED } from '../runtime/clock.mts';

const id = z.number().int().min(1);

/** How many records one answer has at most. Nobody else gets an answer while one is made. */
const MAX_RECORDS = 10_000;

/** It is a part of a path. */
const snapshotName = z.string().regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u, {
	message: 'A name has up to 60 letters and digits; between them may be spaces, dots, _ and -.',
});

const last = z.coerce.number().int().min(1).max(MAX_RECORDS).default(MAX_RECORDS);
const secrets = z.literal('1').optional();

/** What the control API takes, by what it is for. */
export const inputs = {
	/** `last`: how many of the newest; `before`: only those with smaller ids. */
	list: z.object({ last, before: queriedId.optional() }).strict(),
	/** With `secrets=1` only API tokens are hidden. */
	allRequests: z.object({ last, secrets }).strict(),
	/** With `secrets=1` a record shows its tokens. */
	record: z.object({ secrets }).strict(),
	nothing: z.object({}).strict(),
	snapshot: z.object({ name: snapshotName }).strict(),
	/** Without `from`, the number is suppressed. */
	inboundCall: z.object({ assistant_id: id, from: text.optional(), ...callChoices }).strict(),
	outboundCall: z
		.object({ assistant_id: id, to: text, lead_id: id.optional(), ...callChoices })
		.strict(),
	clock: z
		.object({
			mode: z.enum(CLOCK_MODES).optional(),
			speed: z.number().positive().max(MAX_SPEED).optional(),
			/** Milliseconds. */
			advance: duration.optional(),
			/** Instead of `advance`. */
			until_idle: z.literal(true).optional(),
		})
		.strict()
		.refine(({ advance, until_idle: untilIdle }) => advance === undefined || !untilIdle, {
			path: ['until_idle'],
			message: 'The clock advances by a duration or until nothing is due, not both.',
		}),
};
