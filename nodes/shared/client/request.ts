import {
	sleep,
	type IAllExecuteFunctions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHookFunctions,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
} from 'n8n-workflow';

import { CREDENTIAL, endpointOf } from './credential';
import type { Response } from './response';
import { requestWithRetry } from './retry';

/** For pickers and triggers. The action node has an option for it. */
const SERVICE_REQUEST_TIMEOUT_MS = 30_000;

/**
 * The time limit of a request of a trigger's hooks, and of a poll that activates a workflow. While the service does not answer, each of the five
 * attempts of n8n 2.41 to publish ends within 3 seconds.
 */
export const HOOK_TIME_LIMIT_MS = 2_500;

/**
 * The options of every request. Redirects are off, because n8n would send the token to other hosts (n8n
 * 2.0, 2.41). `parseResponse` handles the status.
 */
export const REQUEST_DEFAULTS = {
	headers: { Accept: 'application/json' },
	disableFollowRedirect: true,
	ignoreHttpStatusErrors: true,
} satisfies Partial<IHttpRequestOptions>;

/**
 * Sends a request once, with the token of the credential.
 *
 * @param options method, address, query, body and limits
 * @param credential decrypted: n8n would read and decrypt it for each request
 * @throws what n8n's helper throws when no response came
 */
export async function sendOnce(
	context: Pick<IAllExecuteFunctions, 'helpers'>,
	options: IHttpRequestOptions,
	credential: ICredentialDataDecryptedObject,
): Promise<Response> {
	return (await context.helpers.httpRequestWithAuthentication.call(
		context as IAllExecuteFunctions,
		CREDENTIAL,
		{ ...options, ...REQUEST_DEFAULTS, json: true, returnFullResponse: true },
		{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
	)) as Response;
}

/** A request of a picker or a trigger. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** See {@link requestWithRetry}. Without it, each try has 30 seconds. */
	timeLimitMs?: number;
	/** Decrypted, for many requests: n8n 2.41 needs an isolate each time it reads one. */
	credential?: ICredentialDataDecryptedObject;
}

/**
 * Sends a request of a picker or a trigger to the service, under the same rules as the action
 * node: no redirect is followed, reads are repeated, writes are sent once.
 *
 * @returns the body of the successful response
 * @throws {InvalidInput} when the credential is wrong, {ServiceError} see {@link requestWithRetry}
 */
export async function serviceRequest(
	this: IHookFunctions | ILoadOptionsFunctions | IPollFunctions,
	{ method, path, qs, body, timeLimitMs, credential: given }: ServiceRequest,
): Promise<IDataObject> {
	const credential =
		given ?? (await this.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL));
	const url = endpointOf(credential).baseUrl + path;
	return await requestWithRetry({
		method,
		timeLimitMs,
		sendOnce: async (timeLeftMs) => {
			// A timeout of 0 would be no timeout.
			const timeout = Math.max(1, Math.min(timeLeftMs, SERVICE_REQUEST_TIMEOUT_MS));
			return await sendOnce(this, { method, url, qs, body, timeout }, credential);
		},
		wait: async (ms) => await sleep(ms),
	});
}
