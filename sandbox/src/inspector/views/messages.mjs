import { badge, facts, moment } from '../components.mjs';
import { h } from '../dom.mjs';
import { money } from '../format.mjs';
import { filterBar, list, loadList } from '../list.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/** @type {import('./view.mjs').View} */
export const messages = {
	title: 'SMS',
	async load({ route, state }) {
		const { search, to } = route.query;
		await loadList('records/messages', { search, to }, state);
		return {};
	},
	render(_data, { route, state, refresh }) {
		return [
			h('h1', { tabindex: '-1' }, 'SMS'),
			filterBar(route, [{ name: 'search', label: 'Search' }]),
			list({
				label: 'SMS, newest first',
				columns: ['SMS', 'Sent', 'To', 'Text', 'Segments', 'Cost', 'Status'],
				state,
				refresh,
				isFiltered: Boolean(route.query['search'] || route.query['to']),
				nothing: [
					'No SMS yet. The node sends one with ',
					h('strong', {}, 'SMS → Send'),
					'; it does not reach anybody.',
				],
				cells: (row) => [
					row['id'],
					moment(row['created_at']),
					h('span', { class: 'nowrap' }, row['to']),
					row['body'],
					row['segments'],
					h('span', { class: 'nowrap' }, money(row['total_cost'])),
					badge(row['status']),
				],
			}),
		];
	},
};

/** @param {Row} message */
export const messageFacts = (message) =>
	h(
		'article',
		{ key: `message ${message['id']}` },
		h('h3', {}, `SMS ${message['id']} `, badge(message['status'])),
		h('blockquote', {}, message['body']),
		facts([
			['To', message['to']],
			['Sent', moment(message['created_at'])],
			['Cost', money(message['total_cost'])],
		]),
	);
