import { badge, moment } from '../components.mjs';
import { h } from '../dom.mjs';
import { shortTime } from '../format.mjs';
import { hrefOf } from '../route.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/**
 * The events of one record, in the order in which they happened, and the way to all of them.
 *
 * @param {Row[]} events newest first
 * @param {string} now
 * @param {{ [name: string]: number }} record the filter of the timeline: `{ lead_id: 5 }`
 */
export const story = (events, now, record) => [
	list(events, now),
	h('p', {}, h('a', { href: hrefOf('timeline', undefined, record) }, 'In the timeline')),
];

/**
 * @param {Row[]} events newest first
 * @param {string} now
 */
function list(events, now) {
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
