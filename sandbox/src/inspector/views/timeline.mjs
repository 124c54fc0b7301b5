import { ask, ApiFailure } from '../api.mjs';
import { badge, facts, moment, recordLink } from '../components.mjs';
import { deliveryDetails } from '../deliveryDetails.mjs';
import { h } from '../dom.mjs';
import { shortTime } from '../format.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { requestDetails } from '../requestDetails.mjs';
import { changeQuery, hrefOf } from '../route.mjs';
import { panel, withPanel } from './panel.mjs';
import { messageFacts } from './messages.mjs';
import { toolRequestDetails } from './toolRequests.mjs';

/** @typedef {import('../api.mjs').Row} Row */
/** @typedef {import('../route.mjs').Route} Route */

/** What one can choose to see, and the kinds of events behind it. */
const GROUPS = /** @type {{ [name: string]: { text: string, kinds: string[] } }} */ ({
	calls: { text: 'Calls', kinds: ['call-started', 'call-ringing', 'call-answered', 'call-ended'] },
	leads: { text: 'Leads', kinds: ['lead-added', 'lead-changed'] },
	campaigns: { text: 'Campaigns', kinds: ['campaign-started', 'campaign-stopped'] },
	settings: { text: 'Settings', kinds: ['assistant-changed', 'tool-changed'] },
	tools: { text: 'Tools', kinds: ['tool-called', 'tool-answered'] },
	webhooks: {
		text: 'Webhooks',
		kinds: ['webhook-delivered', 'webhook-failed', 'webhook-cancelled'],
	},
	sms: { text: 'SMS', kinds: ['sms-sent'] },
	refused: { text: 'Refused requests', kinds: ['request-refused'] },
	sandbox: { text: 'Sandbox', kinds: ['sandbox'] },
});

const LEVELS = /** @type {Array<[string, string]>} */ ([
	['info', 'Information'],
	['warning', 'Warnings'],
	['error', 'Errors'],
]);

/** The records that a timeline can be about; the address has their ids. */
const SUBJECTS = /** @type {Array<[field: string, view: string, label: string]>} */ ([
	['lead_id', 'leads', 'Lead'],
	['call_id', 'calls', 'Call'],
	['campaign_id', 'campaigns', 'Campaign'],
	['assistant_id', 'assistants', 'Assistant'],
]);

/** @param {Route} route */
const shownGroups = ({ query }) =>
	(query['show'] ?? '').split(',').filter((name) => name in GROUPS);

/** @param {Route} route */
function filtersOf(route) {
	const { search, level } = route.query;
	const kinds = shownGroups(route).flatMap((name) => GROUPS[name]?.kinds ?? []);
	const subjects = SUBJECTS.map(([field]) => [field, route.query[field]]);
	return { search, level, kind: kinds.join(','), ...Object.fromEntries(subjects) };
}

/** @type {import('./view.mjs').View} */
export const timeline = {
	title: 'Timeline',
	async load({ route, state }) {
		const [event] = await Promise.all([
			route.id === undefined ? undefined : loadEvent(route.id),
			loadList('events', filtersOf(route), state),
		]);
		return { event };
	},
	render({ event }, context) {
		const { route, state, refresh, now } = context;
		return withPanel(
			[
				h('h1', { tabindex: '-1' }, 'Timeline'),
				filterBar(
					route,
					[
						{ name: 'search', label: 'Search, such as “lead 5”' },
						{ name: 'level', label: 'Level', options: LEVELS },
					],
					groupButtons(route),
					subjectButtons(route),
				),
				list({
					label: 'What happened, newest first',
					columns: ['Time', 'What happened', 'About'],
					state,
					refresh,
					selected: route.id,
					isFiltered: Object.values(filtersOf(route)).some(Boolean),
					nothing: [
						'Nothing has happened yet. Choose ',
						h('strong', {}, 'Call now'),
						' above, or send the first request to ',
						h('code', {}, `${location.origin}/api`),
						'.',
					],
					cells: (row) => [
						moment(row['at'], shortTime(row['at'], now)),
						[
							row['level'] === 'info' ? h('span', { class: 'dot' }) : [badge(row['level']), ' '],
							h(
								'a',
								{ class: 'event', href: hrefOf('timeline', row['id'], route.query) },
								row['text'],
							),
						].flat(),
						subjectLinks(row),
					],
				}),
			],
			route.id !== undefined && event && panelOf(event, context),
		);
	},
};

/**
 * The lead and the call of an event, or else what else it is about.
 * @param {Row} event
 */
function subjectLinks(event) {
	const links = SUBJECTS.map(([field, view, label]) => recordLink(view, label, event[field]));
	return links
		.filter(Boolean)
		.slice(0, 2)
		.flatMap((link) => [link, ' ']);
}

/** @param {Route} route */
function groupButtons(route) {
	const shown = shownGroups(route);
	return h(
		'div',
		{ class: 'chips', role: 'group', 'aria-label': 'Kinds of events' },
		Object.entries(GROUPS).map(([name, { text }]) => {
			const isShown = shown.includes(name);
			const after = isShown ? shown.filter((other) => other !== name) : [...shown, name];
			return h(
				'button',
				{
					type: 'button',
					class: 'chip',
					'aria-pressed': String(isShown),
					onclick: () => changeQuery({ show: after.join(',') }),
				},
				text,
			);
		}),
	);
}

/** @param {Route} route */
const subjectButtons = (route) =>
	SUBJECTS.filter(([field]) => route.query[field]).map(([field, , label]) =>
		h(
			'button',
			{
				type: 'button',
				class: 'chip',
				'aria-label': `Show events of others than ${label} ${route.query[field]} too`,
				onclick: () => changeQuery({ [field]: '' }),
			},
			`${label} ${route.query[field]} ✕`,
		),
	);

/**
 * An event with all that belongs to it.
 * @param {number} id
 */
async function loadEvent(id) {
	const { data } = await ask('events', { query: { before: id + 1, limit: 1 } });
	const event = data[0]?.id === id ? data[0] : undefined;
	if (!event) return { id };
	const one = (/** @type {string} */ path, /** @type {number | null} */ recordId) =>
		recordId === null ? undefined : ask(`${path}/${recordId}`).catch(unlessMissing);
	const [request, delivery, toolRequest, message] = await Promise.all([
		one('requests', event.request_id),
		one('records/deliveries', event.delivery_id),
		one('records/tool-requests', event.tool_request_id),
		one('records/messages', event.message_id),
	]);
	return { ...event, request, delivery, toolRequest, message };
}

/**
 * A timeline keeps what is deleted elsewhere.
 * @param {unknown} error
 */
function unlessMissing(error) {
	if (error instanceof ApiFailure && error.status === 404) return undefined;
	throw error;
}

/**
 * @param {Row} event
 * @param {import('./view.mjs').Context} context
 */
function panelOf(event, { route, refresh }) {
	const back = hrefOf('timeline', undefined, route.query);
	if (!event['text']) {
		return panel(`Event ${event['id']}`, back, [
			h('p', {}, 'It is not kept any more, or it never was.'),
		]);
	}
	const { request, delivery, toolRequest, message } = event;
	return panel(event['text'], back, [
		facts([
			['At', moment(event['at'])],
			['Kind', event['kind']],
			['Level', badge(event['level'])],
			...SUBJECTS.map(
				([field, view, label]) =>
					/** @type {[string, import('../dom.mjs').Children]} */ ([
						label,
						recordLink(view, label, event[field]),
					]),
			),
		]),
		request && requestDetails(request),
		delivery && deliveryDetails(delivery, refresh, true),
		toolRequest && toolRequestDetails(toolRequest),
		message && messageFacts(message),
	]);
}
