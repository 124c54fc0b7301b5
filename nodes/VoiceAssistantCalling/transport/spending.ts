import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isRecord } from '../../shared/client/json';
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
	if (!isRecord(options)) return {};
	const empty = spendingOptions.options.find(
		({ name }) => name in options && isEmpty(options[name]),
	);
	if (!empty) return options;
	const label = empty.displayName;
	throw new InvalidInput({
		message: `'${label}' is empty`,
		nextStep: 'Check its expression, or remove the option. Nothing was sent for this item.',
		errors: { [label]: ['is empty'] },
	});
}

/**
 * Refuses a run with which the node would send more items in this execution than *Maximum Items* allows.
 * Runs in a loop and the calls of an agent count together.
 *
 * @param options of the first item, see {@link readSpendingOptions}
 * @param count items of the run
 * @throws {InvalidInput} when the items are too many: then none of the run counts
 */
export function limitItems(
	context: Pick<IExecuteFunctions, 'getExecutionId' | 'getNode'>,
	{ maximumItems }: Values,
	count: number,
	memory: RunMemory,
): void {
	if (maximumItems === undefined || countedRuns.has(memory)) return;
	const maximum = Number(maximumItems);
	const key = JSON.stringify([context.getExecutionId(), context.getNode().name]);
	const sent = sentItems.get(key) ?? 0;
	if (sent + count > maximum) {
		const before = sent > 0 ? `, after ${sent} in this execution` : '';
		throw new InvalidInput({
			message: `This run would send ${count} ${count === 1 ? 'item' : 'items'}${before}, and 'Maximum Items' is ${maximum}`,
			nextStep:
				"Nothing of this run was sent. Check where the items come from, or raise 'Maximum Items'.",
		});
	}
	countedRuns.add(memory);
	sentItems.set(key, sent + count);
}

/** Whether an item only shows what would be sent. @param options of the item */
export const isDryRun = (options: Values = {}): boolean => isOn(options.dryRun);

/** The output of an item that only shows its request. */
export const dryRunOutput = (
	{ getCost }: Pick<Operation, 'getCost'>,
	request: IHttpRequestOptions,
): IDataObject => ({
	result: 'would be sent',
	method: request.method,
	path: request.url,
	body: getBody(request),
	...getCost?.(getBody(request)),
});
