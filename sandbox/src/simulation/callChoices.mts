import * as z from 'zod';

import type { FieldErrors } from '../base/apiError.mts';
import type { AssistantSettings, Variables } from '../store/records.mts';
import type { Scenarios } from '../domain/call/scenarios.mts';
import { fitsField } from './collectedValues.mts';

/** What can be chosen about a call, in a seed and in a request to the control API. */
export const callChoices = {
	scenario: z.string().min(1).optional(),
	tool: z
		.object({
			name: z.string().min(1).optional(),
			arguments: z.record(z.unknown()).optional(),
		})
		.strict()
		.optional(),
	/** What the assistant finds out, by the names of its `post_call_schema`. */
	values: z.record(z.union([z.string(), z.number().finite(), z.boolean()])).optional(),
};

interface CallChoice {
	scenario?: string | undefined;
	tool?: unknown;
	values?: unknown;
}

/** What does not fit in a choice, by field: an unknown scenario, or one that uses no tool or values. */
export function choiceErrors(
	scenarios: Scenarios,
	{ scenario, tool, values }: CallChoice,
): FieldErrors {
	if (scenario === undefined) return {};
	const unknown = scenarios.unknownScenario(scenario);
	if (unknown !== undefined) return { scenario: [unknown] };
	const hint = 'Leave out one of the two fields.';
	return {
		...(tool !== undefined &&
			!scenarios.callsTool(scenario) && {
				tool: [`The scenario ${scenario} calls no tool. ${hint}`],
			}),
		...(values !== undefined &&
			!scenarios.collectsValues(scenario) && {
				values: [`In the scenario ${scenario} the assistant finds out nothing. ${hint}`],
			}),
	};
}

/** Which of the chosen values the assistant does not collect, or not in this type. */
export function valueErrors(
	{ post_call_schema: fields }: Pick<AssistantSettings, 'post_call_schema'>,
	values: Variables = {},
): FieldErrors {
	const known = fields.map(({ name }) => name).join(', ') || 'nothing';
	return Object.fromEntries(
		Object.entries(values).flatMap(([name, value]): Array<[string, string[]]> => {
			const field = fields.find((one) => one.name === name);
			if (!field) {
				const message = `The assistant collects no value "${name}". Its post_call_schema has: ${known}.`;
				return [[`values.${name}`, [message]]];
			}
			if (fitsField(field, value)) return [];
			return [[`values.${name}`, [`Expected a value of the type ${field.type}.`]]];
		}),
	);
}
