/**
 * The query parameter with which a tool's endpoint names the assistants that the trigger gives it to: no record
 * of a newer service does (public-service: Assistant record). No parameter of a tool can have this name.
 */
export const ASSISTANTS_PARAMETER = 'n8n-assistants';

const NOBODY = 'none';

/** The longest endpoint of a newer service (public-service: Limits; S3). */
const MAX_LENGTH = 2048;

/**
 * The endpoint of a tool, which names its assistants.
 *
 * @param url of the trigger's webhook, without a query
 * @returns the URL alone when the endpoint would be too long
 */
export function toolEndpoint(url: string, assistantIds: number[]): string {
	const ids = assistantIds.toSorted((a, b) => a - b).join('-');
	const endpoint = `${url}?${ASSISTANTS_PARAMETER}=${ids || NOBODY}`;
	return endpoint.length > MAX_LENGTH ? url : endpoint;
}

/** The assistants that an endpoint names; undefined when it does not say who has the tool. */
export function assistantsOf(endpoint: unknown): number[] | undefined {
	if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return undefined;
	const named = new URL(endpoint).searchParams.get(ASSISTANTS_PARAMETER) ?? '';
	if (named === NOBODY) return [];
	return /^\d+(-\d+)*$/.test(named) ? named.split('-').map(Number) : undefined;
}
