import { ask } from '../api.mjs';
import { badge, facts, recordHead, recordLink, section, toneOf } from '../components.mjs';
import { h } from '../dom.mjs';
import { counted } from '../format.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { hrefOf } from '../route.mjs';
import { story } from './story.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/** What a campaign's progress has beside the number of leads by status. */
const NO_STATUSES = ['total', 'running_calls'];

/** @type {import('./view.mjs').View} */
export const campaigns = {
	title: 'Campaigns',
	async load({ route, state }) {
		if (route.id !== undefined) {
			const [campaign, events] = await Promise.all([
				ask(`records/campaigns/${route.id}`),
				ask('events', { query: { campaign_id: route.id, limit: 20 } }),
			]);
			return { campaign, events: events['data'] };
		}
		await loadList('records/campaigns', { search: route.query['search'] }, state);
		return {};
	},
	render(data, { route, state, refresh, now }) {
		if (data['campaign']) return onePage(data['campaign'], data['events'], now);
		return [
			h('h1', { tabindex: '-1' }, 'Campaigns'),
			filterBar(route, [{ name: 'search', label: 'Search' }]),
			list({
				label: 'Campaigns, newest first',
				columns: ['Campaign', 'Status', 'Assistant', 'Leads'],
				state,
				refresh,
				isFiltered: Boolean(route.query['search']),
				nothing:
					'This account has no campaigns. The service has no request that makes one: a seed file does (sandbox/README.md).',
				cells: (row) => [
					recordLink('campaigns', 'Campaign', row['id'], `${row['id']} · ${row['name']}`),
					badge(row['status']),
					recordLink('assistants', 'Assistant', row['assistant_id'], row['assistant_name']),
					progressBar(row['progress']),
				],
			}),
		];
	},
};

/**
 * How many leads are where.
 * @param {Row | undefined} progress
 */
function progressBar(progress) {
	if (!progress) return undefined;
	const { total } = progress;
	const parts = Object.entries(progress).filter(([name]) => !NO_STATUSES.includes(name));
	const text = parts.map(([status, count]) => `${count} ${status}`).join(', ');
	if (!total) return h('span', { class: 'muted' }, 'no leads');
	return h(
		'div',
		{ class: 'progress' },
		h(
			'div',
			{ class: 'bar', role: 'img', 'aria-label': text },
			parts.map(([status, count]) =>
				h('span', { class: toneOf(status), width: (100 * count) / total }),
			),
		),
		h('span', { class: 'muted' }, text),
	);
}

/**
 * @param {Row} campaign
 * @param {Row[]} events
 * @param {string} now
 */
function onePage(campaign, events, now) {
	const { id, name, progress, outcomes } = campaign;
	const link = (/** @type {string} */ view, /** @type {string} */ text, query = {}) =>
		h('a', { href: hrefOf(view, undefined, { campaign_id: id, ...query }) }, text);
	return [
		recordHead({
			list: 'Campaigns',
			view: 'campaigns',
			title: `Campaign ${id} · ${name}`,
			status: badge(campaign['status']),
		}),
		h(
			'div',
			{ class: 'columns' },
			h(
				'div',
				{},
				section(
					'Leads',
					progressBar(progress),
					h('p', {}, link('leads', `All ${counted(progress?.total ?? 0, 'lead')}`)),
				),
				section('What happened last', story(events, now, { campaign_id: id })),
			),
			h(
				'div',
				{},
				section(
					'Campaign',
					facts([
						[
							'Assistant',
							recordLink(
								'assistants',
								'Assistant',
								campaign['assistant_id'],
								campaign['assistant_name'],
							) ?? 'none: this campaign calls nobody',
						],
						['Running calls', progress?.running_calls],
					]),
				),
				section(
					'Outcomes of its calls',
					Object.keys(outcomes ?? {}).length === 0
						? h('p', { class: 'muted' }, 'No calls yet.')
						: facts(
								Object.entries(outcomes).map(([status, count]) => [
									status.replaceAll('_', ' '),
									link('calls', counted(count, 'call'), { status }),
								]),
							),
				),
			),
		),
	];
}
