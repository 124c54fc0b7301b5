import { ask } from '../api.mjs';
import {
	badge,
	facts,
	moment,
	recordHead,
	recordLink,
	section,
	table,
	values,
} from '../components.mjs';
import { deliveryDetails, reasonOf } from '../deliveryDetails.mjs';
import { openCallNow } from '../dialogs.mjs';
import { h } from '../dom.mjs';
import { counted, dateTime, duration } from '../format.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { story } from './story.mjs';

/** @typedef {import('../api.mjs').Row} Row */

const STATUSES = ['created', 'completed', 'reached-max-retries'];
/** Of so many of a lead's newest calls, the webhooks are shown. */
const CALLS_WITH_WEBHOOKS = 10;

/** @type {import('./view.mjs').View} */
export const leads = {
	title: 'Leads',
	async load({ route, state }) {
		const { id } = route;
		if (id !== undefined) {
			const [lead, events] = await Promise.all([
				ask(`records/leads/${id}`),
				ask('events', { query: { lead_id: id, limit: 100 } }),
			]);
			const newest = lead['calls'].slice(0, CALLS_WITH_WEBHOOKS);
			const calls = await Promise.all(
				newest.map((/** @type {Row} */ call) => ask(`records/calls/${call['id']}`)),
			);
			const deliveries = calls.flatMap((call) => call['deliveries']);
			return { lead, events: events['data'], deliveries };
		}
		const { search, status, campaign_id: campaign } = route.query;
		await loadList('records/leads', { search, status, campaign_id: campaign }, state);
		return {};
	},
	render(data, context) {
		const { route, state, refresh } = context;
		if (data['lead']) return onePage(data, context);
		const campaign = route.query['campaign_id'];
		return [
			h(
				'h1',
				{ tabindex: '-1' },
				'Leads',
				campaign && ' of ',
				campaign && recordLink('campaigns', 'campaign', Number(campaign)),
			),
			filterBar(route, [
				{ name: 'search', label: 'Search' },
				{ name: 'status', label: 'Status', options: STATUSES.map((status) => [status, status]) },
			]),
			list({
				label: 'Leads, newest first',
				columns: ['Lead', 'Number', 'Status', 'Campaign', 'Unanswered calls', 'Added'],
				state,
				refresh,
				isFiltered: ['search', 'status', 'campaign_id'].some((name) => route.query[name]),
				nothing: ['No leads yet. Add one with ', h('strong', {}, 'Lead → Create'), ' of the node.'],
				cells: (row) => [
					recordLink('leads', 'Lead', row['id']),
					row['phone_number'],
					badge(row['status']),
					recordLink('campaigns', 'Campaign', row['campaign_id'], row['campaign_name']),
					row['attempts'],
					moment(row['created_at']),
				],
			}),
		];
	},
};

/**
 * What happened to a lead, in a sentence or two.
 *
 * @param {Row} lead
 * @param {Row[]} calls newest first
 * @param {Row[]} deliveries
 */
function summary({ status, next_attempt_at: next }, calls, deliveries) {
	const [last] = calls;
	const sentences = [
		last
			? `Called ${calls.length === 1 ? 'once' : `${calls.length} times`}; the last call was “${String(last['status']).replaceAll('_', ' ')}”.`
			: 'Not called yet. Start its campaign, or choose “Call now”.',
	];
	if (status === 'reached-max-retries') {
		sentences.push('Nobody answered, so the campaign does not try again.');
	} else if (status === 'created' && last && next) {
		sentences.push(`The campaign tries again at ${dateTime(next)} UTC if it is started.`);
	}
	const failed = deliveries.filter(({ state }) => state === 'failed');
	const [first] = failed;
	if (first) {
		const count = failed.length === 1 ? 'A webhook' : counted(failed.length, 'webhook');
		sentences.push(`${count} failed: ${reasonOf(first)}`);
	} else if (deliveries.length > 0) {
		const arrived = deliveries.filter(({ state }) => state === 'delivered').length;
		sentences.push(`${arrived} of ${counted(deliveries.length, 'webhook')} delivered.`);
	} else if (last) sentences.push('No webhook was sent.');
	return { text: sentences.join(' '), tone: first ? 'bad' : 'plain' };
}

/**
 * @param {Row} data
 * @param {import('./view.mjs').Context} context
 */
function onePage({ lead, events, deliveries }, { refresh, now }) {
	const { id, campaign, calls } = lead;
	const { text, tone } = summary(lead, calls, deliveries);
	const assistantId = lead['assistant_id'] ?? calls[0]?.assistant_id ?? undefined;
	return [
		recordHead({
			list: 'Leads',
			view: 'leads',
			title: `Lead ${id}`,
			status: badge(lead['status']),
			buttons: h(
				'button',
				{
					type: 'button',
					class: 'primary',
					onclick: () =>
						openCallNow({ assistantId, leadId: id, phoneNumber: lead['phone_number'] }),
				},
				'Call now',
			),
		}),
		h('p', { class: `summary ${tone}` }, text),
		h(
			'div',
			{ class: 'columns' },
			h(
				'div',
				{},
				section('What happened', story(events, now, { lead_id: id })),
				section(
					'Webhooks',
					deliveries.length === 0
						? h('p', { class: 'muted' }, 'None for the calls of this lead.')
						: deliveries.map((/** @type {Row} */ delivery) => deliveryDetails(delivery, refresh)),
				),
			),
			h(
				'div',
				{},
				section(
					'Lead',
					facts([
						['Phone number', lead['phone_number']],
						['Campaign', recordLink('campaigns', 'Campaign', lead['campaign_id'], campaign?.name)],
						['Unanswered calls', lead['attempts']],
						['Next attempt, at the earliest', moment(lead['next_attempt_at'])],
						['Scenario', lead['scenario']],
						['Added', moment(lead['created_at'])],
						['Last change', moment(lead['updated_at'])],
					]),
				),
				section(
					'What the assistant knows',
					values(lead['input_variables'], 'Nothing about the person.'),
				),
				section(
					'Calls',
					calls.length === 0
						? h('p', { class: 'muted' }, 'None yet.')
						: table(
								'Calls of this lead, newest first',
								['Call', 'Started', 'Status', 'Took'],
								calls.map((/** @type {Row} */ call) => ({
									key: call['id'],
									cells: [
										recordLink('calls', 'Call', call['id']),
										moment(call['created_at']),
										badge(call['status']),
										duration(call['duration'] ?? 0),
									],
								})),
							),
				),
			),
		),
	];
}
