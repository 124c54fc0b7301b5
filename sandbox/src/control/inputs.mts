import * as z from 'zod';

import { invalidFields } from '../base/apiError.mts';
import { checkInput, InputErrors } from '../base/checkInput.mts';
import { duration } from '../base/duration.mts';
import { SCENARIO_NAMES } from '../simulation/scenarios.mts';
import { CLOCK_MODES } from '../runtime/clock.mts';

/** The longest delay of a fault, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/** What HTTP allows in a header (RFC 9110, section 5). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const id = z.number().int().min(1);
const text = z.string().min(1);
const scenario = z.enum(SCENARIO_NAMES).optional();

/** What the control API takes, by what it is for. */
export const inputs = {
	/** So many of the last; all when left out. */
	list: z.object({ last: z.coerce.number().int().min(1).optional() }).strict(),
	nothing: z.object({}).strict(),
	inboundCall: z.object({ assistant_id: id, from: text, scenario }).strict(),
	outboundCall: z.object({ assistant_id: id, to: text, lead_id: id.optional(), scenario }).strict(),
	clock: z
		.object({
			mode: z.enum(CLOCK_MODES).optional(),
			speed: z.number().positive().optional(),
			/** Milliseconds. */
			advance: duration.optional(),
		})
		.strict(),
	fault: z
		.object({
			operation: text.optional(),
			status: z.number().int().min(200).max(599).optional(),
			body: z.unknown(),
			headers: z.record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE)).optional(),
			delay_ms: z.number().int().min(0).max(MAX_DELAY_MS).optional(),
			drop: z.union([z.boolean(), z.enum(['before', 'after'])]).optional(),
			probability: z.number().positive().max(1).optional(),
			times: z.number().int().min(1).default(1),
		})
		.strict(),
};

/**
 * Reads an input of the control API.
 *
 * @throws {ApiError} 422 with messages by field
 */
export function readInput<Schema extends z.ZodTypeAny>(
	schema: Schema,
	input: unknown,
): z.output<Schema> {
	try {
		return checkInput(schema, input);
	} catch (error) {
		if (!(error instanceof InputErrors)) throw error;
		throw invalidFields(error.errors, 'The sandbox cannot do that.');
	}
}
