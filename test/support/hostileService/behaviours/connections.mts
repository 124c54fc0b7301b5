import type { Behaviour } from './behaviour.mts';
import { HEAD, reply } from './replies.mts';

const twoHundredHeaders = Array.from({ length: 200 }, (_, index) => `X-${index}: x\r\n`).join('');

/** Connections that end early, and what is no HTTP. */
export const connections: Behaviour[] = [
	{ name: 'a closed connection', handler: ({ socket }) => socket.destroy() },
	{ name: 'a reset connection', handler: ({ socket }) => socket.resetAndDestroy() },
	{
		name: 'a connection that ends in the headers',
		handler: ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'),
	},
	{
		name: 'a connection that ends in the body',
		handler: async ({ socket, askService }) => {
			const { text } = await askService();
			socket.end(`${HEAD}Content-Length: ${text.length}\r\n\r\n${text.slice(0, text.length / 2)}`);
		},
	},
	{
		name: 'a connection that ends in a chunk',
		handler: ({ socket }) => socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\n40\r\n{"data":[`),
	},
	{
		name: 'a body that is not packed as it says',
		handler: reply(200, 'no gzip', { 'Content-Encoding': 'gzip' }),
	},
	{ name: 'no HTTP', handler: ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.6\r\n') },
	{ name: 'status 999', handler: ({ socket }) => socket.end('HTTP/1.1 999 No\r\n\r\n') },
	{
		name: 'a header of a million characters',
		handler: ({ socket }) => socket.end(`${HEAD}X-Long: ${'x'.repeat(1e6)}\r\n\r\n{}`),
	},
	{
		name: 'two hundred headers',
		handler: ({ socket }) =>
			socket.end(`HTTP/1.1 500 No\r\n${twoHundredHeaders}\r\n{"message":"No"}`),
	},
];
