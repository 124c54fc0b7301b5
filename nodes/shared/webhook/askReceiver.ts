import type { IDataObject, IHookFunctions, IHttpRequestMethods } from 'n8n-workflow';

import type { Deadline } from '../client/deadline';
import { asText, isRecord } from '../values/json';
import { HERE, OWN_URL_HEADER, TOKEN_WRONG } from './authentication';
import { webhookUrl } from './triggerContext';

/** A host that is gone takes no longer, so all attempts of n8n 2.41 to publish have time. */
const ASK_LIMIT_MS = 3_000;

/** What n8n answers for a webhook that it has with other methods (n8n 2.0, 2.41: webhook-not-found.error). */
const HAS_OTHER_METHOD = /^This webhook is not registered for GET requests\. Did you mean/;

/** What it answers for a path that no published workflow has. */
const NOT_REGISTERED = /^The requested webhook ".*" is not registered\.$/;

/**
 * Sends a request without a token.
 *
 * @returns the answer; empty when nobody answers in time, or not with JSON
 */
async function ask(
	context: IHookFunctions,
	method: IHttpRequestMethods,
	url: string,
	deadline: Deadline,
): Promise<IDataObject> {
	try {
		const answer: unknown = await context.helpers.httpRequest({
			...{ method, url, json: true, headers: { [OWN_URL_HEADER]: webhookUrl(context) } },
			timeout: Math.min(ASK_LIMIT_MS, deadline.leftMs),
			abortSignal: deadline.signal,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			// Nothing secret is sent, and an n8n with a certificate of its own is alive too.
			skipSslCertificateValidation: true,
		});
		return isRecord(answer) ? answer : {};
	} catch {
		return {};
	}
}

/**
 * Asks the address of a registered URL who receives there. The query has the token, and is not sent.
 *
 * @returns `other`: another n8n has published a trigger there. `here`: the address leads to this n8n, which has
 * got a new one. `unpublished`: an n8n is there, and has not published it. Else undefined
 */
export async function askReceiver(
	context: IHookFunctions,
	registered: string,
	deadline: Deadline,
): Promise<'other' | 'here' | 'unpublished' | undefined> {
	const { origin, pathname } = new URL(registered);
	const url = `${origin}${pathname}`;
	let answer = await ask(context, 'GET', url, deadline);
	if (NOT_REGISTERED.test(asText(answer.message))) return 'unpublished';
	const isPublished = HAS_OTHER_METHOD.test(asText(answer.message));
	if (isPublished) answer = await ask(context, 'POST', url, deadline);
	// A mid call tool has GET too, and n8n publishes its methods one after the other.
	if (!isPublished && answer.message !== TOKEN_WRONG) return undefined;
	return answer[HERE] === true ? 'here' : 'other';
}
