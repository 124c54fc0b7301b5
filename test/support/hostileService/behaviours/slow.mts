import type { Behaviour } from './behaviour.mts';
import { HEAD } from './replies.mts';

const LONG = 'slow'.repeat(1000);

/** Services that take their time. */
export const slow: Behaviour[] = [
	{ name: 'silence', handler: ({ eachSecond }) => eachSecond() },
	{
		name: 'headers, a byte each second',
		handler: ({ socket, eachSecond }) => {
			const text = `${HEAD}Server: ${LONG}`;
			eachSecond((second) => socket.write(text[second] ?? 'x'));
		},
	},
	{
		name: 'a body, a byte each second',
		handler: ({ socket, eachSecond }) => {
			socket.write(`${HEAD}Content-Length: 5000\r\n\r\n{"data":[],"message":"`);
			eachSecond(() => socket.write('x'));
		},
	},
	{
		name: 'the body of a refusal, a byte each second',
		handler: ({ socket, eachSecond }) => {
			socket.write('HTTP/1.1 422 Unprocessable\r\nContent-Length: 5000\r\n\r\n{"message":"');
			eachSecond(() => socket.write('x'));
		},
	},
	{
		name: 'early hints, one each second',
		handler: ({ socket, eachSecond }) =>
			eachSecond(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
	},
];
