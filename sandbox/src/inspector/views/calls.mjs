import { ask } from '../api.mjs';
import { openCallNow } from '../callNow.mjs';
import {
	assistantLink,
	badge,
	body,
	button,
	campaignLink,
	each,
	facts,
	moment,
	muted,
	notes,
	recordLink,
	shortMoment,
	spacedOptions,
	values,
} from '../components.mjs';
import { SEARCH } from '../filterBar.mjs';
import { cents, duration, money, UNITS } from '../format.mjs';
import { listView } from '../listView.mjs';
import { html } from '../vendor/preact.js';
import { conversation } from './conversation.mjs';
import { eventList, loadWithEvents } from './events.mjs';
import { messageDetails } from './messages.mjs';
import { toolRequestDetails } from './toolRequests.mjs';
import { deliveryDetails, getEvent } from './webhooks.mjs';

const NOTHING_KNOWN = 'Nothing about the person.';

const STATUSES = [
	...['initiated', 'ringing', 'in-progress', 'completed', 'ended', 'ended_by_customer'],
	...['ended_by_assistant', 'no-answer', 'busy', 'failed'],
];

export const calls = listView({
	title: 'Calls',
	heading: ({ assistant_id: assistant, campaign_id: campaign, lead_id: lead }) => [
		'Calls',
		assistant && [' of ', recordLink('assistants', assistant, `assistant ${assistant}`)],
		campaign && [' of ', recordLink('campaigns', campaign, `campaign ${campaign}`)],
		lead && [' with ', recordLink('leads', lead, `lead ${lead}`)],
	],
	path: 'records/calls',
	filters: async () => {
		const scenarios = await ask('scenarios');
		return [
			SEARCH,
			{ name: 'status', label: 'Status', options: spacedOptions(STATUSES) },
			{ name: 'type', label: 'Direction', options: ['outbound', 'inbound'] },
			{
				name: 'scenario',
				label: 'Scenario',
				options: scenarios.data.map((/** @type {Row} */ { name, title }) => [name, title]),
			},
			{ name: 'running', label: 'Running', options: { true: 'running', false: 'over' } },
		];
	},
	linked: ['assistant_id', 'campaign_id', 'lead_id'],
	nothing: html`No call yet. Choose <strong>Call now</strong> above, or start a campaign.`,
	columns: {
		Call: ({ id }) => recordLink('calls', id),
		Started: (call, context) => shortMoment(call.created_at, context),
		Status: ({ status }) => badge(status),
		Person: (call) => [
			call.type === 'inbound' ? 'from ' : 'to ',
			call.client_phone_number || 'unknown',
			call.lead_id && [html`<br />`, recordLink('leads', call.lead_id, call.lead_name)],
		],
		Assistant: assistantLink,
		Campaign: campaignLink,
		Took: (call) => duration(call.duration ?? 0),
		Cost: (call) => cents(call.total_cost),
	},
	load: (id) => loadWithEvents(`records/calls/${id}`, { call_id: id }, 100),
	page: (call, { now }) => ({
		buttons: call.assistant_id && callAgainButton(call),
		main: {
			Conversation: [missingTool(call), conversation(call), recording(call)],
			Webhooks: [
				each(
					call.deliveries,
					deliveryDetails,
					call.running ? 'They are sent when the call is over.' : noWebhook(call),
				),
				Object.keys(call.webhook_response ?? {}).length > 0 &&
					body('What the receiver answered', call.webhook_response, false),
			],
			'Tool requests': each(call.tool_requests, toolRequestDetails),
			'SMS to this number since the call began': each(call.messages, messageDetails),
		},
		aside: {
			Outcome: [
				facts({
					[call.running ? 'Status' : 'How it ended']: badge(call.status),
					'Talked for': duration(call.duration ?? 0),
					Webhook: webhookResults(call),
					Cost: money(call.total_cost),
					'Carrier’s part': money(call.carrier_cost),
				}),
				notes(UNITS),
			],
			'What the assistant knew and found out': [
				part('Knew', values(call.input_variables, NOTHING_KNOWN, call.default_variables)),
				part('Found out', values(call.variables, noResult(call))),
				call.transcript &&
					part(
						'Evaluation',
						values(call.evaluation, 'None. The setting post_call_evaluation adds one.'),
					),
			],
			Call: facts({
				Direction: call.type,
				Person: call.client_phone_number,
				'Assistant’s number': call.assistant_phone_number,
				Assistant: assistantLink(call),
				Campaign: campaignLink(call),
				Lead: recordLink('leads', call.lead_id, call.lead_name),
				Scenario: call.scenario_title,
				Language: call.language,
				Started: moment(call.created_at),
				'Last change': moment(call.updated_at),
				'Answered by': call.answered_by,
			}),
			Timeline: eventList(call.events, now, { call_id: call.id }),
		},
	}),
});

/** @param {Row} call */
function callAgainButton(call) {
	const [request] = call.tool_requests;
	const chosen = {
		assistantId: call.assistant_id,
		leadId: call.lead_id ?? undefined,
		phoneNumber: call.client_phone_number,
		direction: call.type,
		scenario: call.scenario,
		tool: request && { name: request.tool_name, arguments: request.arguments },
		values: call.variables,
	};
	return button('Call again', () => openCallNow(chosen));
}

/** What became of each webhook of a call. @param {Row} call */
const webhookResults = ({ deliveries, running }) =>
	deliveries.length === 0
		? running
			? 'not yet'
			: 'none'
		: deliveries.map(
				(/** @type {Row} */ delivery) => html`
					<p>${recordLink('webhooks', delivery.id, getEvent(delivery))} ${badge(delivery.state)}</p>
				`,
			);

/** A part of a card. @type {(title: string, content: Children) => Children} */
const part = (title, content) => html`
	<h3>${title}</h3>
	${content}
`;

/** Why no webhook was sent for a call. @param {Row} call */
const noWebhook = ({ events }) =>
	events.find((/** @type {Row} */ { kind }) => kind === 'webhook-left-out')?.text ??
	'None. Calls of a seed send none, and why others sent none is kept for the newest events only.';

/** Why the assistant called no tool in a call that is about one. @param {Row} call */
function missingTool({ events }) {
	const event = events.find((/** @type {Row} */ { kind }) => kind === 'tool-missing');
	return event && html`<p class="notice">${event.text}</p>`;
}

/** Why a call has no result. @param {Row} call */
function noResult({ running, transcript }) {
	if (running) return 'It comes when the call is over.';
	return transcript ? 'Nothing.' : 'Nothing, because nobody spoke.';
}

/** @param {Row} call */
function recording({ recording_url: url, transcript }) {
	if (!url) return transcript && muted('No recording. The setting record_call makes one.');
	const { pathname } = new URL(url);
	// The service names its own address, which can be another one than this page's.
	const isOwn = pathname.startsWith('/recordings/');
	const source = isOwn ? pathname : url;
	return html`
		<div class="recording">
			${isOwn && html`<audio controls preload="none" src=${source} aria-label="Recording" />`}
			<p><a href=${source}>${url}</a></p>
		</div>
	`;
}
