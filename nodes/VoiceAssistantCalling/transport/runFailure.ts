import { NodeApiError, type INode } from 'n8n-workflow';

import { errorTexts, getFailureKind, type FailureKind, type ItemDetails } from './itemErrorTexts';
import type { ItemOutcome } from './runItems';

/** A failed item. */
interface FailedItem {
	item: number;
	error: unknown;
	details: ItemDetails;
}

/**
 * Writes item indices as ranges: `0–2, 5`.
 *
 * @param items indices in any order
 * @returns an empty text for no items
 */
export function itemRanges(items: number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const item of [...items].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last && item === last[1] + 1) last[1] = item;
		else ranges.push([item, item]);
	}
	return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

const items = (indices: number[]) =>
	`${indices.length === 1 ? 'item' : 'items'} ${itemRanges(indices)}`;

const LABELS: Record<FailureKind, string> = {
	'not sent': 'Not sent',
	unknown: 'Sent, but the outcome is unknown',
	refused: 'Refused',
	failed: 'Failed',
};

/** The most reasons that the error names. A service can give each item another one, such as its phone number. */
const MAX_REASONS = 20;

/** An item with what became of it, and why. */
interface ItemWithReason {
	item: number;
	label: string;
	text: string;
}

/** One line for each label and reason, with the items. */
function linesByReason(withReasons: ItemWithReason[]): string[] {
	const lines = new Map<string, { label: string; reason: string; indices: number[] }>();
	for (const { item, label, text } of withReasons) {
		const isNew = !lines.has(label + text);
		const reason = isNew && lines.size >= MAX_REASONS ? 'other reasons' : text;
		const line = lines.get(label + reason) ?? { label, reason, indices: [] };
		line.indices.push(item);
		lines.set(label + reason, line);
	}
	return [...lines.values()].map(
		({ label, reason, indices }) => `${label}: ${items(indices)}${reason && ` (${reason})`}.`,
	);
}

const withFailure = ({ item, error, details }: FailedItem): ItemWithReason => ({
	item,
	label: LABELS[getFailureKind(error, details)],
	text: errorTexts(error, details).message.replace(/\.$/, ''),
});

/** What happened to each item of a run. */
function reportLines(
	outcomes: ItemOutcome[],
	details: ItemDetails[],
	failed: FailedItem[],
): string[] {
	const indices = outcomes.map((_, item) => item);
	const ended = indices.filter((item) => 'items' in (outcomes[item] ?? {}));
	const held = ended.flatMap((item): ItemWithReason[] => {
		const { label, reason: text = '' } = details[item]?.heldBack ?? {};
		return label === undefined ? [] : [{ item, label, text }];
	});
	const succeeded = ended.filter((item) => details[item]?.heldBack?.label === undefined);
	const notStarted = indices.filter((item) => outcomes[item] === undefined);
	return [
		...(ended.length === 0 ? ['No item succeeded.'] : []),
		...(succeeded.length > 0
			? [
					`Succeeded: ${items(succeeded)}. Leave these out when you try again, as 'Retry' in the list of executions does.`,
				]
			: []),
		...linesByReason(held),
		...linesByReason(failed.map(withFailure)),
		...(notStarted.length > 0 ? [`Not started: ${items(notStarted)}.`] : []),
		'Items are counted from 0.',
	];
}

/**
 * Makes the error of a run in which an item failed: what happened to each item, and what to do next.
 *
 * @param outcomes how each item ended
 * @param details of each item
 * @param isRefused whether the error is that of the run, so that n8n shows no item beside it
 * @returns undefined when no item failed
 */
export function runFailure(
	node: INode,
	outcomes: ItemOutcome[],
	details: ItemDetails[],
	isRefused = false,
): NodeApiError | undefined {
	const failed = outcomes.flatMap((outcome, item): FailedItem[] =>
		outcome && 'error' in outcome
			? [{ item, error: outcome.error, details: details[item] ?? { fields: [] } }]
			: [],
	);
	const [first] = failed;
	if (!first) return undefined;

	const { message, description, httpCode } = errorTexts(first.error, first.details);
	const lines = outcomes.length > 1 ? reportLines(outcomes, details, failed) : [];
	return new NodeApiError(
		node,
		{},
		{
			message,
			description: [...lines, description].join('\n'),
			// n8n would replace the message when it gets the code of a failed connection.
			httpCode: /^\d+$/.test(httpCode ?? '') ? (httpCode ?? undefined) : 'none',
			itemIndex: isRefused ? undefined : first.item,
		},
	);
}
