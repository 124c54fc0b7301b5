import {
	sleep,
	type IDataObject,
	type IHookFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
} from 'n8n-workflow';

import { checkedBaseUrl } from './baseUrl';
import { exchange } from './exchange';
import type { Answer } from './readAnswer';
import { ServiceProblem } from './serviceProblem';

/** The credential type of this package. */
export const CREDENTIAL = 'voiceAssistantCallingApi';

const TIMEOUT_MS = 30_000;

/**
 * The path of the list of assistants, which the contract does not show: it is assumed, and the user can
 * change it in the credential (contract/assumptions.yaml, list assistants).
 *
 * @param value the credential's *Assistant List Path*
 * @throws {ServiceProblem} when it is anything but a plain path
 */
export function checkedListPath(value: unknown): string {
	const path = typeof value === 'string' ? value.trim() : '';
	if (/^(\/[\w-]+)+$/.test(path)) return path;
	throw new ServiceProblem({
		message: 'The Assistant List Path of the credential is not a path',
		description: 'It looks like /user/assistants/get: a slash, then words with slashes between.',
	});
}

/** A request from a picker or a trigger, outside of the run of an action node. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
}

/**
 * Sends a request of a picker or a trigger hook to the service, under the same rules as the action
 * node: no redirect is followed, reads are repeated, writes are sent once.
 *
 * @returns the body of the successful answer
 * @throws {ServiceProblem} in words, see {@link exchange}
 */
export async function serviceRequest(
	this: IHookFunctions | ILoadOptionsFunctions,
	{ method, path, qs, body }: ServiceRequest,
): Promise<IDataObject> {
	const { baseUrl } = await this.getCredentials(CREDENTIAL);
	const options = {
		method,
		url: checkedBaseUrl(baseUrl) + path,
		qs,
		body,
		json: true,
		headers: { Accept: 'application/json' },
		timeout: TIMEOUT_MS,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
	};
	return await exchange({
		isRead: method === 'GET',
		send: async () =>
			(await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, options)) as Answer,
		pause: async (ms) => await sleep(ms),
	});
}
