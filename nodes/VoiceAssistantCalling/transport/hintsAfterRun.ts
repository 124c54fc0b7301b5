import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { waitText } from '../../shared/client/retryAfter';
import type { HintAfterRun } from '../resources/operation';
import type { ItemDetails } from './itemErrorTexts';
import type { PauseReason } from './limiter';
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
	details: ItemDetails[];
}

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
	const counted = items.length === 1 ? '1 item was' : `${items.length} items were`;
	const parts = [
		`Dry Run: ${counted} checked, and nothing was sent for them.`,
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
	{ hintAfterRun, waitedMs, details }: RunSummary,
): NodeExecutionHint[] {
	const hints: NodeExecutionHint[] = [];
	const blocked = details.filter(({ isBlocked }) => isBlocked).length;
	if (blocked > 0) {
		const counted = blocked === 1 ? '1 item was' : `${blocked} items were`;
		hints.push({
			message: `Do Not Call: ${counted} not sent, because a phone number is on the list. The output names it.`,
			type: 'info',
			location: 'outputPane',
		});
	}
	const checked = dryRunSums(outcomes, details);
	if (checked) hints.push({ message: checked, type: 'info', location: 'outputPane' });
	const warning = hintAfterRun?.({
		outputs: outcomes.flatMap((outcome) =>
			outcome && 'items' in outcome ? outcome.items.map(({ json }) => json) : [],
		),
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
	});
	if (warning) hints.push({ message: warning, type: 'warning', location: 'outputPane' });
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
