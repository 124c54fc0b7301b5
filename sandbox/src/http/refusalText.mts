import * as z from 'zod';

import { parseJson } from '../base/parseJson.mts';
import { breaksAnswer } from '../faults/requestFaults.mts';
import type { OpenRequest } from './journal.mts';
import type { SentResponse } from './sendReply.mts';

const refusalBody = z.object({
	message: z.string(),
	errors: z.record(z.array(z.string())).optional(),
});

/**
 * Says why a request was of no use, and for whom: "POST /api/user/lead for +12345678 was answered 422. Invalid
 * phone number."
 *
 * @param sent undefined when the connection was closed
 * @returns undefined for a request that got its answer
 */
export function refusalText(
	{ entry: { method, path, body }, fault, faultEffect, weather }: OpenRequest,
	sent: SentResponse | undefined,
): string | undefined {
	const isBroken = fault !== undefined && breaksAnswer(fault);
	if (sent && sent.status < 400 && !isBroken) return undefined;
	const request = [`${method} ${path}`, ...numberIn(body)].join(' for ');
	const cause = fault && faultEffect === 'decided' ? ` by fault ${fault.id}` : '';
	if (!sent) return `${request} got no answer: its connection was closed${cause}.`;
	return [
		`${request} was answered ${sent.status}${cause}.`,
		...weather,
		...(isBroken ? ['The fault broke the answer.'] : []),
		...reasons(sent.text).map((reason) =>
			reason.replace(`${sent.status} `, '').replace(/\.?$/, '.'),
		),
	].join(' ');
}

/** What looks like a phone number, whether or not it is one. */
const number = z.string().regex(/^\+?[\d ()./-]{3,30}$/);
const withNumber = z.union([z.object({ phone_number: number }), z.object({ to: number })]);

/** The phone number of a lead or an SMS in a body, if there is one. */
const numberIn = (body: unknown): string[] => Object.values(withNumber.safeParse(body).data ?? {});

function reasons(text: string): string[] {
	const { data } = refusalBody.safeParse(parseJson(text));
	if (!data) return [];
	const fields = Object.entries(data.errors ?? {}).filter(([, messages]) => messages.length > 0);
	return [data.message, ...fields.map(([field, [first]]) => `${field}: ${first}`)];
}
