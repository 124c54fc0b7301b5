import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../../../shared/client/errors';
import { ProcessMemory } from '../../../shared/processMemory';
import { hasRunLimits } from '../../resources';
import type { BuiltItem } from '../builtItem';
import { enteredOptions, readRunLimits } from './enteredOptions';
import type { RunMemory } from './runMemory';
import type { Step } from './step';

/** How many items each node has sent in each execution. */
const sentItems = new ProcessMemory<number>('sentItems');

/** The runs that are counted. *Retry On Fail* repeats a run, which counts once. */
const countedRuns = new WeakSet<RunMemory>();

/**
 * *Maximum Items*: how many items the node may send in an execution. Runs in a loop and the calls of an agent count
 * together. A dry run sends nothing, so it does not count.
 */
export class MaximumItems implements Step {
	private readonly context: IExecuteFunctions;

	private readonly entered: IDataObject;

	private readonly memory: RunMemory;

	/** Whether the items of the run are counted. */
	private isCounted = false;

	constructor(context: IExecuteFunctions, memory: RunMemory) {
		this.context = context;
		this.entered = enteredOptions(context);
		this.memory = memory;
	}

	/**
	 * Counts the items of the run, as the first one has it.
	 *
	 * @throws {InvalidInput} when they are too many, and then none of them counts; and when an option is wrong or empty
	 */
	runBegins(): void {
		const { context, memory } = this;
		const { length: count } = context.getInputData();
		const parameter = (name: string) => context.getNodeParameter(name, 0, '');
		if (count === 0 || !hasRunLimits(parameter('resource'), parameter('operation'))) return;
		const { maximumItems: maximum, isDryRun } = readRunLimits(context, this.entered, 0);
		if (maximum === undefined || isDryRun) return;
		this.isCounted = true;
		if (countedRuns.has(memory)) return;
		// A tool of n8n's MCP Server Trigger has none (n8n.md#tools-of-mcp): each call counts by itself.
		const execution = context.getExecutionId() as string | undefined;
		const key = execution && JSON.stringify([execution, context.getNode().name]);
		const sent = (key && sentItems.get(key)) || 0;
		if (sent + count > maximum) {
			const before = sent > 0 ? `, after ${sent} in this execution` : '';
			throw new InvalidInput({
				message: `This run would send ${count} ${count === 1 ? 'item' : 'items'}${before}, and 'Maximum Items' is ${maximum}`,
				nextStep:
					"Nothing of this run was sent. Check where the items come from, or raise 'Maximum Items'.",
			});
		}
		countedRuns.add(memory);
		if (key) sentItems.set(key, sent + count);
	}

	/**
	 * Refuses an item that would be sent beside the limit, because the first item does not send: its operation has no
	 * such option, or it has *Dry Run*.
	 */
	look({ index, operation: { getCost, cannotBeUndone } }: BuiltItem): undefined {
		if (this.isCounted || !(getCost ?? cannotBeUndone)) return;
		const { maximumItems, isDryRun } = readRunLimits(this.context, this.entered, index);
		if (maximumItems === undefined || isDryRun) return;
		throw new InvalidInput({
			message: "'Maximum Items' counts only items that are sent like the first one",
			nextStep:
				"Give all items the same operation and the same 'Dry Run'. Nothing was sent for this item.",
		});
	}
}
