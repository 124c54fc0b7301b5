import * as z from 'zod';

import { duration } from '../base/duration.mts';
import { callChoices, requireToolScenario } from '../simulation/callChoices.mts';
import { CLOCK_MODES } from '../runtime/clock.mts';

/** The longest delay of a fault, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/** What HTTP allows in a header (RFC 9110, section 5). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const id = z.number().int().min(1);
const text = z.string().min(1);

/** What the control API takes, by what it is for. */
export const inputs = {
	/** `last`: how many of the newest; all when left out. */
	list: z.object({ last: z.coerce.number().int().min(1).optional() }).strict(),
	nothing: z.object({}).strict(),
	inboundCall: z
		.object({ assistant_id: id, from: text, ...callChoices })
		.strict()
		.superRefine(requireToolScenario),
	outboundCall: z
		.object({ assistant_id: id, to: text, lead_id: id.optional(), ...callChoices })
		.strict()
		.superRefine(requireToolScenario),
	clock: z
		.object({
			mode: z.enum(CLOCK_MODES).optional(),
			speed: z.number().positive().finite().optional(),
			/** Milliseconds. */
			advance: duration.optional(),
		})
		.strict(),
	fault: z
		.object({
			operation: text.optional(),
			status: z.number().int().min(200).max(599).optional(),
			body: z.unknown(),
			headers: z
				.record(
					z.string().regex(HEADER_NAME, 'This is not the name of a header.'),
					z.string().regex(HEADER_VALUE, 'This is not the value of a header.'),
				)
				.optional(),
			delay_ms: z.number().int().min(0).max(MAX_DELAY_MS).optional(),
			drop: z
				.union([z.boolean(), z.enum(['before', 'after'])], {
					errorMap: () => ({ message: 'Expected true, false, "before" or "after".' }),
				})
				.optional(),
			probability: z.number().positive().max(1).optional(),
			times: z.number().int().min(1).default(1),
		})
		.strict(),
};
