import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isOn } from '../../shared/fields/booleans';
import { isEmpty } from '../../shared/fields/values';
import { ProcessMemory } from '../../shared/processMemory';
import { parseJson } from '../../shared/values/json';
import { checkFields } from '../fields/checkFields';
import type { Values } from '../fields/fieldValues';
import { getBody } from '../fields/routing';
import { hasRunLimits } from '../resources';
import type { Operation } from '../resources/operation';
import { runLimits, spendingOptions } from '../resources/spendingOptions';
import { emptyOption, enteredOptions, readOption } from './enteredOptions';
import type { RunMemory } from './runMemory';

/** How many items each node has sent in each execution. */
const sentItems = new ProcessMemory<number>('sentItems');

/** The runs that are counted. *Retry On Fail* repeats a run, which counts once. */
const countedRuns = new WeakSet<RunMemory>();

/** Whether an item only shows what would be sent. @param options of the item */
const isDryRun = ({ dryRun }: Values): boolean => isOn(dryRun);

/** *Dry Run* and *Maximum Items* of an item, so far as they are entered. */
function readOptions(context: IExecuteFunctions, entered: IDataObject, item: number): Values {
	const shown = runLimits.filter(({ name }) => name in entered);
	const options = Object.fromEntries(
		shown.map((field) => [field.name, readOption(context, field, item)]),
	);
	checkFields([spendingOptions], { [spendingOptions.name]: options });
	const empty = shown.find(({ name }) => isEmpty(options[name]));
	if (empty) throw emptyOption(empty.displayName);
	return options;
}

/**
 * Refuses a run with which the node would send more items in this execution than *Maximum Items* allows.
 * Runs in a loop and the calls of an agent count together. A dry run sends nothing, so it does not count.
 *
 * @param options of the first item
 * @param count items of the run
 * @returns whether the run is counted
 * @throws {InvalidInput} when the items are too many: then none of the run counts
 */
function limitItems(
	context: Pick<IExecuteFunctions, 'getExecutionId' | 'getNode'>,
	options: Values,
	count: number,
	memory: RunMemory,
): boolean {
	const { maximumItems } = options;
	if (maximumItems === undefined || isDryRun(options)) return false;
	if (countedRuns.has(memory)) return true;
	const maximum = Number(maximumItems);
	// A tool of n8n's MCP Server Trigger has none (n8n 2.41): each call counts by itself.
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
	return true;
}

/** What the options of a run's items hold back. */
export class Spending {
	private readonly context: IExecuteFunctions;

	/** As the user entered them, before n8n evaluates them. */
	private readonly entered: IDataObject;

	/** Whether *Maximum Items* counts the items of the run. */
	private readonly isCounted: boolean;

	/**
	 * @throws {InvalidInput} when *Maximum Items* of the first item allows fewer, or one of its options is wrong
	 * or empty
	 */
	constructor(context: IExecuteFunctions, memory: RunMemory) {
		this.context = context;
		this.entered = enteredOptions(context);
		const { length: count } = context.getInputData();
		const parameter = (name: string) => context.getNodeParameter(name, 0, '');
		this.isCounted =
			count > 0 &&
			hasRunLimits(parameter('resource'), parameter('operation')) &&
			limitItems(context, readOptions(context, this.entered, 0), count, memory);
	}

	/**
	 * Reads the options of an item.
	 *
	 * @returns whether the item only shows what would be sent
	 * @throws {InvalidInput} when an option is wrong or empty; and when the item would be sent beside *Maximum Items*,
	 * because the first item does not send: its operation has no such option, or it has *Dry Run*
	 */
	checkItem(item: number): { isDryRun: boolean } {
		const options = readOptions(this.context, this.entered, item);
		if (isDryRun(options)) return { isDryRun: true };
		if (this.isCounted || options.maximumItems === undefined) return { isDryRun: false };
		throw new InvalidInput({
			message: "'Maximum Items' counts only items that are sent like the first one",
			nextStep:
				"Give all items the same operation and the same 'Dry Run'. Nothing was sent for this item.",
		});
	}
}

/**
 * The output of an item that only shows its request. What went wrong and whom it is about come first:
 * n8n shows the columns of a table in the order in which they first occur, and only some fit.
 *
 * @param reason why it will probably be refused
 */
export const dryRunOutput = (
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
