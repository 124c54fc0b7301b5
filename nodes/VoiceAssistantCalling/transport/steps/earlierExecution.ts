import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { hasUnknownOutcome, ServiceError } from '../../../shared/client/errors';
import { toHash } from '../../../shared/values/hash';
import type { BuiltItem } from '../builtItem';
import type { HeldBack } from '../heldBack';
import type { KnownOutcome, ItemOutcome } from '../runItems';
import { warnings, type EndedRun, type Step, type StepHint } from './step';

/** What an item was when it was written. */
export interface WrittenItem {
	/** Hash of the operation and of the item that came in. */
	input: string;
	/** Hash of the values that were sent. */
	request: string;
}

/** How an item ended, as n8n stores it with the execution. */
interface StoredItem extends WrittenItem {
	outputs?: IDataObject[];
	/** Whether the outputs are not whole. */
	isShort?: true;
	/** A failure after which nobody knows whether the service did it. */
	error?: Pick<ServiceError, 'message' | 'nextStep' | 'errors' | 'httpCode' | 'omittedErrors'>;
}

/** What a run that failed tells those that try it again. */
interface StoredRun {
	/** The index of the run that failed. n8n tries only the last one again. */
	run: string;
	/** By the index of the item. */
	items: Record<string, StoredItem>;
}

const STORED_UNDER = 'sentItems';

/** The first of the executions that were tried again. */
const FIRST_UNDER = 'firstTried';

/** What is stored of a run: n8n keeps all data of an execution in one text, and reads it as a whole. */
const MAX_BYTES = 10_000_000;

/** How many items are measured before n8n may answer others. */
const MEASURED_AT_ONCE = 1_000;

const hashOf = (...values: unknown[]): string => toHash(JSON.stringify(values)).slice(0, 16);

function toStored(outcome: KnownOutcome): Pick<StoredItem, 'outputs' | 'error'> | undefined {
	if ('items' in outcome) return { outputs: outcome.items.map(({ json }) => json) };
	const { error } = outcome;
	if (!hasUnknownOutcome(error)) return undefined;
	const { message, nextStep, errors, httpCode, omittedErrors } = error;
	return { error: { message, nextStep, errors, httpCode, omittedErrors } };
}

/** What names an output, and says how it ended. */
const shortened = (outputs: IDataObject[]): IDataObject[] =>
	outputs.map(({ id, result }) => ({ ...(id !== undefined && { id }), ...(result && { result }) }));

const toShort = (stored: StoredItem): StoredItem =>
	stored.outputs ? { ...stored, outputs: shortened(stored.outputs), isShort: true } : stored;

/** What is said of items that *Retry* does not send again. */
const notSentAgain = (items: string): string =>
	`Retry: ${items} not sent again, because that was done in the execution that failed, or in another Retry of it. Each ends as it ended there.`;

/**
 * Names the first of the executions that are tried again, before anything can fail. n8n tells an execution only which
 * one it tries again, and not which one that tried.
 */
export function nameFirstTried(context: IExecuteFunctions): void {
	context.getContext('node')[FIRST_UNDER] ??= context.getExecutionId();
}

const reachedWithOthers = (items: string) =>
	`Retry: ${items} reached before, with other values, and not sent again. To send them with the values of now, start a new execution.`;

/**
 * What *Retry* in the list of executions must not send again. n8n runs the failed node again with all its items,
 * and hands it what the node has put into the data of the failed execution (n8n.md#retry-of-an-execution).
 *
 * An item is known by its place and by what came in, not by what is sent: `$now` or a new token make no new item.
 */
export class EarlierExecution implements Step {
	private readonly context: IExecuteFunctions;

	private readonly inputData: INodeExecutionData[];

	private readonly isRetry: boolean;

	/** The items that could be built, by their index. */
	private readonly built = new Map<number, WrittenItem>();

	/** Those that may have written something, also those of earlier tries. */
	private readonly written: Map<number, WrittenItem>;

	private readonly repeated = new Set<number>();

	private runIndex: string | undefined;

	/** How many items are known or stored without their whole output. */
	private shortCount = 0;

	constructor(context: IExecuteFunctions, written: Map<number, WrittenItem>) {
		this.context = context;
		this.written = written;
		this.inputData = context.getInputData();
		this.isRetry = context.getMode() === 'retry';
	}

	/** Ends an item as it ended in the execution that is tried again, also one that could not be built now. */
	lookBack(index: number, { action }: BuiltItem['operation']): HeldBack | undefined {
		const stored = this.earlier?.items[index];
		if (stored?.input !== this.inputHash(index, action)) return undefined;
		this.repeated.add(index);
		const { outputs = [], error, isShort } = stored;
		if (isShort) this.shortCount++;
		const hints = [notSentAgain];
		if (error) {
			return { hints, outcome: { error: new ServiceError({ ...error, outcomeUnknown: true }) } };
		}
		const pairedItem = { item: index };
		return { hints, outcome: { items: outputs.map((json) => ({ json, pairedItem })) } };
	}

	look(item: BuiltItem): HeldBack | undefined {
		const { index, operation, account, request } = item;
		const { method, url, qs, body } = request;
		if (method === 'GET') return undefined;
		const input = this.inputHash(index, operation.action);
		const built = { input, request: hashOf(account.key, method, url, qs, body) };
		this.built.set(index, built);
		const { earlier, firstTried } = this;
		// A second Retry of the first execution gets nothing of what the first Retry did.
		if (firstTried) item.retryKey = `retry of ${firstTried}: ${this.run} ${index} ${input}`;
		const held = this.lookBack(index, operation);
		const isChanged = earlier?.items[index]?.request !== built.request;
		return held && isChanged ? { ...held, hints: [notSentAgain, reachedWithOthers] } : held;
	}

	/** The item is about to be sent. */
	lookInTurn({ index }: BuiltItem): undefined {
		const built = this.built.get(index);
		if (built) this.written.set(index, built);
	}

	goesOnAfter(item: number): boolean {
		return this.repeated.has(item);
	}

	/** Stores how the items of a run that failed ended. One that succeeded is not tried again. */
	async runEnds({ outcomes, isFailed }: EndedRun): Promise<void> {
		if (isFailed) await this.store(outcomes);
		else Reflect.deleteProperty(this.data, STORED_UNDER);
	}

	get hints(): StepHint[] {
		if (this.shortCount === 0) return [];
		return warnings([
			`'Retry' knows only the ID and the result of ${this.shortCount} items that were sent before, because the outputs of a failed run are kept up to 10 MB.`,
		]);
	}

	/** Stores how the items of a run ended, so that n8n hands it to a retry. */
	private async store(outcomes: ItemOutcome[]): Promise<void> {
		if (this.written.size === 0) return;
		// What an earlier execution sent, and this one did not come to, was sent nevertheless.
		const sent: Record<string, StoredItem> = { ...this.earlier?.items };
		for (const [index, known] of this.written) {
			const outcome = outcomes[index];
			const stored = outcome && toStored(outcome);
			if (stored) sent[index] = { ...known, ...stored };
		}
		const entries = Object.entries(sent).map(
			([index, whole]) => [index, whole, toShort(whole)] as const,
		);
		let left = MAX_BYTES;
		const bytes = (stored: StoredItem) => Buffer.byteLength(JSON.stringify(stored));
		for (const [, , short] of entries) left -= bytes(short);
		const items: Record<string, StoredItem> = {};
		for (const [position, [index, whole, short]] of entries.entries()) {
			if (position % MEASURED_AT_ONCE === 0) await sleep(0);
			const more = bytes(whole) - bytes(short);
			const fits = more <= left;
			if (fits) left -= more;
			else this.shortCount++;
			items[index] = fits ? whole : short;
		}
		this.data[STORED_UNDER] = { run: this.run, items } satisfies StoredRun;
	}

	private inputHash(index: number, action: string): string {
		return hashOf(action, this.inputData[index]?.json);
	}

	private get data(): IDataObject {
		return this.context.getContext('node');
	}

	/** What the execution that is tried again says of this run. */
	private get earlier(): StoredRun | undefined {
		if (!this.isRetry) return undefined;
		const stored = this.data[STORED_UNDER] as StoredRun | undefined;
		return stored?.run === this.run ? stored : undefined;
	}

	/** The first execution of those that were tried again; undefined when this one tries none. */
	private get firstTried(): string | undefined {
		return this.isRetry ? (this.data[FIRST_UNDER] as string | undefined) : undefined;
	}

	private get run(): string {
		this.runIndex ??= String(this.context.getWorkflowDataProxy(0).$runIndex);
		return this.runIndex;
	}
}
