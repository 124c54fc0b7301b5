import * as z from 'zod';

import { duration } from '../base/duration.mts';
import { id as queriedId, text } from '../base/queryFields.mts';
import { callChoices } from '../simulation/callChoices.mts';
import { CLOCK_MODES, MAX_SPEED } from '../runtime/clock.mts';
import { MAX_SCALE, WEATHERS } from '../weather/names.mts';

const id = z.number().int().min(1);

/** How many records one answer has at most. Nobody else gets an answer while one is made. */
const MAX_RECORDS = 10_000;

/** It is a part of a path. */
const snapshotName = z.string().regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u, {
	message: 'A name has up to 60 letters and digits; between them may be spaces, dots, _ and -.',
});

const last = z.coerce
	.number()
	.int()
	.min(1)
	.max(MAX_RECORDS)
	.default(MAX_RECORDS)
	.describe('How many of the newest.');
const secrets = z.literal('1').optional();

const assistantId = id.describe('The assistant that takes part in the call.');

/** What the control API takes, by what it is for. */
export const inputs = {
	list: z
		.object({ last, before: queriedId.optional().describe('Only those with smaller IDs.') })
		.strict(),
	allRequests: z
		.object({ last, secrets: secrets.describe('Shows all secrets except API tokens.') })
		.strict(),
	record: z.object({ secrets: secrets.describe('Shows the tokens of the record.') }).strict(),
	nothing: z.object({}).strict(),
	snapshot: z.object({ name: snapshotName.describe('The name of the snapshot.') }).strict(),
	inboundCall: z
		.object({
			assistant_id: assistantId,
			from: text.optional().describe('Who calls; without it, the number is suppressed.'),
			...callChoices,
		})
		.strict(),
	outboundCall: z
		.object({
			assistant_id: assistantId,
			to: text.describe('Who is called.'),
			lead_id: id.optional().describe('The lead whom the call is for.'),
			...callChoices,
		})
		.strict(),
	weather: z
		.object({
			weather: z.enum(WEATHERS).describe('The weather from now on.'),
			scale: z
				.number()
				.positive()
				.max(MAX_SCALE)
				.optional()
				.describe('The factor of its times; 0.1 is ten times as fast.'),
		})
		.strict(),
	clock: z
		.object({
			mode: z.enum(CLOCK_MODES).optional().describe('How the clock goes by itself.'),
			speed: z
				.number()
				.positive()
				.max(MAX_SPEED)
				.optional()
				.describe('How many times faster an accelerated clock goes.'),
			advance: duration.optional().describe('By how much it moves at once (ISO 8601).'),
			until_idle: z
				.literal(true)
				.optional()
				.describe('Moves it until nothing is due any more, instead of advance.'),
		})
		.strict()
		.refine(({ advance, until_idle: untilIdle }) => advance === undefined || !untilIdle, {
			path: ['until_idle'],
			message: 'The clock advances by a duration or until nothing is due, not both.',
		}),
};
