import { NodeApiError, type INode } from 'n8n-workflow';

import { outcomeUnknown, ServiceError } from '../../shared/client/errors';
import type { Field } from '../fields/routing';
import { errorTexts } from './errorTexts';
import { itemRanges } from './itemRanges';
import type { Outcome } from './runItems';

/** A failed item, with the fields of its operation. */
interface Failed {
	item: number;
	error: unknown;
	fields: Field[];
}

const items = (indices: number[]) =>
	`${indices.length === 1 ? 'item' : 'items'} ${itemRanges(indices)}`;

/** How failures are told: by the first of these that applies. */
const KINDS: Array<[label: string, applies: (error: unknown) => boolean]> = [
	['Not sent', (error) => !(error instanceof ServiceError)],
	['Sent, but the outcome is unknown', outcomeUnknown],
	['Refused', (error) => error instanceof ServiceError && error.refused],
	['Failed', () => true],
];

/** One line for each kind of failure and reason, with its items. */
function failureLines(failed: Failed[]): string[] {
	const lines = new Map<string, { label: string; reason: string; indices: number[] }>();
	for (const { item, error, fields } of failed) {
		const label = KINDS.find(([, applies]) => applies(error))?.[0] ?? '';
		const reason = errorTexts(error, fields).message.replace(/\.$/, '');
		const line = lines.get(label + reason) ?? { label, reason, indices: [] };
		line.indices.push(item);
		lines.set(label + reason, line);
	}
	return [...lines.values()].map(
		({ label, reason, indices }) => `${label}: ${items(indices)} (${reason}).`,
	);
}

/** What happened to each item of a run. */
function report(outcomes: Outcome[], failed: Failed[]): string[] {
	const indices = outcomes.map((_, item) => item);
	const done = indices.filter((item) => 'items' in (outcomes[item] ?? {}));
	const notBegun = indices.filter((item) => outcomes[item] === undefined);
	return [
		done.length > 0
			? `Succeeded: ${items(done)}. Leave them out when you run the step again.`
			: 'No item succeeded.',
		...failureLines(failed),
		...(notBegun.length > 0 ? [`Not started: ${items(notBegun)}.`] : []),
		'Items are counted from 0.',
	];
}

/**
 * Makes the error of a run that a failure ended: what happened to each of its items, and what to do.
 *
 * @param outcomes how each item ended
 * @param fields of each item's operation
 * @returns undefined where no item failed
 */
export function runFailure(
	node: INode,
	outcomes: Outcome[],
	fields: Field[][],
): NodeApiError | undefined {
	const failed = outcomes.flatMap((outcome, item): Failed[] =>
		outcome && 'error' in outcome
			? [{ item, error: outcome.error, fields: fields[item] ?? [] }]
			: [],
	);
	const [first] = failed;
	if (!first) return undefined;

	const { message, description, httpCode } = errorTexts(first.error, first.fields);
	const lines = outcomes.length > 1 ? report(outcomes, failed) : [];
	return new NodeApiError(
		node,
		{},
		{
			message,
			description: [...lines, description].join('\n'),
			// The code of a connection would make n8n replace the message by its own.
			httpCode: /^\d+$/.test(httpCode ?? '') ? (httpCode ?? undefined) : 'none',
			itemIndex: first.item,
		},
	);
}
