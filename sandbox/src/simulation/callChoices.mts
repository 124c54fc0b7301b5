import * as z from 'zod';

import { SCENARIO_NAMES, TOOL_CALL } from './scenarios.mts';

/** What can be chosen about a call, in a seed and in a request to the control API. */
export const callChoices = {
	scenario: z.enum(SCENARIO_NAMES).optional(),
	tool: z
		.object({
			name: z.string().min(1).optional(),
			arguments: z.record(z.unknown()).optional(),
		})
		.strict()
		.optional(),
};

/** Refuses a tool together with a scenario that calls none. */
export function requireToolScenario(
	{ scenario = TOOL_CALL, tool }: { scenario?: string | undefined; tool?: unknown },
	{ addIssue }: z.RefinementCtx,
): void {
	if (tool === undefined || scenario === TOOL_CALL) return;
	addIssue({
		code: 'custom',
		path: ['tool'],
		message: `The scenario ${scenario} calls no tool. Leave out one of the two fields.`,
	});
}
