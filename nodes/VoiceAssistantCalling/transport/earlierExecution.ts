import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { hasUnknownOutcome, ServiceError } from '../../shared/client/errors';
import { toHash } from '../../shared/webhook/token';
import type { BuiltItem } from './builtItem';
import type { KnownOutcome, Outcome } from './runItems';

/** How an item ended, as n8n stores it with the execution. */
interface StoredItem {
	/** Hash of account and request. */
	request: string;
	outputs?: IDataObject[];
	/** A failure after which nobody knows whether the service did it. */
	error?: Pick<ServiceError, 'message' | 'nextStep' | 'errors' | 'httpCode' | 'omittedErrors'>;
}

/** Items by their index, by the index of the run. */
type StoredRuns = Record<string, Record<string, StoredItem>>;

const STORED_UNDER = 'sentItems';

const hashOf = ({ method, url, qs, body }: IHttpRequestOptions, account: string): string =>
	toHash(JSON.stringify([account, method, url, qs, body]));

function toStored(request: string, outcome: KnownOutcome): StoredItem | undefined {
	if ('items' in outcome) return { request, outputs: outcome.items.map(({ json }) => json) };
	const { error } = outcome;
	if (!hasUnknownOutcome(error)) return undefined;
	const { message, nextStep, errors, httpCode, omittedErrors } = error;
	return { request, error: { message, nextStep, errors, httpCode, omittedErrors } };
}

/**
 * What *Retry* in the list of executions must not send again. n8n runs the failed node again with all its items,
 * and hands it what the node has put into the data of the failed execution (n8n 2.0, 2.41).
 */
export class EarlierExecution {
	private readonly context: IExecuteFunctions;

	private readonly isRetry: boolean;

	/** Of the items that may write something, by their index. */
	private readonly hashes = new Map<number, string>();

	private runIndex: string | undefined;

	constructor(context: IExecuteFunctions) {
		this.context = context;
		this.isRetry = context.getMode() === 'retry';
	}

	/**
	 * Finds out how an item ended in the execution that is tried again.
	 *
	 * @returns undefined when it is to be sent; `isChanged` when it was sent with other values
	 */
	find({ index, account, request }: BuiltItem): {
		outcome?: KnownOutcome;
		isChanged?: true;
	} {
		if (request.method === 'GET') return {};
		const hash = hashOf(request, account.key);
		this.hashes.set(index, hash);
		const stored = this.isRetry ? this.runs[this.run]?.[index] : undefined;
		if (!stored) return {};
		if (stored.request !== hash) return { isChanged: true };
		const { outputs = [], error } = stored;
		if (error) return { outcome: { error: new ServiceError({ ...error, outcomeUnknown: true }) } };
		const pairedItem = { item: index };
		return { outcome: { items: outputs.map((json) => ({ json, pairedItem })) } };
	}

	/** Stores how the items of a run ended, so that n8n hands it to a retry. */
	store(outcomes: Outcome[]): void {
		const items = [...this.hashes].flatMap(([index, hash]) => {
			const outcome = outcomes[index];
			const stored = outcome && toStored(hash, outcome);
			return stored ? [[String(index), stored] as const] : [];
		});
		if (items.length > 0) this.runs[this.run] = Object.fromEntries(items);
	}

	/** A run that succeeded is not tried again. */
	forget(): void {
		if (this.isRetry) Reflect.deleteProperty(this.runs, this.run);
	}

	private get runs(): StoredRuns {
		const data = this.context.getContext('node');
		data[STORED_UNDER] ??= {};
		return data[STORED_UNDER] as StoredRuns;
	}

	private get run(): string {
		this.runIndex ??= String(this.context.getWorkflowDataProxy(0).$runIndex);
		return this.runIndex;
	}
}
