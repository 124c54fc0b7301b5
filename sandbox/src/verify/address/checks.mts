import { asAssumed, type Check } from '../check.mts';
import type { Response } from '../client.mts';
import { isObject } from '../describe.mts';
import type { Run } from '../run.mts';
import { CannotCheck, Stop } from '../stop.mts';
import { readPage } from '../read/page.mts';
import { CALLS_PATH } from '../read/lists.mts';

const enter = (baseUrl: string): string => `Enter ${baseUrl} as Base URL.`;
const ASK = 'Ask your provider for the address of the API.';

const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400;
const isHtml = ({ headers }: Response): boolean =>
	/\bhtml\b/.test(headers.get('content-type') ?? '');

/** The service answers with JSON, also when it refuses; another program answers 404 or with a page. */
const isService = ({ status, body }: Response): boolean =>
	status !== 404 && !(status >= 300 && status < 400) && (isObject(body) || Array.isArray(body));

const LOGIN = /log-?in|sign-?in|auth/i;

/** Whether a page asks for a login: with its status, or by a redirect to a login page of the host. */
function wantsLogin(response: Response, baseUrl: string): boolean {
	if (response.status === 401 || response.status === 403) return true;
	const location = response.headers.get('location') ?? '';
	return (
		isRedirect(response) &&
		URL.canParse(location, baseUrl) &&
		new URL(location, baseUrl).origin === new URL(baseUrl).origin &&
		LOGIN.test(new URL(location, baseUrl).pathname)
	);
}

/** Where else on the same host the API may be. */
function otherBaseUrls(baseUrl: string): string[] {
	const { origin, pathname } = new URL(baseUrl);
	const upToApi = /^(.*?\/api)\//.exec(pathname)?.[1];
	const paths = [upToApi, `${pathname.replace(/\/$/, '')}/api`, '/api', ''];
	return [
		...new Set(paths.flatMap((path) => (path === undefined ? [] : `${origin}${path}`))),
	].filter((url) => url !== baseUrl);
}

/** What to enter instead; undefined when the API is nowhere on the host. */
async function foundElsewhere({ client, baseUrl: entered }: Run): Promise<string | undefined> {
	for (const baseUrl of otherBaseUrls(entered)) {
		if (isService(await client.getWithoutToken(`${baseUrl}${CALLS_PATH}`))) return baseUrl;
	}
	return undefined;
}

/** @throws {Stop} always, with what to enter */
async function explain(run: Run, response: Response): Promise<never> {
	const { baseUrl } = run;
	if (response.status >= 500) {
		throw new Stop(`The service fails (status ${response.status}). Try again later.`);
	}
	const location = response.headers.get('location') ?? '';
	if (isRedirect(response) && URL.canParse(location, baseUrl)) {
		const { origin, pathname } = new URL(location, baseUrl);
		// Any other path may be that of a login page.
		const isSamePath = pathname === new URL(baseUrl + CALLS_PATH).pathname;
		if (isSamePath && origin !== new URL(baseUrl).origin) {
			const path = pathname.slice(0, -CALLS_PATH.length);
			throw new Stop(`${baseUrl} leads to ${origin}. ${enter(origin + path)}`);
		}
	}
	const elsewhere = await foundElsewhere(run);
	const isWebsite = isHtml(response) || isRedirect(response);
	const what = isWebsite ? 'A website answers' : 'There is no API';
	throw new Stop(`${what} at ${baseUrl}. ${elsewhere === undefined ? ASK : enter(elsewhere)}`);
}

/**
 * First without the token: it goes only to what speaks JSON, or wants a login at an address that the user
 * has entered, as a service may whose refusals are pages.
 */
async function checkAddress(run: Run) {
	const { client, baseUrl } = run;
	const query = { per_page: 1 };
	const without = await client.get(CALLS_PATH, query, 'none');
	if (!isService(without) || without.status >= 500) {
		const isFound = wantsLogin(without, baseUrl) && (await foundElsewhere(run)) === undefined;
		const { status, ...response } = isFound ? await client.get(CALLS_PATH, query) : without;
		const isRefused = isFound && (status === 401 || status === 403);
		if (!isRefused && !readPage({ status, ...response })) await explain(run, without);
	}
	const { status, ...response } = await client.get(CALLS_PATH, query);
	if (status === 401 || status === 403) {
		throw new Stop(
			`The service refuses the API token (status ${status}). Copy it again from your account there.`,
		);
	}
	if (!readPage({ status, ...response })) {
		throw new Stop(
			`${baseUrl}${CALLS_PATH} has no list of calls (status ${status}). Check the path of the Base URL, which usually ends in /api.`,
		);
	}
	const seen = `status ${without.status} without the token, ${status} with it`;
	return asAssumed(
		'the API, which takes the token',
		isService(without) ? seen : `${seen}; the refusal is no JSON`,
	);
}

const address: Check = {
	key: 'address',
	level: 'address',
	async run(run) {
		try {
			return await checkAddress(run);
		} catch (error) {
			// Without an address, no other check makes sense.
			if (error instanceof CannotCheck) throw new Stop(error.message, { cause: error });
			throw error;
		}
	},
};

/** Whether the API is where the user says. It belongs to no assumption. */
export const ADDRESS_CHECKS: readonly Check[] = [address];
