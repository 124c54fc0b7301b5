import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isRecord, parseJson } from '../../shared/client/json';
import { isOn } from '../../shared/fields/booleans';
import { isEmpty } from '../../shared/fields/values';
import { ProcessMemory } from '../../shared/processMemory';
import { checkFields } from '../fields/checkFields';
import { readValues, type Values } from '../fields/fieldValues';
import { getBody } from '../fields/routing';
import type { Operation } from '../resources/operation';
import { spendingOptions } from '../resources/spendingOptions';
import type { RunMemory } from './runMemory';

/** How many items each node has sent in each execution. */
const sentItems = new ProcessMemory<number>('sentItems');

/** The runs that are counted. *Retry On Fail* repeats a run, which counts once. */
const countedRuns = new WeakSet<RunMemory>();

const emptyOption = (label: string) =>
	new InvalidInput({
		message: `'${label}' is empty`,
		nextStep: 'Check its expression, or remove the option. Nothing was sent for this item.',
		errors: { [label]: ['is empty'] },
	});

/**
 * Reads the options of an operation that costs money, for an item.
 *
 * @returns the value of {@link spendingOptions}
 * @throws {InvalidInput} when an option is wrong or empty
 */
export function readSpendingOptions(context: IExecuteFunctions, item: number): Values {
	const values = readValues(context, [spendingOptions], item);
	checkFields([spendingOptions], values);
	const options = values[spendingOptions.name];
	if (!isRecord(options)) throw emptyOption(spendingOptions.displayName);
	const empty = spendingOptions.options.find(
		({ name }) => name in options && isEmpty(options[name]),
	);
	if (empty) throw emptyOption(empty.displayName);
	return options;
}

/**
 * Refuses a run with which the node would send more items in this execution than *Maximum Items* allows.
 * Runs in a loop and the calls of an agent count together. A dry run sends nothing, so it does not count.
 *
 * @param options of the first item, see {@link readSpendingOptions}
 * @param count items of the run
 * @returns whether the run is counted
 * @throws {InvalidInput} when the items are too many: then none of the run counts
 */
export function limitItems(
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

/**
 * Refuses an item that would be sent beside *Maximum Items*, because the first item does not send: its
 * operation costs nothing, or it has *Dry Run*.
 *
 * @param options of the item
 * @param isCounted what {@link limitItems} returned for the run
 * @throws {InvalidInput}
 */
export function requireCounted(options: Values, isCounted: boolean): void {
	if (isCounted || options.maximumItems === undefined || isDryRun(options)) return;
	throw new InvalidInput({
		message: "'Maximum Items' counts only items that are sent like the first one",
		nextStep:
			"Give all items the same operation and the same 'Dry Run'. Nothing was sent for this item.",
	});
}

/** Whether an item only shows what would be sent. @param options of the item */
export const isDryRun = ({ dryRun }: Values): boolean => isOn(dryRun);

/** The output of an item that only shows its request. */
export const dryRunOutput = (
	{ getCost }: Pick<Operation, 'getCost'>,
	request: IHttpRequestOptions,
): IDataObject => {
	const { method = 'GET', url, qs = {}, body } = request;
	return {
		result: 'would be sent',
		method,
		path: url,
		...(Object.keys(qs).length > 0 && { query: qs }),
		body: typeof body === 'string' ? (parseJson(body) as IDataObject) : getBody(request),
		...getCost?.(getBody(request), method),
	};
};
