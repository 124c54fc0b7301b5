import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { invalid } from '../base/response.mts';
import { SCENARIO_NAMES } from '../simulation/scenarios.mts';
import type { FaultRule } from '../http/faults.mts';
import { sentences } from '../contract/validationMessages.mts';
import { CLOCK_MODES, type ClockMode } from '../runtime/clock.mts';

/** A fault may hold a request up for so long (milliseconds). */
const MAX_DELAY_MS = 60_000;

/** What HTTP allows in a header (RFC 9110, section 5). */
const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
const HEADER_VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';

export interface ListQuery {
	/** So many of the last; all when left out. */
	last?: number;
}

export interface InboundCall {
	assistant_id: number;
	from: string;
	scenario?: string;
}

export interface OutboundCall {
	assistant_id: number;
	to: string;
	lead_id?: number;
	scenario?: string;
}

export interface ClockChange {
	mode?: ClockMode;
	speed?: number;
	advance?: string;
}

const ajv = new Ajv2020({
	allErrors: true,
	verbose: true,
	useDefaults: true,
	allowUnionTypes: true,
});

/** A query is text: what looks like a number is read as one. */
const queryAjv = new Ajv2020({ allErrors: true, verbose: true, coerceTypes: true });

const id = { type: 'integer', minimum: 1 };
const scenario = { enum: SCENARIO_NAMES };
const text = { type: 'string', minLength: 1 };

const strictObject = (required: string[], properties: object) => ({
	type: 'object',
	additionalProperties: false,
	required,
	properties,
});

const compile = <Input,>(required: string[], properties: object): ValidateFunction<Input> =>
	ajv.compile<Input>(strictObject(required, properties));

/** What the control API takes, by what it is for. */
export const inputs = {
	list: queryAjv.compile<ListQuery>(strictObject([], { last: { type: 'integer', minimum: 1 } })),
	nothing: compile<object>([], {}),
	inboundCall: compile<InboundCall>(['assistant_id', 'from'], {
		assistant_id: id,
		from: text,
		scenario,
	}),
	outboundCall: compile<OutboundCall>(['assistant_id', 'to'], {
		assistant_id: id,
		to: text,
		lead_id: id,
		scenario,
	}),
	clock: compile<ClockChange>([], {
		mode: { enum: CLOCK_MODES },
		speed: { type: 'number', exclusiveMinimum: 0 },
		advance: text,
	}),
	fault: compile<FaultRule>([], {
		operation: text,
		status: { type: 'integer', minimum: 200, maximum: 599 },
		body: {},
		headers: {
			type: 'object',
			propertyNames: { pattern: HEADER_NAME },
			additionalProperties: { type: 'string', pattern: HEADER_VALUE },
		},
		delay_ms: { type: 'integer', minimum: 0, maximum: MAX_DELAY_MS },
		drop: { enum: [true, false, 'before', 'after'] },
		probability: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
		times: { type: 'integer', minimum: 1, default: 1 },
	}),
};

/**
 * The input, if it is what the schema says.
 * @throws {Refusal} 422 with sentences by field
 */
export function accept<Input>(validate: ValidateFunction<Input>, input: unknown): Input {
	if (validate(input)) return input;
	const errors = (validate.errors ?? []).map((error) => ({
		...error,
		// The sentences name fields of a request, where they stand under a first name.
		instancePath: `/control${error.instancePath}`,
	}));
	throw invalid(sentences('control', errors), 'The sandbox cannot do that.');
}
