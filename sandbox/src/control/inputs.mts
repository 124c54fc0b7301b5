import * as z from 'zod';

import { duration } from '../base/duration.mts';
import { callChoices } from '../simulation/callChoices.mts';
import { EVENT_KINDS, EVENT_LEVELS } from '../store/eventTable.mts';
import { CLOCK_MODES, MAX_SPEED } from '../runtime/clock.mts';

const id = z.number().int().min(1);
const text = z.string().min(1);

/** An id in a query. */
const idText = z.coerce.number().int().safe().min(1);

/** "a,b" of known words. */
const words = <Word extends string>(known: readonly [Word, ...Word[]]) =>
	text.transform((list) => list.split(',')).pipe(z.array(z.enum(known)));

/** How many records one answer has at most. Nobody else gets an answer while one is made. */
const MAX_RECORDS = 10_000;

const last = z.coerce.number().int().min(1).max(MAX_RECORDS);

/** What the control API takes, by what it is for. */
export const inputs = {
	/** `last`: how many of the newest; `before`: only those with smaller ids. */
	list: z.object({ last: last.default(MAX_RECORDS), before: idText.optional() }).strict(),
	/** With `secrets=1` only API tokens are hidden. */
	allRequests: z.object({ last: last.optional(), secrets: z.literal('1').optional() }).strict(),
	/** The requests by page; see WantedRequests. */
	requests: z
		.object({
			limit: z.coerce.number().int().min(1).max(500).default(50),
			before: idText.optional(),
			search: text.optional(),
			refused: z
				.enum(['true', 'false'])
				.transform((word) => word === 'true')
				.optional(),
		})
		.strict(),
	/** The timeline; see WantedEvents. */
	events: z
		.object({
			limit: z.coerce.number().int().min(1).max(1000).default(100),
			before: idText.optional(),
			after: z.coerce.number().int().min(0).optional(),
			kind: words(EVENT_KINDS).optional(),
			level: words(EVENT_LEVELS).optional(),
			search: text.optional(),
			assistant_id: idText.optional(),
			campaign_id: idText.optional(),
			lead_id: idText.optional(),
			call_id: idText.optional(),
		})
		.strict(),
	nothing: z.object({}).strict(),
	inboundCall: z.object({ assistant_id: id, from: text, ...callChoices }).strict(),
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
