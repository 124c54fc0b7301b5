import type { Assumptions } from '../contract/assumptions.mts';
import { CALL_STATUSES } from '../contract/statuses.mts';
import { isFields, type Fields } from './values.mts';

/**
 * The query of a request in the words of the contract (assumptions: call-status-names, largest-page, phone-number-form).
 *
 * @param query as {@link asAssumed} allows it
 */
export function contractQuery(query: unknown, assumptions: Assumptions): unknown {
	if (!isFields(query)) return query;
	const { status, per_page: perPage } = query;
	const names = assumptions['call-status-names'];
	return {
		...withPhoneNumbers(query, assumptions),
		...(status !== undefined && {
			status: CALL_STATUSES.find((each) => (names[each] ?? each) === status) ?? status,
		}),
		...(typeof perPage === 'number' && {
			per_page: Math.min(perPage, assumptions['largest-page'].size),
		}),
	};
}

/** The body of a request with what the provider makes of it (assumptions: webhook-url-form, phone-number-form). */
export function contractBody(body: unknown, assumptions: Assumptions): unknown {
	if (!isFields(body)) return body;
	const { webhook_url: url, secondary_contacts: contacts } = body;
	const withPlus = (fields: Fields) => withPhoneNumbers(fields, assumptions);
	return {
		...withPlus(body),
		...(typeof url === 'string' && { webhook_url: storedUrl(url, assumptions) }),
		...(Array.isArray(contacts) && { secondary_contacts: contacts.map(withPlus) }),
	};
}

function storedUrl(url: string, { 'webhook-url-form': form }: Assumptions): string {
	switch (form) {
		case 'kept':
			return url;
		case 'normalised':
			return new URL(url).href;
		case 'trailing-slash':
			return url.replace(/^[^?#]*[^/?#](?=[?#]|$)/, '$&/');
	}
}

/** Where phone numbers are numbers, they have their country code in front, and no plus. */
function withPhoneNumbers(fields: Fields, { 'phone-number-form': form }: Assumptions): Fields {
	if (form === 'texts') return fields;
	const numbers = ['phone_number', 'to'].flatMap((name): Array<[string, string]> => {
		const number = fields[name];
		return typeof number === 'string' && /^\d+$/.test(number) ? [[name, `+${number}`]] : [];
	});
	return { ...fields, ...Object.fromEntries(numbers) };
}
