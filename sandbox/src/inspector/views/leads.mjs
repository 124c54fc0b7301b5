import { ask } from '../api.mjs';
import { openCallNow } from '../callNow.mjs';
import {
	badge,
	button,
	campaignLink,
	each,
	facts,
	link,
	moment,
	recordLink,
	shortMoment,
	spaced,
	spacedOptions,
	table,
	values,
} from '../components.mjs';
import { SEARCH } from '../filterBar.mjs';
import { counted, dateTime, duration } from '../format.mjs';
import { listView } from '../listView.mjs';
import { html } from '../vendor/preact.js';
import { eventList, loadWithEvents } from './events.mjs';
import { deliveryDetails, getReason } from './webhooks.mjs';

const STATUSES = ['created', 'completed', 'reached-max-retries'];

/** Of so many of a lead's newest calls, the webhooks are shown. */
const CALLS_WITH_WEBHOOKS = 10;

export const leads = listView({
	title: 'Leads',
	heading: ({ campaign_id: id }) =>
		id && html`Leads of ${recordLink('campaigns', id, `campaign ${id}`)}`,
	path: 'records/leads',
	filters: () => [SEARCH, { name: 'status', label: 'Status', options: spacedOptions(STATUSES) }],
	linked: ['campaign_id'],
	nothing: html`No leads yet. Add one with <strong>Lead → Create</strong> of the node.`,
	columns: {
		Lead: ({ id, name }) => recordLink('leads', id, name && `${id} · ${name}`),
		Number: (row) => row.phone_number,
		Status: ({ status }) => badge(status),
		Campaign: campaignLink,
		'Unanswered calls': ({ attempts }) => attempts,
		Added: (row, context) => shortMoment(row.created_at, context),
	},
	async load(id) {
		const lead = await loadWithEvents(`records/leads/${id}`, { lead_id: id }, 100);
		const newest = lead.calls.slice(0, CALLS_WITH_WEBHOOKS);
		const calls = await Promise.all(
			newest.map((/** @type {Row} */ call) => ask(`records/calls/${call.id}`)),
		);
		return { ...lead, deliveries: calls.flatMap(({ deliveries }) => deliveries) };
	},
	page: (lead, { now }) => ({
		buttons: callNowButton(lead),
		summary: summary(lead),
		main: {
			'What happened': eventList(lead.events, now, { lead_id: lead.id }),
			Webhooks: each(lead.deliveries, deliveryDetails, 'None for the calls of this lead.'),
		},
		aside: {
			Lead: facts({
				'Phone number': lead.phone_number,
				Campaign: recordLink('campaigns', lead.campaign_id, lead.campaign?.name),
				'Unanswered calls': lead.attempts,
				'Next attempt, at the earliest': moment(lead.next_attempt_at),
				Scenario: lead.scenario_title,
				SMS: link('sms', { to: lead.phone_number }, 'All to this number'),
				Added: moment(lead.created_at),
				'Last change': moment(lead.updated_at),
			}),
			'What the assistant knows': values(
				lead.input_variables,
				'Nothing about the person.',
				lead.default_variables,
			),
			Calls: table(
				'Calls of this lead, newest first',
				lead.calls,
				{
					Call: ({ id }) => recordLink('calls', id),
					Started: (call) => shortMoment(call.created_at, { now }),
					Status: ({ status }) => badge(status),
					Took: (call) => duration(call.duration ?? 0),
				},
				'None yet.',
			),
		},
	}),
});

/** @param {Row} lead */
function callNowButton({ id, assistant_id: assistantId, calls, phone_number: phoneNumber }) {
	const chosen = {
		assistantId: assistantId ?? calls[0]?.assistant_id ?? undefined,
		leadId: id,
		phoneNumber,
	};
	return button('Call now', () => openCallNow(chosen));
}

/**
 * What happened to a lead, in a sentence or two.
 * @param {Row} lead its calls are the newest first
 */
function summary({ status, next_attempt_at: next, calls, deliveries }) {
	const [last] = calls;
	const texts = [
		last
			? `Called ${calls.length === 1 ? 'once' : `${calls.length} times`}; the last call was “${spaced(last.status)}”.`
			: 'Not called yet. Start its campaign, or choose “Call now”.',
	];
	if (status === 'reached-max-retries') {
		texts.push('Nobody answered, so the campaign does not try again.');
	} else if (status === 'created' && last && next) {
		texts.push(`The campaign tries again at ${dateTime(next)} UTC if it is started.`);
	}
	const inState = (/** @type {string} */ wanted) =>
		deliveries.filter((/** @type {Row} */ { state }) => state === wanted);
	const failed = inState('failed');
	if (failed.length > 0) {
		const count = failed.length === 1 ? 'A webhook' : counted(failed.length, 'webhook');
		texts.push(`${count} failed: ${getReason(failed[0])}`);
	} else if (deliveries.length > 0) {
		const arrived = inState('delivered').length;
		texts.push(`${arrived} of ${counted(deliveries.length, 'webhook')} delivered.`);
	} else if (last) texts.push('No webhook was sent.');
	return html`<p class="summary ${failed.length > 0 ? 'bad' : 'plain'}">${texts.join(' ')}</p>`;
}
