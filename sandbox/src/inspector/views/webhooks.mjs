import { ask } from '../api.mjs';
import { badge, recordLink } from '../components.mjs';
import { deliveryDetails, EVENTS, reasonOf } from '../deliveryDetails.mjs';
import { h } from '../dom.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { hrefOf } from '../route.mjs';
import { panel, withPanel } from './panel.mjs';

const STATES = ['pending', 'delivered', 'failed', 'cancelled'];

/** @type {import('./view.mjs').View} */
export const webhooks = {
	title: 'Webhooks',
	async load({ route, state }) {
		const { search, state: shown, event, call_id: call, assistant_id: assistant } = route.query;
		const filters = { search, state: shown, event, call_id: call, assistant_id: assistant };
		const [delivery] = await Promise.all([
			route.id === undefined ? undefined : ask(`records/deliveries/${route.id}`),
			loadList('records/deliveries', filters, state),
		]);
		return { delivery };
	},
	render({ delivery }, { route, state, refresh }) {
		return withPanel(
			[
				h('h1', { tabindex: '-1' }, 'Webhooks'),
				filterBar(route, [
					{ name: 'search', label: 'Search' },
					{ name: 'state', label: 'State', options: STATES.map((name) => [name, name]) },
					{ name: 'event', label: 'Webhook', options: Object.entries(EVENTS) },
				]),
				list({
					label: 'Webhooks, newest first',
					columns: ['Webhook', 'State', 'Why', 'Call'],
					state,
					refresh,
					selected: route.id,
					isFiltered: Object.keys(route.query).length > 0,
					nothing:
						'No webhook yet. One is sent at the end of a call if the call’s assistant has an active webhook: publish a workflow with a trigger of this package, then call somebody.',
					cells: (row) => [
						h(
							'a',
							{ href: hrefOf('webhooks', row['id'], route.query) },
							`${row['id']} · ${EVENTS[row['event']] ?? row['event']}`,
						),
						badge(row['state']),
						reasonOf(row),
						recordLink('calls', 'Call', row['call_id']),
					],
				}),
			],
			delivery &&
				panel(`Webhook ${delivery['id']}`, hrefOf('webhooks', undefined, route.query), [
					deliveryDetails(delivery, refresh, true),
				]),
		);
	},
};
