import type { Client, ReceivedResponse } from './client.mts';
import { CannotCheck, finding, isObject, Stop, type Finding } from './finding.mts';

export const CALLS_PATH = '/user/calls';

const ASK = 'Check the Base URL, which usually ends in /api, or ask your provider for it.';

/**
 * Whether an API answers at the Base URL, first without the token: the token goes only to what answers
 * with JSON, or with a status that asks for it.
 *
 * @throws {Stop} when the user has to change the Base URL or the token
 */
export async function checkAddress(client: Client, baseUrl: string): Promise<Finding> {
	const read = async (withToken: boolean): Promise<ReceivedResponse> => {
		try {
			return await client.get(`${CALLS_PATH}?per_page=1`, withToken);
		} catch (error) {
			// Without an address, nothing else makes sense.
			throw error instanceof CannotCheck ? new Stop(error.message, { cause: error }) : error;
		}
	};
	const isRefused = (response: ReceivedResponse) =>
		response.status === 401 || response.status === 403;
	const without = await read(false);
	const { headers, body, status } = without;
	if (status >= 500) throw new Stop(`The service fails (status ${status}). Try again later.`);
	const { origin } = new URL(headers.get('location') ?? baseUrl, baseUrl);
	if (origin !== new URL(baseUrl).origin) throw new Stop(`${baseUrl} leads to ${origin}. ${ASK}`);
	const isApi = status === 200 && (isObject(body) || Array.isArray(body));
	if (!isApi && !isRefused(without)) {
		throw new Stop(`There is no API at ${baseUrl} (status ${status}). ${ASK}`);
	}
	const withToken = await read(true);
	if (isRefused(withToken)) {
		const text = `The service refuses the API token (status ${withToken.status}).`;
		throw new Stop(`${text} Copy it again from your account there.`);
	}
	const topic = 'Address';
	if (status === 401) return finding('ok', topic, 'the API answers, and takes the token.');
	const text = `without the token, the API answers ${status} instead of 401. A wrong token can look like another error.`;
	return finding('note', topic, text);
}
