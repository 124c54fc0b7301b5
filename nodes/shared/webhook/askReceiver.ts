import type { IHookFunctions, IHttpRequestMethods, IN8nHttpFullResponse } from 'n8n-workflow';

import { getCause } from '../client/connection';
import type { Deadline } from '../client/deadline';
import { isAtProxy } from '../client/proxy';
import { asText, isRecord } from '../values/json';
import { HERE, OWN_URL_HEADER } from './authentication';
import { isTest, webhookUrl } from './triggerContext';

/** All attempts of n8n 2.41 to publish have time for it. */
const ASK_LIMIT_MS = 3_000;

/** No program listens at the address, or its host is unknown (nodejs.org/api/errors.html). */
const NO_CONNECTION = ['ECONNREFUSED', 'ENOTFOUND'];

/** What n8n answers for a webhook that it has with other methods (n8n.md#answer-for-another-method). */
const HAS_OTHER_METHOD = /^This webhook is not registered for GET requests\. Did you mean/;

/** What it answers for a path that no published workflow has. */
const NOT_REGISTERED = /^The requested webhook ".*" is not registered\.$/;

/**
 * Who receives at an address:
 * - `nobody`: nothing is there
 * - `unpublished`: an n8n is there, and has not published the trigger
 * - `here`: the address leads to this n8n, which has got a new one
 * - `other`: another n8n, or nothing proves that nobody does
 */
type Receiver = 'nobody' | 'unpublished' | 'here' | 'other';

/**
 * Sends a request without a token.
 *
 * @returns the status and the message, and whether this n8n answers
 * @throws what n8n's HTTP helper throws when nobody answers in time
 */
async function ask(
	context: IHookFunctions,
	method: IHttpRequestMethods,
	url: string,
	deadline: Deadline,
) {
	const { statusCode, body } = (await context.helpers.httpRequest({
		...{ method, url, json: true, headers: { [OWN_URL_HEADER]: webhookUrl(context) } },
		timeout: Math.min(ASK_LIMIT_MS, deadline.leftMs),
		abortSignal: deadline.signal,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		// Nothing secret is sent, and an n8n with a certificate of its own is alive too.
		skipSslCertificateValidation: true,
	})) as IN8nHttpFullResponse;
	const answer = isRecord(body) ? body : {};
	return { statusCode, message: asText(answer.message), isHere: answer[HERE] === true };
}

/**
 * Asks the address of a registered URL who receives there. The query has the token, and is not sent. Who cannot
 * be told counts as somebody: a trigger must not take the calls of another n8n.
 */
export async function askReceiver(
	context: IHookFunctions,
	registered: string,
	deadline: Deadline,
): Promise<Receiver> {
	const { origin, pathname } = new URL(registered);
	const url = `${origin}${pathname}`;
	try {
		const { statusCode, message, isHere } = await ask(context, 'GET', url, deadline);
		if (statusCode === 404 && NOT_REGISTERED.test(message)) return 'unpublished';
		// A mid call tool has GET too, and n8n publishes its methods one after the other.
		if (isHere || !HAS_OTHER_METHOD.test(message)) return isHere ? 'here' : 'other';
		return (await ask(context, 'POST', url, deadline)).isHere ? 'here' : 'other';
	} catch (error) {
		const { code = '', request } = getCause(error);
		const isOfProxy = request !== undefined && isAtProxy(request);
		return NO_CONNECTION.includes(code) && !isOfProxy ? 'nobody' : 'other';
	}
}

/**
 * Whose a registration at another address is that has this trigger's token. A test takes nothing there, so it asks
 * nobody.
 */
export async function ownerElsewhere(
	...[context, registered, deadline]: Parameters<typeof askReceiver>
): Promise<'foreign' | 'ours-in-other-mode'> {
	const isOthers =
		isTest(context) || (await askReceiver(context, registered, deadline)) === 'other';
	return isOthers ? 'foreign' : 'ours-in-other-mode';
}
