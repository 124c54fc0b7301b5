import type { Behaviour } from './behaviour.mts';
import { reply } from './replies.mts';

const waits = [
	'1e308',
	'0x10',
	'-1',
	'0',
	'soon',
	'999999999999999',
	'Fri, 31 Dec 9999 23:59:59 GMT',
	'Thu, 01 Jan 1970 00:00:00 GMT',
	'x'.repeat(8000),
];

/** Rate limits that ask for a wait that is none. */
export const rateLimits = waits.map((wait): Behaviour => ({
	name: `429 with Retry-After: ${wait.slice(0, 30)}`,
	handler: reply(429, { message: 'Too many requests', retry_after: wait }, { 'Retry-After': wait }),
	refusesForSure: true,
}));
