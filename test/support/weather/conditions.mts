import { asObject, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import { passOn, type Exchange, type Handler } from '../hostileService/hostileServer.mts';

/** What an ordinary service is like, beside a service that is quick, tells everything, and allows any rate. */
export interface Conditions {
	/** How long a read takes, in milliseconds. */
	readMs?: number;
	/** How long a change takes. It is done when half of the time is over. */
	changeMs?: number;
	/** How long it takes to create a tool, if it is longer than another change. */
	creationMs?: number;
	/**
	 * The status with which a gateway answers each second change, which is carried out. Nobody can look up whether
	 * a tool was created, so it lets that answer through.
	 */
	gateway?: number;
	/** How many requests it allows in a second, from the first one of a window on. */
	rate?: number;
	/** On how many pages the list of assistants is. The records that are there are on the last one. */
	pages?: number;
	/** Gets the tools that were created. */
	created?: JsonObject[];
	/** How the list shows the record of an assistant. */
	show?: (assistant: JsonObject) => JsonObject;
	/** How the answer to a change of a tool shows its record. */
	showTool?: (tool: JsonObject) => JsonObject;
}

const LIST = '/api/user/assistants/get';

/** The envelope of a page of a list whose last page has the records. */
function pageOf(url: string, records: JsonObject[], pages: number): JsonObject {
	const page = Number(new URL(url, 'http://service').searchParams.get('page'));
	const others = Array.from({ length: 100 }, (_, index) => ({
		id: 1e6 + 100 * page + index,
		tools: [],
	}));
	return {
		current_page: page,
		data: page === pages ? records : others,
		last_page: pages,
		per_page: 100,
		total: 100 * (pages - 1) + records.length,
	};
}

/** The service as it is under some conditions. Changes are carried out whatever their answer is. */
export function handlerFor(conditions: Conditions): Handler {
	const { readMs = 0, changeMs = 0, creationMs = changeMs, pages = 1 } = conditions;
	const { gateway, rate, created, show = (assistant) => assistant, showTool } = conditions;
	let changes = 0;
	let window = { startedAt: -Infinity, count: 0 };

	const isRefused = (): boolean => {
		if (Date.now() >= window.startedAt + 1_000) window = { startedAt: Date.now(), count: 0 };
		window.count++;
		return window.count > (rate ?? Infinity);
	};

	/** Where there are several pages, the service is asked for its first one. */
	const toFirstPage = (url: string) => (pages > 1 ? url.replace(/\bpage=\d+/, 'page=1') : url);
	const read = async ({ request, response, askService, wait }: Exchange) => {
		await wait(readMs);
		const answer = await askService(toFirstPage(request.url));
		if (!request.url.startsWith(LIST) || answer.status !== 200) {
			passOn(response, answer);
			return;
		}
		const envelope = asObject(JSON.parse(Buffer.from(answer.text, 'latin1').toString()), 'list');
		const records = (envelope.data as JsonObject[]).map(show);
		const shown = pages > 1 ? pageOf(request.url, records, pages) : { ...envelope, data: records };
		const text = Buffer.from(JSON.stringify(shown)).toString('latin1');
		passOn(response, { ...answer, text });
	};
	const change = async ({ request, response, askService, wait }: Exchange) => {
		const canBeLookedUp = !request.url.endsWith('/user/tools');
		const ms = canBeLookedUp ? changeMs : creationMs;
		await wait(ms / 2);
		const answer = await askService();
		await wait(ms / 2);
		if (canBeLookedUp) changes++;
		else if (answer.status === 201) {
			created?.push(asObject(asObject(JSON.parse(answer.text), 'body').data, 'tool'));
		}
		if (gateway && canBeLookedUp && changes % 2 === 1) {
			const page = '<html><h1>Request Time-out</h1></html>';
			passOn(response, { status: gateway, type: 'text/html', text: page });
			return;
		}
		if (showTool && answer.status < 300 && request.url.includes('/user/tools')) {
			const body = asObject(JSON.parse(answer.text), 'body');
			const text = JSON.stringify({ ...body, data: showTool(asObject(body.data, 'tool')) });
			passOn(response, { ...answer, text });
			return;
		}
		passOn(response, answer);
	};
	return async (exchange) => {
		if (isRefused()) {
			exchange.response
				.writeHead(429, { 'Retry-After': '1' })
				.end('{"message":"Too Many Attempts."}');
			return;
		}
		await (exchange.request.method === 'GET' ? read : change)(exchange);
	};
}

/** The fields of assistants that triggers change, to compare what was before with what is left. */
export const registrations = (assistants: JsonObject[]): JsonObject[] =>
	assistants.map(
		({ id, webhook_url, is_webhook_active, inbound_webhook_url, tools, ...others }) => ({
			id,
			webhook_url,
			is_webhook_active,
			inbound_webhook_url,
			tools: (tools as JsonObject[]).map((tool) => tool.id),
			recording: others.include_recording_in_webhook,
		}),
	);

/** The services that triggers and runs meet, each by what it does. */
export const CONDITIONS: Array<[string, Conditions]> = [
	['takes 8 s for a change and 3 s for a page', { readMs: 3_000, changeMs: 8_000 }],
	['stands behind a gateway that answers 408', { gateway: 408 }],
	['allows two requests a second', { rate: 2 }],
];
