import { ApiError, RecordNotFound, type Response } from '../base/apiError.mts';
import { CampaignNotFound } from '../base/campaignRefusal.mts';
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
 * authorization-failures, tool-fields).
 *
 * @param error why it is refused
 */
export function providerRefusal(
	operationId: string,
	response: Response,
	error: unknown,
	assumptions: Assumptions,
): Response {
	if (response.status === 401) return { ...response, status: assumptions.unauthenticated };
	const [first] = error instanceof ApiError ? Object.values(error.errors ?? {}).flat() : [];
	const isTool = operationId === 'createTool' && assumptions['tool-fields'] === 'newer';
	if (isTool && first !== undefined) {
		return { ...response, body: { ...(response.body as object), message: first } };
	}
	const isForbidden = {
		'not-found': false,
		forbidden: error instanceof RecordNotFound,
		'forbidden-campaigns': error instanceof CampaignNotFound,
	}[assumptions['authorization-failures']];
	if (!isForbidden || !(error instanceof RecordNotFound) || !error.isOfAnother) return response;
	return { status: 403, body: { ...(response.body as object), message: error.forbidden } };
}
