import type { IExecuteFunctions } from 'n8n-workflow';

import { DescribedError, hasUnknownOutcome, InvalidInput } from '../../../shared/client/errors';
import { asText } from '../../../shared/values/json';
import { onlyOnce } from '../../resources/spendingOptions';
import type { BuiltItem } from '../builtItem';
import type { HeldBack } from '../heldBack';
import { LimiterClosed } from '../limiter';
import { DoneKeys, MAX_KEYS } from './doneKeys';
import { emptyOption, enteredOptions, readOption } from './enteredOptions';
import { warnings, type Step, type StepHint, type WaitFor } from './step';

const LABEL = onlyOnce.displayName;

const LIMIT = MAX_KEYS.toLocaleString('en');

/** From when on the user is told that n8n will forget. */
const NEARLY_FULL = 0.9 * MAX_KEYS;

/** Whether the service may have done what failed. Only what it certainly has not done may be sent again. */
const mayBeDone = (error: unknown): boolean =>
	hasUnknownOutcome(error) || !(error instanceof DescribedError || error instanceof LimiterClosed);

/**
 * Whether a user tries the workflow in the editor. A sub-workflow learns only which node started the workflow that
 * called it (n8n.md#sub-workflows).
 */
function isTried(context: IExecuteFunctions): boolean {
	const mode = context.getMode();
	const { type } = context.getExecutionContext()?.triggerNode ?? {};
	return mode === 'manual' || (mode === 'integrated' && type === 'n8n-nodes-base.manualTrigger');
}

const doneBefore = (items: string) =>
	`${LABEL}: ${items} not sent, because this node has sent the same value before.`;

/** Which of them ended how, n8n's store does not say. */
const sentInRetry = (items: string) =>
	`Retry: ${items} not sent again, because another Retry of the same execution has sent them. That one shows how each ended.`;

/**
 * *Only Once Per*: what was sent under a key is not sent again. *Retry* has keys of its own
 * ({@link BuiltItem.retryKey}); that of the user holds in all executions.
 */
export class OnlyOnce implements Step {
	private readonly context: IExecuteFunctions;

	private readonly entered: unknown;

	/** Of the user, by the index of the item. */
	private readonly keys = new Map<number, string>();

	/** The keys that items are being sent under, by their index. */
	private readonly sending = new Map<number, string[]>();

	/** The keys of this run under which something was done, or may have been. */
	private readonly done = new Set<string>();

	private readonly count: number;

	/** Whether items of a retry have two keys. Those of the user come first where not both fit. */
	private readonly hasBoth: boolean;

	/** How many keys the run may have. */
	private readonly mostKeys: number;

	private isBegun = false;

	private readonly warnings: string[] = [];

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.entered = enteredOptions(context)[onlyOnce.name];
		this.count = context.getInputData().length;
		const both = 2 * this.count;
		this.hasBoth = context.getMode() === 'retry' && both <= MAX_KEYS;
		this.mostKeys = this.hasBoth ? both : this.count;
	}

	/** Reads the key of an item. @throws {InvalidInput} when it is empty, or n8n cannot store it, or all of the run */
	look({ index, operation }: BuiltItem): undefined {
		if (!operation.getCost || this.entered === undefined || isTried(this.context)) return;
		if (!this.context.getWorkflow().id) {
			throw new InvalidInput({
				message: `'${LABEL}' needs a workflow that is saved`,
				nextStep: 'Save the workflow. Nothing was sent for this item.',
			});
		}
		if (this.count > MAX_KEYS) {
			throw new InvalidInput({
				message: `'${LABEL}' remembers ${LIMIT} values, and ${this.count.toLocaleString('en')} items came`,
				nextStep:
					"Send fewer items in one execution, such as with 'Loop Over Items' in workflows of their own. Nothing was sent for this item.",
			});
		}
		const key = asText(readOption(this.context, onlyOnce, index)).trim();
		if (key === '') throw emptyOption(LABEL);
		this.keys.set(index, key);
	}

	/** Ends an item whose key this node has sent, and stores the key of any other. */
	async lookInTurn(
		{ index, request, retryKey }: BuiltItem,
		waitFor: WaitFor,
	): Promise<HeldBack | undefined> {
		const { context, sending } = this;
		const own = this.keys.get(index);
		// Nothing is done twice by reading.
		if ((own ?? retryKey) === undefined || request.method === 'GET') return undefined;
		const stored = DoneKeys.of(context);
		if (!this.isBegun) stored.runBegins(this.mostKeys);
		this.isBegun = true;
		// The key of the user can be another one in each execution, such as with `$now`.
		const keys = own === undefined || this.hasBoth ? [own, retryKey] : [own];
		for (const key of keys) {
			if (key === undefined) continue;
			// Without n8n's store, only another retry of the same execution could send the item once more.
			if (await stored.begin(context.helpers, key, key !== own, waitFor)) {
				sending.set(index, [...(sending.get(index) ?? []), key]);
				// Canceled while n8n stored the key: nobody was reached.
				if (context.getExecutionCancelSignal()?.aborted) throw new LimiterClosed();
				continue;
			}
			this.done.add(key);
			const json = key === own ? { result: 'done before', key } : { result: 'reached before' };
			const outcome = { items: [{ json, pairedItem: { item: index } }] };
			return key === own
				? { outcome, hints: [doneBefore], label: `Sent before, see '${LABEL}'` }
				: { outcome, hints: [sentInRetry] };
		}
		return undefined;
	}

	async itemEnds({ index }: BuiltItem, error?: unknown): Promise<void> {
		const isDone = error === undefined || mayBeDone(error);
		for (const key of this.sending.get(index) ?? []) {
			if (isDone) this.done.add(key);
			await DoneKeys.of(this.context).end(this.context.helpers, key, isDone);
		}
	}

	/** Stores the keys of the run once more, see {@link DoneKeys.runEnds}. */
	async runEnds(): Promise<void> {
		const { context, done, mostKeys } = this;
		if (!this.isBegun) return;
		const ended = DoneKeys.of(context).runEnds(context.helpers, mostKeys, [...done]);
		const stored = await ended.catch(() => {
			this.warnings.push(
				`n8n could not store the values of '${LABEL}' and Retry again. With several workers, an item of this run may be sent once more.`,
			);
			return 0;
		});
		if (stored < NEARLY_FULL) return;
		this.warnings.push(
			`${LABEL} and Retry: n8n remembers the newest ${LIMIT} values of this node, and has ${stored.toLocaleString('en')} now. It forgets the oldest ones, which would be sent again.`,
		);
	}

	get hints(): StepHint[] {
		return warnings(this.warnings);
	}
}
