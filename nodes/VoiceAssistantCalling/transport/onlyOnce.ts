import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DescribedError, hasUnknownOutcome, InvalidInput } from '../../shared/client/errors';
import { asText } from '../../shared/values/json';
import { onlyOnce } from '../resources/spendingOptions';
import { DoneKeys } from './doneKeys';
import { emptyOption, enteredOptions, readOption } from './enteredOptions';
import { LimiterClosed } from './limiter';

const LABEL = onlyOnce.displayName;

/** Whether the service may have done what failed. Only what it certainly has not done may be sent again. */
const mayBeDone = (error: unknown): boolean =>
	hasUnknownOutcome(error) || !(error instanceof DescribedError || error instanceof LimiterClosed);

/** *Only Once Per* of a run. */
export class OnlyOnce {
	private readonly context: IExecuteFunctions;

	private readonly entered: unknown;

	/** The keys of this run under which something was done, or may have been. */
	private readonly done = new Set<string>();

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.entered = enteredOptions(context)[onlyOnce.name];
	}

	/**
	 * Reads the key of an item.
	 *
	 * @returns undefined when the item is sent however often it was sent before: without the option, and in a run
	 * that a user starts in the editor
	 * @throws {InvalidInput} when it is empty, its expression fails, a language model would choose it, or n8n cannot
	 * store it
	 */
	keyOf(item: number): string | undefined {
		if (this.entered === undefined || this.context.getMode() === 'manual') return undefined;
		if (asText(this.entered).includes('$fromAI')) {
			throw new InvalidInput({
				message: `'${LABEL}' cannot be chosen by a model`,
				nextStep:
					'Enter a value that names the person or the event. Nothing was sent for this item.',
			});
		}
		if (!this.context.getWorkflow().id) {
			throw new InvalidInput({
				message: `'${LABEL}' needs a workflow that is saved`,
				nextStep: 'Save the workflow. Nothing was sent for this item.',
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
		const { context, done } = this;
		const sending = DoneKeys.of(context).once(context.helpers, key, send, mayBeDone);
		const body = await sending.catch((error: unknown) => {
			if (mayBeDone(error)) done.add(key);
			throw error;
		});
		done.add(key);
		return body;
	}

	/** Ends the run: stores its keys once more, because another process may have overwritten them since. */
	async end(): Promise<void> {
		const { context, done } = this;
		if (done.size === 0) return;
		await DoneKeys.of(context)
			.storeAgain(context.helpers, [...done])
			.catch(() => {
				context.logger.warn(
					`n8n could not store the keys of '${LABEL}' again. With several workers, an item of this run may be sent once more.`,
				);
			});
	}
}
