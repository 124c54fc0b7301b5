import * as z from 'zod';

import type { FieldErrors } from '../base/apiError.mts';
import type { AssistantSettings, Variables } from '../store/records.mts';
import type { Scenarios } from '../domain/call/scenarios.mts';
import { fitsField } from './collectedValues.mts';

/** What can be chosen about a call, in a seed and in a request to the control API. */
export const callChoices = {
	scenario: z
		.string()
		.min(1)
		.optional()
		.describe(
			'How the call goes: a name from GET /scenarios. Otherwise the lead, the phone number or the campaign decides.',
		),
	tool: z
		.object({
			name: z
				.string()
				.min(1)
				.optional()
				.describe('Its name. Otherwise the tool of the assistant with the fewest parameters.'),
			arguments: z
				.record(z.unknown())
				.optional()
				.describe('What the assistant sends to it. Otherwise the sandbox makes up what fits.'),
		})
		.strict()
		.optional()
		.describe('The mid call tool that the assistant uses, in a scenario with one.'),
	values: z
		.record(z.union([z.string(), z.number().finite(), z.boolean()]))
		.optional()
		.describe('What the assistant finds out, by the names of its post_call_schema.'),
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
