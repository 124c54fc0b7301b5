import { ask } from '../api.mjs';
import { badge, moment } from '../components.mjs';
import { h } from '../dom.mjs';
import { latency, shortTime } from '../format.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { noResponse, requestDetails } from '../requestDetails.mjs';
import { hrefOf } from '../route.mjs';
import { panel, withPanel } from './panel.mjs';

/** @type {import('./view.mjs').View} */
export const requestLog = {
	title: 'Requests',
	async load({ route, state }) {
		const [request] = await Promise.all([
			route.id === undefined ? undefined : ask(`requests/${route.id}`),
			loadList(
				'records/requests',
				{ search: route.query['search'], refused: route.query['refused'] },
				state,
			),
		]);
		return { request };
	},
	render({ request }, { route, state, refresh, now }) {
		const { search, refused } = route.query;
		return withPanel(
			[
				h('h1', { tabindex: '-1' }, 'Requests'),
				filterBar(route, [
					{ name: 'search', label: 'Search' },
					{
						name: 'refused',
						label: 'Outcome',
						options: [
							['true', 'Refused or dropped'],
							['false', 'Successful'],
						],
					},
				]),
				list({
					label: 'Requests to the service, newest first',
					columns: ['Time', 'Request', 'Operation', 'Status', 'Took'],
					state,
					refresh,
					selected: route.id,
					isFiltered: Boolean(search || refused),
					nothing: [
						'No program has sent a request yet. The service is at ',
						h('code', {}, `${location.origin}/api`),
						'. Give this address to your n8n credential.',
					],
					cells: (row) => [
						moment(row['at'], shortTime(row['at'], now)),
						h(
							'a',
							{ href: hrefOf('requests', row['id'], route.query) },
							`${row['method']} ${row['path']}`,
						),
						row['operation'] ?? '',
						[
							badge(row['status'] ?? noResponse(row)),
							row['fault'] ? [' ', h('span', { class: 'muted' }, 'fault')] : [],
						].flat(),
						latency(row['duration_ms']),
					],
				}),
			],
			request &&
				panel(
					`${request['method']} ${request['path']}`,
					hrefOf('requests', undefined, route.query),
					[requestDetails(request)],
				),
		);
	},
};
