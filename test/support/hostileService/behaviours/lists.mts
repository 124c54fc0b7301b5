import { passOn, type Handler } from '../hostileServer.mts';
import type { Behaviour } from './behaviour.mts';
import { changed, plainTime, reply } from './replies.mts';

/** More than anybody asks for: with pages of 100, the tests would take a minute. */
const PAGE = 1000;

/** As if the list grew by ten pages with each page that is read. */
const growingList: Handler = async (exchange) => {
	const { request, response, origin, askService } = exchange;
	const { pathname, searchParams } = new URL(request.url, origin);
	if (request.method !== 'GET' || pathname.startsWith('/recordings')) {
		passOn(response, await askService());
		return;
	}
	const page = Number(searchParams.get('page') ?? 1);
	const created_at = plainTime(Date.now());
	const data = Array.from({ length: PAGE }, (_, index) => ({
		id: 1_000_000 + PAGE * page + index,
		status: 'completed',
		created_at,
	}));
	const size = { total: PAGE * (page + 10), last_page: page + 10, per_page: PAGE };
	reply(200, { current_page: page, data, ...size })(exchange);
};

/** A list that says other things about its size. */
const withSize = (size: object): Behaviour => ({
	name: `a list with ${JSON.stringify(size)}`,
	handler: changed((text) =>
		text.startsWith('{"current_page"')
			? JSON.stringify({ ...(JSON.parse(text) as object), ...size })
			: text,
	),
	isEndlessList: true,
});

/** Lists without an end. */
export const lists: Behaviour[] = [
	{ name: 'a list that grows with each page', handler: growingList, isEndlessList: true },
	withSize({ total: 1e308, last_page: 1e308 }),
	withSize({ total: -1, last_page: 'many', per_page: 0 }),
];
