import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { parseJson } from '../../../shared/values/json';
import { getBody } from '../../fields/routing';
import { hasRunLimits } from '../../resources';
import type { Operation } from '../../resources/operation';
import { runLimits } from '../../resources/spendingOptions';
import type { BuiltItem } from '../builtItem';
import { itemsWere, type HeldBack } from '../heldBack';
import { namedProblems, refusalReason } from '../itemNumberProblems';
import { enteredOptions, readRunLimits } from './enteredOptions';
import type { EndedRun, Step, StepHint } from './step';

/**
 * The output of an item that only shows its request. What went wrong and whom it is about come first:
 * n8n shows the columns of a table in the order in which they first occur, and only some fit.
 *
 * @param reason why it will probably be refused
 */
const dryRunOutput = (
	{ getCost, reachesPeople }: Pick<Operation, 'getCost' | 'reachesPeople'>,
	request: IHttpRequestOptions,
	item: number,
	reason?: string,
): IDataObject => {
	const { method = 'GET', url, qs = {}, body } = request;
	const sent = getBody(request);
	return {
		result: reason === undefined ? 'would be sent' : 'would probably be refused',
		reason: reason ?? null,
		item,
		...(reachesPeople && { phone_number: sent.phone_number ?? sent.to ?? null }),
		...getCost?.(sent, method),
		method,
		path: url,
		...(Object.keys(qs).length > 0 && { query: qs }),
		body: typeof body === 'string' ? (parseJson(body) as IDataObject) : sent,
	};
};

/** *Dry Run*: items show what would be sent. */
export class DryRun implements Step {
	private readonly context: IExecuteFunctions;

	private readonly entered: IDataObject;

	/** Whether the user set it, by the index of the item. */
	private readonly items = new Map<number, boolean>();

	/** The items that show what would be sent. */
	private readonly shown = new Set<number>();

	/** What was found out. */
	hints: StepHint[] = [];

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.entered = enteredOptions(context);
	}

	look({ index, operation, request, details }: BuiltItem): HeldBack | undefined {
		if (!this.isFor(index)) return undefined;
		const json = dryRunOutput(operation, request, index, refusalReason(details));
		const problems = namedProblems(details).join(', ');
		this.shown.add(index);
		return {
			outcome: { items: [{ json, pairedItem: { item: index } }] },
			label: `Would ${problems ? 'probably be refused' : 'be sent'} without 'Dry Run'`,
			reason: problems,
			isDecidedAgain: true,
		};
	}

	/** It shows all that is wrong. */
	goesOnAfter(item: number): boolean {
		try {
			return this.isFor(item);
		} catch {
			// An option is wrong, so the user may not have meant it.
			return false;
		}
	}

	/** Counts what was found out. */
	runEnds({ outcomes, details }: EndedRun): void {
		let [failed, refused, sent] = [0, 0, 0];
		for (const [item, outcome] of outcomes.entries()) {
			if (!outcome || !this.goesOnAfter(item)) continue;
			const ended = details[item] ?? { fields: [] };
			// Another step has ended it.
			if (ended.heldBack && !this.shown.has(item)) continue;
			if ('error' in outcome) failed++;
			else if (refusalReason(ended)) refused++;
			else sent++;
		}
		const count = failed + refused + sent;
		if (count === 0) return;
		const parts = [
			`Dry Run: ${itemsWere(count)} checked, and nothing was sent.`,
			...(refused > 0
				? [
						`Would be sent: ${sent}.`,
						`Would probably be refused: ${refused}, and 'reason' says why.`,
					]
				: []),
			...(failed > 0 ? [`Failed: ${failed}.`] : []),
			refused + failed > 0
				? "Correct what is wrong before you remove 'Dry Run'."
				: "Remove 'Dry Run' to send them.",
		];
		this.hints = [{ message: parts.join(' '), type: 'info' }];
	}

	/** @throws {InvalidInput} when an option of the item is wrong or empty */
	private isFor(item: number): boolean {
		const { context, entered, items } = this;
		// *Maximum Items* is checked with it, for each item.
		if (!runLimits.some(({ name }) => name in entered)) return false;
		const known = items.get(item);
		if (known !== undefined) return known;
		const parameter = (name: string) => context.getNodeParameter(name, item, '');
		const hasOption = hasRunLimits(parameter('resource'), parameter('operation'));
		const isDryRun = hasOption && readRunLimits(context, entered, item).isDryRun;
		items.set(item, isDryRun);
		return isDryRun;
	}
}
