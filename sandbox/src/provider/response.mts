import { RecordNotFound, type Response } from '../base/apiError.mts';
import type { Assumptions } from '../contract/assumptions.mts';
import type { Schemas } from '../contract/schemas.mts';
import { providerCall } from './call.mts';

/** What the service responds with success, as the provider does. */
export function providerResponse(
	operationId: string,
	response: Response,
	assumptions: Assumptions,
): Response {
	// The contract was checked: these are calls.
	if (operationId === 'getCall') {
		return { ...response, body: providerCall(response.body as Schemas['Call'], assumptions) };
	}
	if (operationId !== 'listCalls') return response;
	const page = response.body as { data: Array<Schemas['Call']> };
	const data = page.data.map((call) => providerCall(call, assumptions));
	return { ...response, body: { ...page, data } };
}

/**
 * What the service responds to a request that it refuses, as the provider does (assumptions: unauthenticated,
 * authorization-failures).
 *
 * @param error why it is refused
 */
export function providerRefusal(
	response: Response,
	error: unknown,
	assumptions: Assumptions,
): Response {
	if (response.status === 401) return { ...response, status: assumptions.unauthenticated };
	if (
		!(error instanceof RecordNotFound) ||
		!error.isOfAnother ||
		assumptions['authorization-failures'] === 'not-found'
	)
		return response;
	return { status: 403, body: { ...(response.body as object), message: error.forbidden } };
}
