import type { Assumptions } from '../contract/assumptions.mts';
import { CALL_STATUSES } from '../contract/statuses.mts';
import { isFields } from './values.mts';

/**
 * The query of a request in the words of the contract (assumptions: call-status-names, largest-page).
 *
 * @param query as {@link asAssumed} allows it
 */
export function contractQuery(query: unknown, assumptions: Assumptions): unknown {
	if (!isFields(query)) return query;
	const { status, per_page: perPage } = query;
	const names = assumptions['call-status-names'];
	return {
		...query,
		...(status !== undefined && {
			status: CALL_STATUSES.find((each) => (names[each] ?? each) === status),
		}),
		...(typeof perPage === 'number' && {
			per_page: Math.min(perPage, assumptions['largest-page'].size),
		}),
	};
}

/** The body of a request with what the provider stores of it (assumption: webhook-url-form). */
export function contractBody(body: unknown, { 'webhook-url-form': form }: Assumptions): unknown {
	if (form === 'kept' || !isFields(body) || typeof body['webhook_url'] !== 'string') return body;
	const url = body['webhook_url'];
	const stored =
		form === 'normalised' ? new URL(url).href : url.replace(/^[^?#]*[^/?#](?=[?#]|$)/, '$&/');
	return { ...body, webhook_url: stored };
}
