import { html } from '../vendor/preact.js';

/** What one can choose to see, and the kinds of events behind it. */
export const GROUPS =
	/** @type {{ [name: string]: { text: string, one: string, kinds: string[] } }} */ ({
		calls: {
			text: 'Calls',
			one: 'Call',
			kinds: ['call-started', 'call-ringing', 'call-answered', 'call-ended', 'call-deleted'],
		},
		leads: { text: 'Leads', one: 'Lead', kinds: ['lead-added', 'lead-changed'] },
		campaigns: {
			text: 'Campaigns',
			one: 'Campaign',
			kinds: ['campaign-started', 'campaign-stopped', 'campaign-changed'],
		},
		settings: { text: 'Settings', one: 'Setting', kinds: ['assistant-changed', 'tool-changed'] },
		tools: { text: 'Tools', one: 'Tool', kinds: ['tool-called', 'tool-answered', 'tool-missing'] },
		webhooks: {
			text: 'Webhooks',
			one: 'Webhook',
			kinds: [
				...['webhook-delivered', 'webhook-failed', 'webhook-cancelled', 'webhook-left-out'],
				...['question-asked', 'question-answered'],
			],
		},
		sms: { text: 'SMS', one: 'SMS', kinds: ['sms-sent'] },
		refused: { text: 'Refused requests', one: 'Refusal', kinds: ['request-refused'] },
		sandbox: { text: 'Sandbox', one: 'Sandbox', kinds: ['sandbox', 'weather'] },
	});

/** The group of a kind of event. @param {string} kind */
export const getGroup = (kind) =>
	Object.keys(GROUPS).find((name) => GROUPS[name]?.kinds.includes(kind)) ?? '';

/** A kind of event by its colour, and in a word for whoever does not see colours. @param {string} kind */
export const kindMark = (kind) => html`
	<span class="kind ${getGroup(kind)}"><span class="dot" /> ${GROUPS[getGroup(kind)]?.one}</span>
`;
