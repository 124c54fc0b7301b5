import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { InvalidInput } from '../../shared/client/errors';
import { isOn } from '../../shared/fields/booleans';
import { isEmpty } from '../../shared/fields/values';
import { ProcessMemory } from '../../shared/processMemory';
import { isRecord, parseJson } from '../../shared/values/json';
import { checkFields } from '../fields/checkFields';
import { readValue, type Values } from '../fields/fieldValues';
import { getBody } from '../fields/routing';
import { costsMoney } from '../resources';
import type { Operation } from '../resources/operation';
import { doNotCall, spendingOptions } from '../resources/spendingOptions';
import { DoNotCall, type ListedNumber } from './doNotCall';
import { emptyOption } from './emptyOption';
import type { RunMemory } from './runMemory';

/** How many items each node has sent in each execution. */
const sentItems = new ProcessMemory<number>('sentItems');

/** The runs that are counted. *Retry On Fail* repeats a run, which counts once. */
const countedRuns = new WeakSet<RunMemory>();

/** Whether an item only shows what would be sent. @param options of the item */
const isDryRun = ({ dryRun }: Values): boolean => isOn(dryRun);

/** The options of an item but *Do Not Call*, whose list can be long. */
function readOptions(context: IExecuteFunctions, entered: unknown, item: number): Values {
	const { name, displayName, options: fields } = spendingOptions;
	const shown = fields.filter((field) => !isRecord(entered) || field.name in entered);
	const options = isRecord(entered)
		? Object.fromEntries(
				shown.map((field) => [
					field.name,
					readValue(context, field, item, `${name}.${field.name}`),
				]),
			)
		: readValue(context, spendingOptions, item);
	checkFields([spendingOptions], { [name]: options });
	if (!isRecord(options)) throw emptyOption(displayName);
	const empty = shown.find((field) => field.name in options && isEmpty(options[field.name]));
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
	private readonly entered: unknown;

	/** Whether *Maximum Items* counts the items of the run. */
	private readonly isCounted: boolean;

	private readonly doNotCall: DoNotCall | undefined;

	/**
	 * @throws {InvalidInput} when *Maximum Items* of the first item allows fewer, or one of its options is wrong
	 * or empty
	 */
	constructor(context: IExecuteFunctions, memory: RunMemory) {
		this.context = context;
		this.entered = context.getNode().parameters[spendingOptions.name] ?? {};
		const list = isRecord(this.entered) ? this.entered[doNotCall.name] : undefined;
		this.doNotCall = list === undefined ? undefined : new DoNotCall(context, list);
		const { length: count } = context.getInputData();
		const parameter = (name: string) => context.getNodeParameter(name, 0, '');
		this.isCounted =
			count > 0 &&
			costsMoney(parameter('resource'), parameter('operation')) &&
			limitItems(context, readOptions(context, this.entered, 0), count, memory);
	}

	/**
	 * Refuses an item that would be sent beside *Maximum Items*, because the first item does not send: its
	 * operation costs nothing, or it has *Dry Run*.
	 *
	 * @returns whether the item only shows what would be sent
	 * @throws {InvalidInput} also when an option is wrong or empty
	 */
	isDryRun(item: number): boolean {
		const options = readOptions(this.context, this.entered, item);
		if (isDryRun(options)) return true;
		if (this.isCounted || options.maximumItems === undefined) return false;
		throw new InvalidInput({
			message: "'Maximum Items' counts only items that are sent like the first one",
			nextStep:
				"Give all items the same operation and the same 'Dry Run'. Nothing was sent for this item.",
		});
	}

	/** Whether there is a list of *Do Not Call*. */
	get hasList(): boolean {
		return this.doNotCall !== undefined;
	}

	/**
	 * Finds a phone number of a request that is on the list of *Do Not Call*.
	 *
	 * @param code the default country code in digits; empty for none
	 * @throws {InvalidInput} when the list is empty text, or its expression fails
	 */
	async findListed(
		item: number,
		request: IHttpRequestOptions,
		code: string,
	): Promise<ListedNumber | undefined> {
		return await this.doNotCall?.find(item, request, code);
	}

	/** What n8n's log says of the options. */
	get warnings(): string[] {
		return this.doNotCall?.warnings ?? [];
	}
}

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
