import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { waitText } from '../../shared/client/retryAfter';
import type { HintAfterRun } from '../resources/operation';
import type { ItemDetails } from './itemErrorTexts';
import type { PauseReason } from './accountPace';
import { refusalReason } from './phoneNumberProblems';
import type { Outcome } from './runItems';

/** A shorter wait needs no explanation. */
const NOTICEABLE_MS = 1_000;

/** A longer pause is not told in seconds. */
const LONG_MS = 120_000;

/** What the service did, with the length of the pause. */
const PAUSES: Record<PauseReason, (pause: string) => string> = {
	'rate limit': (pause) =>
		`The run waited ${pause} in total, because the service limits how many requests it takes. Nothing was lost. Do not start several large runs of one account at the same time.`,
	maintenance: (pause) =>
		`The run waited ${pause} in total, because the service was not available.`,
};

/** What the hints need of a run, beside its outcomes. */
interface RunSummary {
	/** Of the operation, if it has one. */
	hintAfterRun: HintAfterRun | undefined;
	/** How long the run waited for the service, by the reason. */
	waitedMs: Record<PauseReason, number>;
	/** What is to be said of the run as a whole. */
	warnings: string[];
	details: ItemDetails[];
}

/** Nobody reads more. */
const MAX_WARNINGS = 5;

const itemsWere = (count: number): string => (count === 1 ? '1 item was' : `${count} items were`);

/** What is said of items that were not sent, or were sent once more, with their number. */
const HELD_BACK: Array<[keyof ItemDetails, (items: string) => string]> = [
	[
		'isBlocked',
		(items) =>
			`Do Not Call: ${items} not sent, because a phone number is on the list, or cannot be compared with it. The output says which one.`,
	],
	[
		'isDoneBefore',
		(items) =>
			`Only Once Per: ${items} not sent, because this node has sent the same value before.`,
	],
	[
		'isRepeated',
		(items) =>
			`Retry: ${items} not sent again, because that was done in the execution that failed, or in another Retry of it. Each ends as it ended there.`,
	],
	[
		'isChanged',
		(items) =>
			`Retry: ${items} reached before, with other values, and not sent again. To send them with the values of now, start a new execution.`,
	],
];

/** Hints about items that were not sent, or were sent once more. */
const heldBackHints = (details: ItemDetails[]): NodeExecutionHint[] =>
	HELD_BACK.flatMap(([flag, text]) => {
		const count = details.filter((item) => item[flag]).length;
		if (count === 0) return [];
		return [{ message: text(itemsWere(count)), type: 'info', location: 'outputPane' }];
	});

/** What a dry run found out, in numbers; undefined when no item was one. */
function dryRunSums(outcomes: Outcome[], details: ItemDetails[]): string | undefined {
	const items = details.flatMap((each, item) =>
		each.isDryRun && !each.isBlocked
			? [{ isFailed: 'error' in (outcomes[item] ?? {}), reason: refusalReason(each) }]
			: [],
	);
	if (items.length === 0) return undefined;
	const failed = items.filter(({ isFailed }) => isFailed).length;
	const refused = items.filter(({ isFailed, reason }) => !isFailed && reason).length;
	const parts = [
		`Dry Run: ${itemsWere(items.length)} checked, and nothing was sent for them.`,
		...(refused > 0
			? [
					`Would be sent: ${items.length - refused - failed}.`,
					`Would probably be refused: ${refused}, and 'reason' says why.`,
				]
			: []),
		...(failed > 0 ? [`Failed: ${failed}.`] : []),
		refused + failed > 0
			? "Correct what is wrong before you remove 'Dry Run'."
			: "Remove 'Dry Run' to send them.",
	];
	return parts.join(' ');
}

/**
 * Makes the hints that n8n shows above the output of a run.
 *
 * @param outcomes how each item ended
 */
export function hintsAfterRun(
	context: Pick<IExecuteFunctions, 'getWorkflowDataProxy'>,
	outcomes: Outcome[],
	{ hintAfterRun, waitedMs, warnings, details }: RunSummary,
): NodeExecutionHint[] {
	const hints = heldBackHints(details);
	const checked = dryRunSums(outcomes, details);
	if (checked) hints.push({ message: checked, type: 'info', location: 'outputPane' });
	const ofOperation = hintAfterRun?.({
		outputs: outcomes.flatMap((outcome) =>
			outcome && 'items' in outcome ? outcome.items.map(({ json }) => json) : [],
		),
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
	});
	for (const message of [ofOperation ?? [], ...new Set(warnings)].flat().slice(0, MAX_WARNINGS)) {
		hints.push({ message, type: 'warning', location: 'outputPane' });
	}
	for (const [reason, ms] of Object.entries(waitedMs) as Array<[PauseReason, number]>) {
		if (ms < NOTICEABLE_MS) continue;
		const pause = ms > LONG_MS ? waitText(ms) : `${Math.round(ms / 1_000)} s`;
		hints.push({
			message: PAUSES[reason](pause),
			type: 'info',
			location: 'outputPane',
		});
	}
	return hints;
}
