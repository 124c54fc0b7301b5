import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { logHourly } from '../log';
import { registeredToken } from './registeredToken';
import { hasHash, isSameToken, isToken, type Purpose } from './token';
import { ownToken, webhookUrl } from './triggerContext';

/** What a request without the token is told. */
const TOKEN_WRONG = 'The token of this address is missing or wrong.';

/** The header with which an n8n asks whether an address is its own: its URL of the trigger. */
export const OWN_URL_HEADER = 'x-n8n-webhook-url';

/** The field of the answer that says so. */
export const HERE = 'isThisN8n';

/**
 * Checks that a delivery carries the token of the trigger's registration: the one whose hash is stored, or the one
 * that is derived now. The stored hash alone is not enough, because n8n can store a former one
 * (n8n.md#static-data-of-a-poll). The derived token proves as much: it is the next one that is registered. A forged
 * delivery costs one read of the credential. A token is not remembered, because the API token can change.
 *
 * @param given the token that the delivery carries; empty when it has none
 * @param readPurpose reads from the parameters what the trigger is for
 * @returns what the token was registered for: an expression can have another value by now. Undefined when the
 * delivery is forged
 */
export async function authenticate<P extends Purpose>(
	context: IWebhookFunctions,
	given: string,
	readPurpose: (context: IWebhookFunctions) => P,
): Promise<P | undefined> {
	if (!isToken(given)) return undefined;
	try {
		const registered = registeredToken(context);
		if (registered && hasHash(given, registered.hash)) return JSON.parse(registered.purpose) as P;
		const purpose = readPurpose(context);
		return isSameToken(given, await ownToken(context, purpose)) ? purpose : undefined;
	} catch {
		// If this threw, n8n would store a failed execution for each forged delivery.
		return undefined;
	}
}

/** What n8n's log says of it. A proxy that drops the query is seen nowhere else. */
const NO_TOKEN =
	"A request got 401, because its token is missing or is not that of the published trigger. No execution started. If calls are missing, publish the workflow again, and check that the proxy in front of n8n passes the query and the headers on. 'Voice Assistant → Get Webhook Status' shows what is registered.";

/** Answers a delivery with 401, see {@link OWN_URL_HEADER}. No execution starts. */
export function respondUnauthorized(context: IWebhookFunctions): IWebhookResponseData {
	const asked = context.getHeaderData()[OWN_URL_HEADER];
	if (asked === undefined) logHourly(context, 'warn', NO_TOKEN);
	const isHere = asked !== undefined && asked === webhookUrl(context);
	context
		.getResponseObject()
		.status(401)
		.json({ message: TOKEN_WRONG, ...(isHere && { [HERE]: true }) });
	return { noWebhookResponse: true };
}
