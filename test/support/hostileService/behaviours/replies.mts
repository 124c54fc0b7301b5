import { passOn, type Exchange, type Handler } from '../hostileServer.mts';

/** Replies with a body: a text as a web page, any other value as JSON. */
export const reply =
	(status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
	({ response }) => {
		const isText = typeof body === 'string';
		const type = isText ? 'text/html' : 'application/json';
		const text = isText ? body : JSON.stringify(body);
		response.writeHead(status, { 'Content-Type': type, ...headers }).end(text);
	};

/** Replies with a text as JSON, whether or not it is. */
export const replyJson = (text: string, status = 200): Handler =>
	reply(status, text, { 'Content-Type': 'application/json' });

/** Replies with what the service replies, changed. */
export const changed =
	(change: (text: string, exchange: Exchange) => string): Handler =>
	async (exchange) => {
		const response = await exchange.askService();
		passOn(exchange.response, { ...response, text: change(response.text, exchange) });
	};

/** The beginning of a response, for handlers that write to the connection. */
export const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** `YYYY-MM-DD HH:MM:SS` */
export const plainTime = (time: number): string =>
	new Date(time).toISOString().slice(0, 19).replace('T', ' ');
