import * as z from 'zod';

import { durationText } from '../../base/duration.mts';
import { CALL_STATUSES } from '../../contract/statuses.mts';

/** What a transcript tells, and whether the customer says the values of the `post_call_schema` in it. */
export const TRANSCRIPT_KINDS = {
	conversation: { collects: true, goal_reached: true, score: [6, 10] },
	'long-conversation': { collects: true, goal_reached: true, score: [7, 10] },
	transfer: { collects: true, goal_reached: false, score: [4, 7] },
	'hang-up': { collects: false, goal_reached: false, score: [1, 3] },
	mailbox: { collects: false, goal_reached: false, score: [0, 0] },
} as const;

export type TranscriptKind = keyof typeof TRANSCRIPT_KINDS;

/** How far a call is; no step goes back (assumptions: call-timeline). */
const PROGRESS: { [status: string]: number } = { initiated: 0, ringing: 1, 'in-progress': 2 };
const IN_PROGRESS = 2;
const UNANSWERED_ENDS = ['busy', 'no-answer', 'failed'];

const step = z
	.object({
		/** Since the step before, ISO 8601. */
		after: durationText,
		status: z.enum(CALL_STATUSES),
		/** The assistant calls a tool. The next step counts from the end of the tool's answer. */
		calls_tool: z.literal(true).optional(),
	})
	.strict();

export type Step = z.output<typeof step>;

const scenario = z
	.object({
		/** In plain words, without a full stop. */
		title: z.string().min(1).optional(),
		description: z.string().min(1).default('A scenario of the seed file.'),
		steps: z.array(step).min(1).superRefine(requireLegalSteps),
		/** Who answers, when somebody does. */
		answered_by: z.enum(['human', 'machine', 'unknown']).default('human'),
		transcript: z
			.enum(Object.keys(TRANSCRIPT_KINDS) as [TranscriptKind, ...TranscriptKind[]])
			.default('conversation'),
		/** Who ends the conversation; both say goodbye when left out. */
		ended_by: z.enum(['customer', 'assistant']).optional(),
		/** Calls with numbers that end in these digits go like this, unless another scenario is chosen. */
		number_ending: z
			.string()
			.regex(/^\d{3,10}$/, 'Write three to ten digits, in quotes.')
			.optional(),
	})
	.strict();

export type Scenario = z.output<typeof scenario>;

export const scenarioDefinitions = z.record(
	z.string().regex(/^[\w-]{1,50}$/, 'A name has letters, digits, - and _, at most 50.'),
	scenario,
);

export type ScenarioDefinitions = z.output<typeof scenarioDefinitions>;

/** A {@link Mix} in an input. */
export const mix = z
	.record(z.number().min(0, 'A weight is 0 or more.').finite())
	.refine(
		(weights) => Object.values(weights).some((weight) => weight > 0),
		'At least one weight must be above 0.',
	);

/** Refuses steps that the statuses of a call do not allow. */
function requireLegalSteps(steps: Step[], { addIssue }: z.RefinementCtx): void {
	let progress = 0;
	steps.forEach(({ status, calls_tool: callsTool }, index) => {
		const refuse = (message: string): void =>
			addIssue({ code: 'custom', path: [index, 'status'], message });
		const isLast = index === steps.length - 1;
		const next = PROGRESS[status];
		if (callsTool && status !== 'in-progress') {
			refuse('A tool can only be called in a step with the status in-progress.');
		} else if (next === undefined) {
			const isAnswered = progress === IN_PROGRESS;
			if (!isLast) refuse(`A call is over with ${status}: it must be the last step.`);
			else if (isAnswered === UNANSWERED_ENDS.includes(status)) {
				refuse(
					isAnswered
						? `A call that is in-progress cannot become ${status}.`
						: `A call must be in-progress before it becomes ${status}.`,
				);
			}
		} else {
			if (isLast) refuse(`The last step must end the call, and ${status} does not.`);
			else if (next < progress || next > progress + 1 || (next === progress && !callsTool)) {
				refuse(`${status} cannot follow here: initiated, ringing, in-progress, then the end.`);
			}
			progress = next;
		}
	});
}
