import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { BuiltItem } from '../builtItem';
import type { HeldBack } from '../heldBack';
import type { ItemDetails } from '../itemErrorTexts';
import { replay } from '../runItems';
import { DoNotCall } from './doNotCall';
import { DryRun } from './dryRun';
import { EarlierExecution } from './earlierExecution';
import { FirstTry } from './firstTry';
import { MaximumItems } from './maximumItems';
import { OnlyOnce } from './onlyOnce';
import { PhoneNumberCheck } from './phoneNumberCheck';
import { getRunMemory } from './runMemory';
import type { EndedRun, Step, StepHint, WaitFor } from './step';

/**
 * What an item passes between its request and the service, in this order:
 *
 * 1. What this run has sent in an earlier try ends as it did, whatever the other steps would say now.
 * 2. *Maximum Items* refuses a run before any of it is sent.
 * 3. *Retry*: what the failed execution has sent ends as it did there.
 * 4. *Do Not Call* comes before *Dry Run*, which shows who would be left out.
 * 5. *Dry Run* ends all that is left, so it comes before what changes what was sent.
 * 6. Phone numbers are only warned of, so only those that are sent.
 * 7. *Only Once Per* is last, because it stores that the item is being sent.
 */
const stepsOf = (context: IExecuteFunctions): Step[] => {
	const memory = getRunMemory(context);
	return [
		new FirstTry(memory),
		new MaximumItems(context, memory),
		new EarlierExecution(context, memory.written),
		new DoNotCall(context),
		new DryRun(context),
		new PhoneNumberCheck(context),
		new OnlyOnce(context),
	];
};

/** All that can hold the items of a run back, each in its turn. */
export class Steps {
	private readonly steps: Step[];

	constructor(context: IExecuteFunctions) {
		this.steps = stepsOf(context);
	}

	/** @throws {InvalidInput} when no item of the run may be sent */
	async runBegins(): Promise<void> {
		for (const step of this.steps) await step.runBegins?.();
	}

	/** Looks at an item that cannot be built. @returns undefined when nothing of it was sent before */
	lookBack(
		index: number,
		operation: BuiltItem['operation'],
		details: ItemDetails,
	): HeldBack | undefined {
		for (const step of this.steps) {
			details.heldBack = step.lookBack?.(index, operation);
			if (details.heldBack) return details.heldBack;
		}
		return undefined;
	}

	/** Looks at an item whose request is built. @returns undefined when it is to be sent */
	async look(item: BuiltItem): Promise<HeldBack | undefined> {
		return await this.firstThatHolds(item, async (step) => await step.look?.(item));
	}

	/**
	 * Looks at an item in its turn, and sends it.
	 *
	 * @param send sends it, and gives its output
	 * @throws what the steps and `send` throw
	 */
	async pass(
		item: BuiltItem,
		send: () => Promise<INodeExecutionData[]>,
		waitFor: WaitFor = async (other) => await other,
	): Promise<INodeExecutionData[]> {
		const itemEnds = async (error?: unknown) => {
			for (const step of this.steps) await step.itemEnds?.(item, error);
		};
		const held = this.firstThatHolds(item, async (step) => await step.lookInTurn?.(item, waitFor));
		const passing = held.then(async (by) => (by ? await replay(by.outcome) : await send()));
		const output = await passing.catch(async (error: unknown) => {
			await itemEnds(error);
			throw error;
		});
		await itemEnds();
		return output;
	}

	/** Whether the run goes on although this item failed. */
	goesOnAfter(item: number): boolean {
		return this.steps.some((step) => step.goesOnAfter?.(item));
	}

	/** Tells all steps how the items ended. */
	async runEnds(run: EndedRun): Promise<void> {
		for (const step of this.steps) await step.runEnds?.(run);
	}

	/** What the user is told. */
	get hints(): StepHint[] {
		return this.steps.flatMap(({ hints = [] }) => hints);
	}

	private async firstThatHolds(
		{ details }: BuiltItem,
		ask: (step: Step) => Promise<HeldBack | undefined>,
	): Promise<HeldBack | undefined> {
		for (const step of this.steps) {
			details.heldBack = await ask(step);
			if (details.heldBack) return details.heldBack;
		}
		return undefined;
	}
}
