import {
	sleep,
	type IAllExecuteFunctions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
} from 'n8n-workflow';

import { toContractRecord } from '../records/contractRecord';
import type { RecordShape } from '../records/fieldShape';
import { toContractBody } from '../records/responseBody';
import { isRecord } from '../values/json';
import { connectionFailure } from './connection';
import { checkToken, CREDENTIAL, credentialWithoutItem, toEndpoint } from './credential';
import type { Deadline } from './deadline';
import { answerIn, isOfProxy, PROXY_STATUSES, proxyFailure } from './proxy';
import { receiveResponse, type ParsedResponse, type ParseResponse } from './response';
import type { Stream } from './readBody';
import { isRateLimit, requestWithRetry } from './retry';
import { withTimeLimit } from './timeLimit';

/** For pickers, where no {@link Deadline} says less. */
const SERVICE_REQUEST_TIMEOUT_MS = 30_000;

/**
 * The options of every request. Redirects are off, because n8n would send the token to other hosts
 * (n8n.md#requests-of-a-node). `parseResponse` handles the status. The body comes as a stream, see {@link receiveResponse}.
 */
export const REQUEST_DEFAULTS = {
	disableFollowRedirect: true,
	ignoreHttpStatusErrors: true,
	encoding: 'stream',
	returnFullResponse: true,
} satisfies Partial<IHttpRequestOptions>;

/** As text, because n8n's HTTP client leaves out variables named `constructor` (n8n.md#requests-of-a-node). */
function jsonText(body: IHttpRequestOptions['body']): string | undefined {
	if (typeof body === 'string') return body;
	return isRecord(body) && Object.keys(body).length > 0 ? JSON.stringify(body) : undefined;
}

/**
 * Sends a request once, with the token of the credential.
 *
 * @param options method, address, query, body and limits. `timeout` is for the whole response. A body that
 * is a text must be JSON
 * @param credential decrypted: n8n would read and decrypt it for each request
 * @param canceled ends the request
 * @param parse makes the result of the response
 * @returns the body, or the failure, in which no text shows the token. Never throws
 */
export async function sendOnce(
	context: Pick<IAllExecuteFunctions, 'helpers' | 'getNode'>,
	{ body, timeout = SERVICE_REQUEST_TIMEOUT_MS, ...options }: IHttpRequestOptions,
	credential: ICredentialDataDecryptedObject,
	canceled?: AbortSignal,
	parse?: ParseResponse,
): Promise<ParsedResponse> {
	const { helpers } = context;
	const text = jsonText(body);
	const headers = {
		Accept: 'application/json',
		...(text && { 'Content-Type': 'application/json' }),
	};
	return await withTimeLimit(timeout, canceled, async (signal) => {
		const request = {
			...options,
			...REQUEST_DEFAULTS,
			// Only in an error, n8n 2.41 shows the connection. n8n 2.0 takes this for `true`.
			ignoreHttpStatusErrors: { ignore: true as const, except: PROXY_STATUSES },
			headers,
			body: text,
			abortSignal: signal,
		};
		try {
			const sent = helpers.httpRequestWithAuthentication.call(
				// With the whole context of an execution, n8n would replace the signal (n8n.md#requests-of-a-node).
				{ helpers, getNode: () => context.getNode() } as IAllExecuteFunctions,
				CREDENTIAL,
				request,
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
			) as Promise<IN8nHttpFullResponse>;
			const response = await sent.catch(answerIn);
			if (isOfProxy(request.baseURL ?? request.url, response)) {
				(response.body as Stream).destroy();
				return { failure: proxyFailure(response.statusCode) };
			}
			const answer = { ...response, isRead: options.method === 'GET' };
			return await receiveResponse(answer, signal, checkToken(credential.apiToken), parse);
		} catch (error) {
			return { failure: connectionFailure(error, signal.aborted ? signal.reason : undefined) };
		}
	});
}

/** A request of a picker or a trigger. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** Whether the response is a page of a list. */
	isList?: boolean;
	/** The record of the response in the contract. */
	record?: RecordShape;
	/** Without it, any success is one. */
	parseResponse?: ParseResponse;
	/** Of all requests that belong together. Without it, each try has 30 seconds. */
	deadline?: Deadline;
	/** Whether the request may take all the time that is left. */
	isWaitedFor?: boolean;
	/** Decrypted, for many requests: n8n 2.41 needs an isolate each time it reads one. */
	credential?: ICredentialDataDecryptedObject;
}

/** Notes what an answer tells of the service, and whether a write may have changed something there. */
function noteAnswer(deadline: Deadline, method: IHttpRequestMethods, answer: ParsedResponse): void {
	const { received, ...failure } = 'failure' in answer ? answer.failure : { received: 'yes' };
	if (received === 'yes') deadline.noteAnswer();
	const isUntaken = received === 'no' || isRateLimit(failure);
	if (method !== 'GET' && !isUntaken) deadline.mayHaveChanged = true;
}

/**
 * Sends a request of a picker or a trigger to the service, under the same rules as the action
 * node: no redirect is followed, reads are repeated, writes are sent once.
 *
 * @returns the body of the successful response, see {@link toContractBody}
 * @throws {InvalidInput} when the credential is wrong, {ServiceError} see {@link requestWithRetry}
 */
export async function serviceRequest(
	context: IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions,
	request: ServiceRequest,
): Promise<IDataObject> {
	const { method, path, qs, body, isList = false, record, parseResponse, deadline } = request;
	const { isWaitedFor = false } = request;
	const credential = request.credential ?? (await credentialWithoutItem(context));
	const url = toEndpoint(credential).baseUrl + path;
	const response = await requestWithRetry({
		method,
		deadline,
		requestMs: isWaitedFor ? Infinity : undefined,
		// A picker has no deadline.
		hasTime: deadline !== undefined,
		sendOnce: async (leftMs) => {
			const timeout = Math.min(leftMs, isWaitedFor ? Infinity : SERVICE_REQUEST_TIMEOUT_MS);
			const options = { method, url, qs, body, timeout };
			const signal = deadline?.signal;
			const answer = await sendOnce(context, options, credential, signal, parseResponse);
			if (deadline) noteAnswer(deadline, method, answer);
			return answer;
		},
		wait: async (ms) => await sleep(ms),
	});
	const toRecord = (row: IDataObject) => (record ? toContractRecord(row, record) : row);
	return toContractBody(response, { isList, toRecord });
}
