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
import { readRunOptions } from './requestOptions';
import { runFailure } from './runFailure';
import { runItems, type Outcome, type Send } from './runItems';
import { again, memoryOf, remember } from './runMemory';
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
	const limiter = new Limiter(limit, stopAtFailure, context.getExecutionCancelSignal());
	const memory = memoryOf(context);
	const fields: Field[][] = [];

	const attempts = (request: IHttpRequestOptions): Attempts => ({
		method: request.method ?? 'GET',
		send: async () => await sendOnce(context, { ...request, ...http }, credential),
		pause: async (ms, forAll) => {
			if (forAll) limiter.pauseFor(ms);
			else await limiter.sleep(ms);
			await limiter.ready();
		},
	});
	const send = async (request: IHttpRequestOptions) =>
		await limiter.run(async () => {
			await limiter.ready();
			return await requestWithRetry(attempts(request));
		});

	const prepare = async (item: number): Promise<Send> => {
		const parameter = (name: string) => context.getNodeParameter(name, item, '');
		const operation = operationOf(parameter('resource'), parameter('operation'));
		fields[item] = operation.fields;
		const known = memory.get(item);
		if (known) return async () => await again(known);
		const values = readValues(context, operation.fields, item);
		checkFields(operation.fields, values);
		const request = await buildRequest(operation, values, endpoint);
		return async () => await sendItem(item, request, wantedRecords(values), limit, send);
	};

	const outcomes = await runItems(count, limiter, prepare);
	remember(memory, outcomes);
	return { outcomes, fields };
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
