import { ask } from '../api.mjs';
import {
	badge,
	body,
	facts,
	moment,
	recordHead,
	recordLink,
	section,
	table,
} from '../components.mjs';
import { h } from '../dom.mjs';
import { latency } from '../format.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { hrefOf } from '../route.mjs';
import { panel, withPanel } from './panel.mjs';
import { toolRequestDetails } from './toolRequests.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/** @type {import('./view.mjs').View} */
export const tools = {
	title: 'Tools',
	async load({ route, state }) {
		if (route.id !== undefined) return { tool: await ask(`records/tools/${route.id}`) };
		await loadList('records/tools', { search: route.query['search'] }, state);
		return {};
	},
	render({ tool }, { route, state, refresh }) {
		if (tool) return onePage(tool);
		return [
			h('h1', { tabindex: '-1' }, 'Tools'),
			h('p', {}, h('a', { href: hrefOf('tool-requests') }, 'What assistants asked their tools')),
			filterBar(route, [{ name: 'search', label: 'Search' }]),
			list({
				label: 'Mid call tools, newest first',
				columns: ['Tool', 'Request', 'Timeout', 'Description'],
				state,
				refresh,
				isFiltered: Boolean(route.query['search']),
				nothing: [
					'No tools yet. Make one with ',
					h('strong', {}, 'Mid Call Tool → Create'),
					' of the node.',
				],
				cells: (row) => [
					recordLink('tools', 'Tool', row['id'], `${row['id']} · ${row['name']}`),
					h('code', {}, `${row['method']} ${row['endpoint']}`),
					`${row['timeout']} s`,
					row['description'],
				],
			}),
		];
	},
};

/** @param {Row} tool */
function onePage(tool) {
	const { id, name, headers, schema } = tool;
	return [
		recordHead({ list: 'Tools', view: 'tools', title: `Tool ${id} · ${name}` }),
		section(
			'Request',
			facts([
				['Sent', h('code', {}, `${tool['method']} ${tool['endpoint']}`)],
				['Timeout', `${tool['timeout']} s`],
				['When it is used', tool['description']],
				['Assistants', tool['assistants'].length === 0 ? 'none' : assistantLinks(tool)],
			]),
			headers.length > 0 && body('Headers (values are hidden)', headers, false),
			h(
				'p',
				{},
				h('a', { href: hrefOf('tool-requests', undefined, { search: name }) }, 'What it was asked'),
			),
		),
		section(
			'Arguments',
			schema.length === 0
				? h('p', { class: 'muted' }, 'None.')
				: table(
						'Arguments',
						['Name', 'Type', 'Description'],
						schema.map((/** @type {Row} */ parameter) => ({
							key: parameter['name'],
							cells: [
								h('code', {}, parameter['name']),
								parameter['type'],
								parameter['description'],
							],
						})),
					),
		),
	];
}

/** @param {Row} tool */
const assistantLinks = (tool) =>
	tool['assistants'].flatMap((/** @type {Row} */ assistant, /** @type {number} */ index) => [
		index > 0 && ', ',
		recordLink('assistants', 'Assistant', assistant['id'], assistant['name']),
	]);

/** @type {import('./view.mjs').View} */
export const toolRequests = {
	title: 'Tool requests',
	async load({ route, state }) {
		const { search, state: shown } = route.query;
		const [request] = await Promise.all([
			route.id === undefined ? undefined : ask(`records/tool-requests/${route.id}`),
			loadList('records/tool-requests', { search, state: shown }, state),
		]);
		return { request };
	},
	render({ request }, { route, state, refresh }) {
		return withPanel(
			[
				h('h1', { tabindex: '-1' }, 'Tool requests'),
				filterBar(route, [
					{ name: 'search', label: 'Search' },
					{
						name: 'state',
						label: 'State',
						options: [
							['pending', 'pending'],
							['answered', 'answered'],
							['failed', 'failed'],
						],
					},
				]),
				list({
					label: 'Requests to tools, newest first',
					columns: ['Request', 'At', 'Answer', 'Took', 'Call'],
					state,
					refresh,
					selected: route.id,
					isFiltered: Boolean(route.query['search'] || route.query['state']),
					nothing:
						'No assistant has used a tool yet. Choose “Call now” with the scenario tool-call and an assistant that has a tool.',
					cells: (row) => [
						h(
							'a',
							{ href: hrefOf('tool-requests', row['id'], route.query) },
							`${row['id']} · ${row['tool_name']}`,
						),
						moment(row['at']),
						badge(row['status'] ?? row['state']),
						latency(row['latency_ms']),
						recordLink('calls', 'Call', row['call_id']),
					],
				}),
			],
			request &&
				panel(`Tool request ${request['id']}`, hrefOf('tool-requests', undefined, route.query), [
					toolRequestDetails(request),
				]),
		);
	},
};
