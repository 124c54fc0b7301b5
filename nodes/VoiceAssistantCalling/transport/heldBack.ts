import type { IExecuteFunctions } from 'n8n-workflow';

import { defaultCountryCode } from '../fields/sendPhoneNumber';
import type { BuiltItem } from './builtItem';
import { DoNotCall } from './doNotCall';
import { EarlierExecution } from './earlierExecution';
import { refusalReason } from './phoneNumberProblems';
import type { KnownOutcome, Outcome } from './runItems';
import type { RunMemory } from './runMemory';
import { sendContext } from './sendContext';
import { dryRunOutput } from './spending';

/** What keeps the items of a run from being sent, when their requests are built. */
export class HeldBack {
	private readonly context: IExecuteFunctions;

	private readonly doNotCall: DoNotCall;

	private readonly earlierExecution: EarlierExecution;

	constructor(context: IExecuteFunctions, { written }: RunMemory) {
		this.context = context;
		this.doNotCall = new DoNotCall(context);
		this.earlierExecution = new EarlierExecution(context, written);
	}

	/**
	 * Ends an item without a request.
	 *
	 * @returns undefined when it is to be sent
	 * @throws {InvalidInput} when the list of *Do Not Call* cannot be used
	 */
	async end(item: BuiltItem): Promise<KnownOutcome | undefined> {
		const { index, operation, request, details } = item;
		const pairedItem = { item: index };
		const blocked = operation.reachesPeople && (await this.findBlocked(item));
		if (blocked) {
			details.isBlocked = true;
			return { items: [{ json: { result: 'do not call', ...blocked }, pairedItem }] };
		}
		if (details.isDryRun) {
			const json = dryRunOutput(operation, request, index, refusalReason(details));
			return { items: [{ json, pairedItem }] };
		}
		const { outcome, isChanged } = this.earlierExecution.find(item);
		details.isRepeated = outcome !== undefined;
		details.isChanged = isChanged;
		return outcome;
	}

	/** What keeps an item from being sent by several executions that try the same one again. */
	retryKey(index: number): string | undefined {
		return this.earlierExecution.keyOf(index);
	}

	/** Notes how the items ended. @param isFailed whether n8n stores a failed run, which a user can try again */
	async note(outcomes: Outcome[], isFailed: boolean): Promise<void> {
		if (isFailed) await this.earlierExecution.store(outcomes);
		else this.earlierExecution.forget();
	}

	/** What the hints and n8n's log say of what held items back. */
	get warnings(): string[] {
		return [...this.doNotCall.warnings, ...this.earlierExecution.warnings];
	}

	/** Finds a person of an item who must not be called. */
	private async findBlocked({ index, account, request }: BuiltItem): ReturnType<DoNotCall['find']> {
		if (!this.doNotCall.isUsed) return undefined;
		const code = await defaultCountryCode(sendContext(this.context, index, account));
		return await this.doNotCall.find(index, request, code);
	}
}
