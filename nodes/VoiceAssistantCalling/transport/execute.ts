import type { IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { CREDENTIAL, endpointOf } from '../../shared/client/credential';
import { sendOnce } from '../../shared/client/request';
import { requestWithRetry, type Attempts } from '../../shared/client/retry';
import { buildRequest } from '../fields/buildRequest';
import { checkFields } from '../fields/checkFields';
import { readValues } from '../fields/fieldValues';
import type { Field } from '../fields/routing';
import { operationOf } from '../resources';
import { errorTexts, type ErrorTexts } from './errorTexts';
import { Limiter } from './limiter';
import { readRunOptions } from './readRunOptions';
import { runFailure } from './runFailure';
import { runItems, type Outcome, type Send } from './runItems';
import { memoryOf, remember, replay } from './runMemory';
import { sendItem, wantedRecords } from './sendItem';

/** How the items of a run ended, and the fields by which their failures are told. */
interface Result {
	outcomes: Outcome[];
	fields: Field[][];
}

/** Sends the items of a run. Credential and Request Options are read once. */
async function run(
	context: IExecuteFunctions,
	count: number,
	stopAtFailure: boolean,
): Promise<Result> {
	const credential = await context.getCredentials(CREDENTIAL);
	const endpoint = endpointOf(credential);
	const { limit, http } = readRunOptions(context);
	const limiter = new Limiter(limit, context.getExecutionCancelSignal());
	const memory = memoryOf(context);
	const fields: Field[][] = [];

	const attempts = (request: IHttpRequestOptions): Attempts => ({
		method: request.method ?? 'GET',
		send: async () => await sendOnce(context, { ...request, ...http }, credential),
		onRateLimit: (ms) => limiter.pauseFor(ms),
		pause: async (ms) => {
			await limiter.sleep(ms);
			await limiter.pauseEnd();
		},
	});
	/** An item with one request fails with it; one with pages may not need the page that fails. */
	const sender = (isOnlyRequest: boolean) => async (request: IHttpRequestOptions) =>
		await limiter.run(
			async () => await requestWithRetry(attempts(request)),
			stopAtFailure && isOnlyRequest,
		);

	const prepare = async (item: number): Promise<Send> => {
		const parameter = (name: string) => context.getNodeParameter(name, item, '');
		const operation = operationOf(parameter('resource'), parameter('operation'));
		fields[item] = operation.fields;
		const earlier = memory.get(item);
		if (earlier) return async () => await limiter.run(() => replay(earlier), stopAtFailure);
		const values = readValues(context, operation.fields, item);
		checkFields(operation.fields, values);
		const request = await buildRequest(operation, values, endpoint);
		const wanted = wantedRecords(values);
		return async () => await sendItem(item, request, wanted, limit, sender(wanted === undefined));
	};

	const outcomes = await runItems(count, limiter, prepare, stopAtFailure);
	remember(memory, outcomes);
	return { outcomes: outcomes.map((outcome, item) => outcome ?? memory.get(item)), fields };
}

/** An item for the error output. Under *error* n8n keeps all of it: fields, code and pairing. */
const errorItem = (error: ErrorTexts, item: number): INodeExecutionData => ({
	json: { error: { ...error } },
	pairedItem: { item },
});

/**
 * Runs the action node: each item becomes one request, or the requests of its pages.
 *
 * n8n's own engine for declarative nodes prepares all items before the first request leaves, and stops
 * n8n while it does (docs/decisions/0001-a-runner-of-our-own.md).
 *
 * @returns the records that came back, paired with their input items; with continue on fail, and as a
 * tool of an AI agent, an item with the error for each item that failed
 * @throws {NodeApiError} what happened, to which items, and which went through
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const count = this.getInputData().length;
	// Agents turn a thrown error into an empty text (n8n 2.0 to 2.41); they can read an item.
	const failsAlone = this.continueOnFail() || this.getNode().type.endsWith('Tool');
	const { outcomes, fields } = await run(this, count, !failsAlone).catch(
		(error: unknown): Result => ({
			outcomes: Array.from({ length: count }, () => ({ error })),
			fields: [],
		}),
	);

	const failure = failsAlone ? undefined : runFailure(this.getNode(), outcomes, fields);
	if (failure) throw failure;
	return [
		outcomes.flatMap((outcome, item) => {
			if (!outcome) return [];
			if ('items' in outcome) return outcome.items;
			return [errorItem(errorTexts(outcome.error, fields[item] ?? []), item)];
		}),
	];
}
