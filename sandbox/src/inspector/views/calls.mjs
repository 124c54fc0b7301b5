import { ask } from '../api.mjs';
import { badge, facts, moment, recordHead, recordLink, section, values } from '../components.mjs';
import { deliveryDetails } from '../deliveryDetails.mjs';
import { openCallNow } from '../dialogs.mjs';
import { h } from '../dom.mjs';
import { duration, money } from '../format.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { conversation } from './conversation.mjs';
import { messageFacts } from './messages.mjs';
import { story } from './story.mjs';
import { toolRequestDetails } from './toolRequests.mjs';

/** @typedef {import('../api.mjs').Row} Row */

const STATUSES = [
	'initiated',
	'ringing',
	'in-progress',
	'completed',
	'ended',
	'ended_by_customer',
	'ended_by_assistant',
	'no-answer',
	'busy',
	'failed',
];

const FILTERS = ['search', 'status', 'type', 'scenario', 'running'];
/** Filters that only links set. */
const LINKED = ['assistant_id', 'campaign_id', 'lead_id'];

/** @type {import('./view.mjs').View} */
export const calls = {
	title: 'Calls',
	async load({ route, state }) {
		if (route.id !== undefined) {
			const [call, events] = await Promise.all([
				ask(`records/calls/${route.id}`),
				ask('events', { query: { call_id: route.id, limit: 100 } }),
			]);
			return { call, events: events['data'] };
		}
		const filters = [...FILTERS, ...LINKED].map((name) => [name, route.query[name]]);
		const [scenarios] = await Promise.all([
			ask('scenarios'),
			loadList('records/calls', Object.fromEntries(filters), state),
		]);
		return { scenarios: scenarios['data'] };
	},
	render(data, context) {
		const { route, state, refresh } = context;
		if (data['call']) return onePage(data['call'], data['events'], context);
		return [
			h('h1', { tabindex: '-1' }, 'Calls', aboutLinks(route.query)),
			filterBar(route, [
				{ name: 'search', label: 'Search' },
				{
					name: 'status',
					label: 'Status',
					options: STATUSES.map((status) => [status, status.replaceAll('_', ' ')]),
				},
				{
					name: 'type',
					label: 'Direction',
					options: [
						['outbound', 'outbound'],
						['inbound', 'inbound'],
					],
				},
				{
					name: 'scenario',
					label: 'Scenario',
					options: data['scenarios'].map((/** @type {Row} */ { name }) => [name, name]),
				},
				{
					name: 'running',
					label: 'Running',
					options: [
						['true', 'running'],
						['false', 'over'],
					],
				},
			]),
			list({
				label: 'Calls, newest first',
				columns: ['Call', 'Started', 'Status', 'Person', 'Assistant', 'Campaign', 'Took', 'Cost'],
				state,
				refresh,
				isFiltered: [...FILTERS, ...LINKED].some((name) => route.query[name]),
				nothing: [
					'No call yet. Choose ',
					h('strong', {}, 'Call now'),
					' above, or start a campaign.',
				],
				cells: (row) => [
					recordLink('calls', 'Call', row['id']),
					moment(row['created_at']),
					badge(row['status']),
					[
						row['type'] === 'inbound' ? 'from ' : 'to ',
						row['client_phone_number'] || 'unknown',
						row['lead_id'] ? [' · ', recordLink('leads', 'Lead', row['lead_id'])] : [],
					].flat(2),
					recordLink('assistants', 'Assistant', row['assistant_id'], row['assistant_name']),
					recordLink('campaigns', 'Campaign', row['campaign_id'], row['campaign_name']),
					duration(row['duration'] ?? 0),
					money(row['total_cost']),
				],
			}),
		];
	},
};

/** @param {{ [name: string]: string }} query */
const aboutLinks = ({ assistant_id: assistant, campaign_id: campaign, lead_id: lead }) =>
	[
		assistant && [' of ', recordLink('assistants', 'assistant', Number(assistant))],
		campaign && [' of ', recordLink('campaigns', 'campaign', Number(campaign))],
		lead && [' with ', recordLink('leads', 'lead', Number(lead))],
	]
		.filter(Boolean)
		.flat();

/**
 * @param {Row} call
 * @param {Row[]} events
 * @param {import('./view.mjs').Context} context
 */
function onePage(call, events, { refresh, now }) {
	const { id, assistant_id: assistant, lead_id: lead } = call;
	const deliveries = call['deliveries'] ?? [];
	const toolRequests = call['tool_requests'] ?? [];
	const messages = call['messages'] ?? [];
	return [
		recordHead({
			list: 'Calls',
			view: 'calls',
			title: `Call ${id}`,
			status: badge(call['status']),
			buttons:
				assistant &&
				h(
					'button',
					{
						type: 'button',
						onclick: () =>
							openCallNow({
								assistantId: assistant,
								leadId: lead ?? undefined,
								phoneNumber: call['client_phone_number'],
								direction: call['type'],
								scenario: call['scenario'],
								values: call['variables'],
							}),
					},
					'Call again',
				),
		}),
		h(
			'div',
			{ class: 'columns' },
			h(
				'div',
				{},
				section('Conversation', conversation(call, toolRequests)),
				section(
					'Webhooks',
					deliveries.length === 0
						? h('p', { class: 'muted' }, noWebhooks(call))
						: deliveries.map((/** @type {Row} */ delivery) => deliveryDetails(delivery, refresh)),
				),
				toolRequests.length > 0 && section('Tool requests', toolRequests.map(toolRequestDetails)),
				messages.length > 0 &&
					section('SMS to this number since the call began', messages.map(messageFacts)),
			),
			h(
				'div',
				{},
				section(
					'Call',
					facts([
						['Direction', call['type']],
						['Person', call['client_phone_number']],
						['Assistant’s number', call['assistant_phone_number']],
						['Assistant', recordLink('assistants', 'Assistant', assistant, call['assistant_name'])],
						[
							'Campaign',
							recordLink('campaigns', 'Campaign', call['campaign_id'], call['campaign_name']),
						],
						['Lead', recordLink('leads', 'Lead', lead)],
						['Scenario', call['scenario']],
						['Language', call['language']],
						['Started', moment(call['created_at'])],
						['Last change', moment(call['updated_at'])],
						['Talked for', duration(call['duration'] ?? 0)],
						['Answered by', call['answered_by']],
					]),
				),
				section(
					'What the assistant knew',
					values(call['input_variables'], 'Nothing about the person.'),
				),
				section('What it found out', values(call['variables'], nothing(call, 'Nothing.'))),
				section(
					'Evaluation',
					values(
						call['evaluation'],
						nothing(call, 'None. The assistant’s setting post_call_evaluation adds one.'),
					),
				),
				section('Recording', recording(call['recording_url'])),
				section(
					'Costs',
					facts([
						['Total', money(call['total_cost'])],
						['Of the carrier', money(call['carrier_cost'])],
					]),
				),
				section('What the receiver answered', values(call['webhook_response'], 'Nothing.')),
				section('Timeline', story(events, now, { call_id: id })),
			),
		),
	];
}

/** @param {Row} call */
const isRunning = ({ running, status }) =>
	running ?? ['initiated', 'ringing', 'in-progress'].includes(status);

/**
 * Why a call has no result.
 *
 * @param {Row} call
 * @param {string} otherwise
 */
function nothing(call, otherwise) {
	if (isRunning(call)) return 'It comes when the call is over.';
	return call['transcript'] ? otherwise : 'Nothing, because nobody spoke.';
}

/** @param {Row} call */
function noWebhooks(call) {
	return isRunning(call)
		? 'They are sent when the call is over.'
		: 'None. When the call ended, the assistant had no active webhook for it, or left it out because of send_webhook_only_on_completed.';
}

/** @param {string | undefined} url */
function recording(url) {
	if (!url)
		return h('p', { class: 'muted' }, 'None. The assistant’s setting record_call makes one.');
	const { pathname } = new URL(url);
	// The service names its own address, which can be another one than this page's.
	const isOwn = pathname.startsWith('/recordings/');
	const source = isOwn ? pathname : url;
	return h(
		'div',
		{ class: 'recording' },
		isOwn &&
			h('audio', { controls: true, preload: 'none', src: source, 'aria-label': 'Recording' }),
		h('p', {}, h('a', { href: source }, url)),
	);
}
