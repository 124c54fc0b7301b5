import { badge, moment } from '../components.mjs';
import { h } from '../dom.mjs';
import { shortTime } from '../format.mjs';
import { hrefOf } from '../route.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/**
 * The events of one record, in the order in which they happened.
 *
 * @param {Row[]} events newest first
 * @param {string} now
 */
export function story(events, now) {
	if (events.length === 0) {
		return h('p', { class: 'muted' }, 'Nothing has happened since the sandbox started.');
	}
	return h(
		'ol',
		{ class: 'story' },
		events
			.toReversed()
			.map((event) =>
				h(
					'li',
					{ key: `event ${event['id']}`, class: event['level'] },
					moment(event['at'], shortTime(event['at'], now)),
					' ',
					event['level'] !== 'info' && [badge(event['level']), ' '],
					h('a', { href: hrefOf('timeline', event['id']) }, event['text']),
				),
			),
	);
}
