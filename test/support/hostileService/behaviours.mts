import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';

import { passOn, type Exchange, type Handler } from './hostileServer.mts';

/** One way to be hostile. */
export interface Behaviour {
	name: string;
	handler: Handler;
	/** It says for sure that nothing was done (425, 429), so a write may be sent again. */
	refusesForSure?: boolean;
	/** It names a pause, and may have carried out a write. */
	asksForPause?: boolean;
	/** The pages of a list have no end. */
	isEndlessList?: boolean;
	/** It takes long, so only the typical subjects meet it. */
	isHeavy?: boolean;
	/** It sends so much that it takes seconds, so a sample does not have it. */
	isFlood?: boolean;
}

type Handlers = Record<string, Handler>;

/** Replies with a body: a text as a web page, any other value as JSON. */
const reply =
	(status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
	({ response }) => {
		const isText = typeof body === 'string';
		const type = isText ? 'text/html' : 'application/json';
		const text = isText ? body : JSON.stringify(body);
		response.writeHead(status, { 'Content-Type': type, ...headers }).end(text);
	};

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Replies with a text as JSON, whether or not it is. */
const replyJson = (text: string, status = 200) => reply(status, text, JSON_TYPE);

/** Replies with what the service replies, changed. */
const changed =
	(change: (text: string, exchange: Exchange) => string): Handler =>
	async (exchange) => {
		const response = await exchange.askService();
		passOn(exchange.response, { ...response, text: change(response.text, exchange) });
	};

/** The beginning of a response, for handlers that write to the connection. */
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Writes a text to the connection, and then a byte each second. */
const drip =
	(text: string): Handler =>
	({ socket, eachSecond }) => {
		socket.write(text);
		eachSecond(() => socket.write('x'));
	};

const LONG = 'slow'.repeat(1000);

/** Services that take their time. */
const slow: Handlers = {
	silence: ({ eachSecond }) => eachSecond(),
	'headers, a byte each second': ({ socket, eachSecond }) =>
		eachSecond((second) => socket.write(`${HEAD}Server: ${LONG}`[second] ?? 'x')),
	'a body, a byte each second': drip(`${HEAD}Content-Length: 5000\r\n\r\n{"data":[],"message":"`),
	'early hints, one each second': ({ socket, eachSecond }) =>
		eachSecond(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
};

/** Above what a client may read of one response. */
const FLOOD_BYTES = 400_000_000;

const PIECE_BYTES = 1_000_000;

/** Packed to a twentieth: much more would fit into the buffers of a connection, unseen. */
const PACKED = deflateRawSync(
	Buffer.concat([randomBytes(PIECE_BYTES / 20), Buffer.alloc((PIECE_BYTES * 19) / 20)]),
	{ finishFlush: constants.Z_FULL_FLUSH },
);
const GZIP_HEAD = Buffer.from('1f8b08000000000000ff', 'hex');

/** Bodies that fill the memory. */
const floods: Handlers = {
	'a body without end': ({ response, flood }) => {
		response.writeHead(200, JSON_TYPE).write('{"data":[],"m":"');
		flood(Buffer.alloc(PIECE_BYTES, 'x'), FLOOD_BYTES);
	},
	'a gzip bomb': ({ response, flood }) => {
		response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).write(GZIP_HEAD);
		flood(PACKED, FLOOD_BYTES, PIECE_BYTES);
	},
};

/** `YYYY-MM-DD HH:MM:SS` */
const plainTime = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

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
	const record = { status: 'completed', created_at: plainTime(Date.now()) };
	const data = Array.from({ length: PAGE }, (_, index) => ({
		id: 1_000_000 + PAGE * page + index,
		...record,
	}));
	const size = { total: PAGE * (page + 10), last_page: page + 10, per_page: PAGE };
	reply(200, { current_page: page, data, ...size })(exchange);
};

const LEVELS = 10_000;
const DEEP_ARRAY = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const DEEP_OBJECT = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;

const aMillion = 'x'.repeat(1e6);

/** Bodies that are deep, long, or not what the contract says. */
const bodies: Handlers = {
	'data of 10000 levels': changed((text) => text.replaceAll('"id":', `"deep":${DEEP_ARRAY},"id":`)),
	'a body of 10000 levels': changed((text) => text.replace(/^\{/, `{"deep":${DEEP_OBJECT},`)),
	'a list of errors of 10000 levels': replyJson(`{"errors":${DEEP_ARRAY}}`, 400),
	'a message of a million characters': reply(400, { message: aMillion }),
	'a field name of a million characters': reply(422, {
		errors: { [aMillion]: ['It is not valid.'] },
	}),
	'a web page with status 502': reply(502, '<html>Bad Gateway</html>'),
	'a text': reply(200, 'OK'),
	'half a JSON': changed((text) => text.slice(0, text.length / 2)),
	'the body null': replyJson('null'),
	'the body []': replyJson('[]'),
	'the body {"data":{}}': replyJson('{"data":{}}'),
	'an empty body': replyJson(''),
	'records that are none': replyJson(
		'{"data":[null,1,"x",[],{},{"id":{}},{"id":[1]},{"id":9007199254740993}]}',
	),
	'fields that are none': changed((text) =>
		text.replaceAll(/":("[^"]*"|\d+|true|false)/g, '":{"__proto__":[]}'),
	),
	'status 204': ({ response }) => response.writeHead(204).end(),
	'status 304': ({ response }) => response.writeHead(304).end(),
};

const makeMany = <Item,>(item: (index: number) => Item): Item[] =>
	Array.from({ length: 50_000 }, (_, index) => item(index));

const heavyBodies: Handlers = {
	'50000 field errors': reply(422, {
		message: 'Validation failed',
		errors: Object.fromEntries(
			makeMany((index) => [`field_${index}`, ['This is not valid, either.']]),
		),
	}),
	'50000 errors in a list': reply(422, { errors: makeMany(() => 'This is not valid.') }),
};

/** Refusals that repeat the token of the request. */
const repeatedToken: Record<string, (token: string) => Handler> = {
	'a message': (token) => reply(400, { message: `The token ${token} is not valid` }),
	errors: (token) => {
		const errors = { phone_number: [`${token} is not valid`], [token]: ['It is not valid.'] };
		return reply(422, { message: 'Validation failed', errors });
	},
	'a text': (token) => reply(500, `No access with Bearer ${token}`),
	'a page': (token) => reply(401, `<html>${token}</html>`),
	'a location': (token) => reply(302, '', { Location: `https://${token}.example/${token}` }),
	'a location on the same host': (token) => reply(307, '', { Location: `/api?token=${token}` }),
	'Retry-After': (token) => reply(503, { message: token }, { 'Retry-After': token }),
};

const redirect = (
	status: number,
	where: string,
	to: (exchange: Exchange) => string,
): Behaviour => ({
	name: `${status} to ${where}`,
	handler: (exchange) => reply(status, '', { Location: to(exchange) })(exchange),
});

const TIME = /\b\d{4}-\d\d-\d\d([ T])\d\d:\d\d:\d\d/g;

const EIGHT_HOURS = 8 * 60 * 60 * 1000;

/** Replies with other times. @param toTime gives `YYYY-MM-DD HH:MM:SS`, for all times of a response */
const clock = (toTime: (exchange: Exchange) => string): Handler =>
	changed((text, exchange) => {
		const time = toTime(exchange);
		return text.replaceAll(TIME, (_time, separator: string) => time.replace(' ', separator));
	});

/** Services whose clock is wrong. */
const clocks: Handlers = {
	'the year 2099': clock(() => '2099-01-01 00:00:00'),
	'the year 1': clock(() => '0001-01-01 00:00:00'),
	'the year 10000': clock(() => '10000-01-01 00:00:00'),
	'no time': clock(() => 'soon'),
	'a clock that steps back': clock(({ index }) =>
		plainTime(Date.now() - EIGHT_HOURS * (index + 1)),
	),
};

const sends =
	(text: string): Handler =>
	({ socket }) =>
		socket.end(text);

const twoHundredHeaders = Array.from({ length: 200 }, (_, index) => `X-${index}: x\r\n`).join('');

/** Connections that end early, and what is no HTTP. */
const connections: Handlers = {
	'a closed connection': ({ socket }) => socket.destroy(),
	'a reset connection': ({ socket }) => socket.resetAndDestroy(),
	'a connection that ends in the headers': sends('HTTP/1.1 200 OK\r\nContent-Ty'),
	'a connection that ends in the body': async ({ socket, askService }) => {
		const { text } = await askService();
		socket.end(`${HEAD}Content-Length: ${text.length}\r\n\r\n${text.slice(0, text.length / 2)}`);
	},
	'a body that is not packed as it says': reply(200, 'no gzip', { 'Content-Encoding': 'gzip' }),
	'no HTTP': sends('SSH-2.0-OpenSSH_9.6\r\n'),
	'status 999': sends('HTTP/1.1 999 No\r\n\r\n'),
	'a header of a million characters': sends(`${HEAD}X-Long: ${aMillion}\r\n\r\n{}`),
	'two hundred headers': sends(`HTTP/1.1 500 No\r\n${twoHundredHeaders}\r\n{"message":"No"}`),
};

const page = (title: string) => `<!DOCTYPE html><title>${title}</title>`;

/** Gateways in front of the service that say nothing about what it did. */
const gateways: Handlers = {
	'408 with a page': reply(408, page('Request Time-out')),
	'408, when the service has done it': async (exchange) => {
		await exchange.askService();
		reply(408, page('Request Time-out'))(exchange);
	},
	'499 with a page': reply(499, page('Client Closed Request')),
};

/** Waits that are none, of rate limits. */
const waits = ['0', 'soon', '999999999999999', 'Thu, 01 Jan 1970 00:00:00 GMT'];

const toBehaviours = (handlers: Handlers, what: Partial<Behaviour> = {}): Behaviour[] =>
	Object.entries(handlers).map(([name, handler]) => ({ name, handler, ...what }));

/** Everything that a hostile service does. */
export const BEHAVIOURS: Behaviour[] = [
	...toBehaviours(slow),
	...toBehaviours(floods, { isHeavy: true, isFlood: true }),
	{ name: 'a list that grows with each page', handler: growingList, isEndlessList: true },
	...toBehaviours(bodies),
	...toBehaviours(heavyBodies, { isHeavy: true }),
	...Object.entries(repeatedToken).map(([place, toHandler]) => ({
		name: `the token in ${place}`,
		handler: (exchange: Exchange) => toHandler(exchange.request.token)(exchange),
	})),
	...[302, 307].map((status) =>
		redirect(status, 'another host', ({ elsewhere, request }) => elsewhere + request.url),
	),
	redirect(307, 'itself', ({ request }) => request.url),
	...toBehaviours(clocks),
	...toBehaviours(connections),
	...toBehaviours(gateways),
	{
		name: '503 with Retry-After',
		handler: reply(503, { message: 'Maintenance' }, { 'Retry-After': '1' }),
		asksForPause: true,
	},
	{ name: '425 with a page', handler: reply(425, page('Too Early')), refusesForSure: true },
	...waits.map((wait) => ({
		name: `429 with Retry-After: ${wait.slice(0, 30)}`,
		handler: reply(429, { message: 'Too many', retry_after: wait }, { 'Retry-After': wait }),
		refusesForSure: true,
	})),
];
