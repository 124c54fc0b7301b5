import { observation, type Run } from '../run.mts';
import { CannotCheck } from '../stop.mts';
import { isRefused, readPage, requirePage, type Page } from './page.mts';

export const CALLS_PATH = '/user/calls';
const LARGEST_PAGE = 100;

/** Where the assistants may be listed: the assumed path first. */
export const ASSISTANT_PATHS = [
	'/user/assistants/get',
	'/user/assistants',
	'/user/assistant/get',
	'/user/assistant',
	'/assistants',
];

/** Where campaigns may be listed: the path that the nodes ask first. */
export const CAMPAIGN_PATHS = ['/user/campaigns/get', '/user/campaigns'];

interface List {
	path: string;
	/** The first page, as long as possible. */
	page: Page;
}

/**
 * The first path that has a list. Each costs a request, so the likely ones come first.
 *
 * @throws {CannotCheck} when the service fails: the list may be there all the same
 */
async function findList(run: Run, paths: readonly string[]): Promise<List | undefined> {
	for (const path of paths) {
		const response = await run.client.get(path, { per_page: LARGEST_PAGE });
		const { status } = response;
		const page = readPage(response);
		if (page) return { path, page };
		if (status >= 500) throw new CannotCheck(`The service answered GET ${path} with ${status}.`);
		if (!isRefused(response)) continue;
		// The service has smaller pages.
		const smaller = readPage(await run.client.get(path));
		if (smaller) return { path, page: smaller };
	}
	return undefined;
}

/** The first page of the calls, as long as possible, and the size that was asked for. */
export const callList = observation(async ({ client }): Promise<{ page: Page; size: number }> => {
	for (const size of [LARGEST_PAGE, 50]) {
		const page = readPage(await client.get(CALLS_PATH, { per_page: size }));
		if (page) return { page, size };
	}
	const size = 15;
	return { page: requirePage(await client.get(CALLS_PATH, { per_page: size }), 'calls'), size };
});

/** The list of assistants and its path; undefined when no path has it. */
export const assistantList = observation((run) => findList(run, ASSISTANT_PATHS));

/** The list of campaigns and its path; undefined when no path has it. */
export const campaignList = observation((run) => findList(run, CAMPAIGN_PATHS));

/** The calls of the first page. @throws {CannotCheck} when the list cannot be read */
export const calls = async (run: Run) => (await callList(run)).page.rows;

/** The assistants of the first page. @throws {CannotCheck} when no list was found */
export async function assistants(run: Run) {
	const list = await assistantList(run);
	if (!list) throw new CannotCheck('The list of assistants was not found.');
	return list.page.rows;
}
