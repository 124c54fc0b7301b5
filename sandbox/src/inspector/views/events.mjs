import { ask } from '../api.mjs';
import { badge, link, moment, muted } from '../components.mjs';
import { shortTime, shortUrls } from '../format.mjs';
import { html } from '../vendor/preact.js';
import { getGroup } from './eventKinds.mjs';

/**
 * A record with its newest `events`, which a filter of the timeline selects: `{ lead_id: 5 }`.
 * @type {(path: string, about: object, limit: number) => Promise<Row>}
 */
export async function loadWithEvents(path, about, limit) {
	const [record, { data }] = await Promise.all([ask(path), ask('events', { ...about, limit })]);
	return { ...record, events: data };
}

/**
 * The events of one record, in the order in which they happened, and the way to all of them.
 * @type {(newestFirst: Row[], now: string, about: object) => Children}
 */
export function eventList(events, now, about) {
	const items = events.toReversed().map(({ id, at, kind, level, text }) => {
		const mark = level !== 'info' && [badge(level), ' '];
		return html`
			<li key=${id} class=${level === 'info' ? getGroup(kind) : level}>
				${moment(at, shortTime(at, now))}
				<span>${mark}${link(`timeline/${id}`, {}, shortUrls(text))}</span>
			</li>
		`;
	});
	return html`
		${
			items.length > 0
				? html`<ol class="story">
						${items}
					</ol>`
				: muted('Nothing has happened since the sandbox started.')
		}
		<p>${link('timeline', about, 'In the timeline')}</p>
	`;
}
