import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DescribedError, hasUnknownOutcome, InvalidInput } from '../../shared/client/errors';
import { asText } from '../../shared/values/json';
import { onlyOnce } from '../resources/spendingOptions';
import { DoneKeys, MAX_KEYS } from './doneKeys';
import { emptyOption, enteredOptions, readOption } from './enteredOptions';
import { LimiterClosed } from './limiter';

const LABEL = onlyOnce.displayName;

const LIMIT = MAX_KEYS.toLocaleString('en');

/** From when on the user is told that n8n will forget. */
const NEARLY_FULL = 0.9 * MAX_KEYS;

/** Whether the service may have done what failed. Only what it certainly has not done may be sent again. */
const mayBeDone = (error: unknown): boolean =>
	hasUnknownOutcome(error) || !(error instanceof DescribedError || error instanceof LimiterClosed);

/**
 * Whether a user tries the workflow in the editor. A sub-workflow learns only which node started the workflow that
 * called it (n8n 2.41; 2.0 says nothing).
 */
function isTried(context: IExecuteFunctions): boolean {
	const mode = context.getMode();
	const { type } = context.getExecutionContext()?.triggerNode ?? {};
	return mode === 'manual' || (mode === 'integrated' && type === 'n8n-nodes-base.manualTrigger');
}

/** *Only Once Per* of a run. */
export class OnlyOnce {
	private readonly context: IExecuteFunctions;

	private readonly entered: unknown;

	/** The keys of this run under which something was done, or may have been. */
	private readonly done = new Set<string>();

	private readonly count: number;

	private isBegun = false;

	/** What the hints and n8n's log say. */
	readonly warnings: string[] = [];

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.entered = enteredOptions(context)[onlyOnce.name];
		this.count = context.getInputData().length;
	}

	/**
	 * Reads the key of an item.
	 *
	 * @returns undefined when the item is sent however often it was sent before: without the option, and in a run
	 * that a user starts in the editor
	 * @throws {InvalidInput} when it is empty, its expression fails, or n8n cannot store it, or not those of all items
	 */
	keyOf(item: number): string | undefined {
		if (this.entered === undefined || isTried(this.context)) return undefined;
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
		const key = asText(readOption(this.context, onlyOnce, item)).trim();
		if (key === '') throw emptyOption(LABEL);
		return key;
	}

	/**
	 * Sends the request of an item, unless this node has sent one with the same key.
	 *
	 * @param send sends it if a check, which is to be made right before, lets it
	 * @returns undefined when it was done before
	 * @throws {InvalidInput} when n8n cannot store the key; and what `send` throws
	 */
	async send(
		key: string,
		send: (mayStart: () => Promise<boolean>) => Promise<IDataObject | undefined>,
	): Promise<IDataObject | undefined> {
		const { context, done, count } = this;
		const keys = DoneKeys.of(context);
		if (!this.isBegun) keys.begin(count);
		this.isBegun = true;
		const sending = keys.once(context.helpers, key, send, mayBeDone);
		const body = await sending.catch((error: unknown) => {
			if (mayBeDone(error)) done.add(key);
			throw error;
		});
		done.add(key);
		return body;
	}

	/** Ends the run, see {@link DoneKeys.end}. */
	async end(): Promise<void> {
		const { context, done, count } = this;
		if (!this.isBegun) return;
		const ended = DoneKeys.of(context).end(context.helpers, count, [...done]);
		const stored = await ended.catch(() => {
			this.warnings.push(
				`n8n could not store the values of '${LABEL}' again. With several workers, an item of this run may be sent once more.`,
			);
			return 0;
		});
		if (stored < NEARLY_FULL) return;
		this.warnings.push(
			`${LABEL}: n8n remembers the newest ${LIMIT} values of this node, and has ${stored.toLocaleString('en')} now. It forgets the oldest ones, which would be sent again.`,
		);
	}
}
