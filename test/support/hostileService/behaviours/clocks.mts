import type { Exchange } from '../hostileServer.mts';
import type { Behaviour } from './behaviour.mts';
import { changed, plainTime } from './replies.mts';

const TIME = /\b\d{4}-\d\d-\d\d([ T])\d\d:\d\d:\d\d/g;

const EIGHT_HOURS = 8 * 60 * 60 * 1000;

/** @param timeOf gives `YYYY-MM-DD HH:MM:SS`, for all times of a response */
const clock = (name: string, timeOf: (exchange: Exchange) => string): Behaviour => ({
	name,
	handler: changed((text, exchange) => {
		const time = timeOf(exchange);
		return text.replaceAll(TIME, (_time, separator: string) => time.replace(' ', separator));
	}),
});

/** Services whose clock is wrong. */
export const clocks: Behaviour[] = [
	clock('the year 2099', () => '2099-01-01 00:00:00'),
	clock('the year 1', () => '0001-01-01 00:00:00'),
	clock('the end of the year 9999', () => '9999-12-31 23:59:59'),
	clock('the year 10000', () => '10000-01-01 00:00:00'),
	clock('the year 275761', () => '+275761-01-01 00:00:00'),
	clock('no time', () => 'soon'),
	clock('a clock that steps back', ({ index }) =>
		plainTime(Date.now() - EIGHT_HOURS * (index + 1)),
	),
];
