import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { waitText } from '../../shared/client/pauseAfterRefusal';
import type { HintAfterRun } from '../resources/operation';
import type { PauseReason } from './accountPace';
import { itemsWere } from './heldBack';
import type { ItemDetails } from './itemErrorTexts';
import type { ItemOutcome } from './runItems';
import type { StepHint } from './steps/step';

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
	hints: StepHint[];
	details: ItemDetails[];
}

/** Nobody reads more. */
const MAX_WARNINGS = 5;

/** Hints about items that were not sent. */
function heldBackHints(details: ItemDetails[]): NodeExecutionHint[] {
	const counts = new Map<(items: string) => string, number>();
	for (const { heldBack } of details) {
		for (const text of heldBack?.hints ?? []) counts.set(text, (counts.get(text) ?? 0) + 1);
	}
	return [...counts].map(([text, count]) => ({
		message: text(itemsWere(count)),
		type: 'info',
		location: 'outputPane',
	}));
}

/**
 * Makes the hints that n8n shows above the output of a run.
 *
 * @param outcomes how each item ended
 */
export function hintsAfterRun(
	context: Pick<IExecuteFunctions, 'getWorkflowDataProxy'>,
	outcomes: ItemOutcome[],
	{ hintAfterRun, waitedMs, hints: found, details }: RunSummary,
): NodeExecutionHint[] {
	const hints = heldBackHints(details);
	const messages = (type: StepHint['type']) =>
		found.filter((hint) => hint.type === type).map(({ message }) => message);
	for (const message of messages('info')) {
		hints.push({ message, type: 'info', location: 'outputPane' });
	}
	const ofOperation = hintAfterRun?.({
		outputs: outcomes.flatMap((outcome) =>
			outcome && 'items' in outcome ? outcome.items.map(({ json }) => json) : [],
		),
		runIndex: Number(context.getWorkflowDataProxy(0).$runIndex),
	});
	for (const message of [ofOperation ?? [], ...new Set(messages('warning'))]
		.flat()
		.slice(0, MAX_WARNINGS)) {
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
