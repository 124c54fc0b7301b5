import { badge, facts, moment, recordLink, shortMoment } from '../components.mjs';
import { cents, money } from '../format.mjs';
import { listView } from '../listView.mjs';
import { html } from '../vendor/preact.js';

export const messages = listView({
	title: 'SMS',
	path: 'records/messages',
	linked: ['to'],
	nothing: html`
		No SMS yet. The node sends one with <strong>SMS → Send</strong>; it does not reach anybody.
	`,
	columns: {
		SMS: ({ id }) => id,
		Sent: (row, context) => shortMoment(row.created_at, context),
		To: ({ to }) => to,
		Lead: (row) => recordLink('leads', row.lead_id, row.lead_name),
		'Last call': (row) => recordLink('calls', row.call_id),
		Text: (row) => row.body,
		Segments: ({ segments }) => segments,
		Cost: (row) => cents(row.total_cost),
		Status: ({ status }) => badge(status),
	},
});

/** An SMS. @param {Row} message */
export const messageDetails = (message) => html`
	<article key="message ${message.id}">
		<h3>SMS ${message.id} ${badge(message.status)}</h3>
		<blockquote>${message.body}</blockquote>
		${facts({
			To: message.to,
			Lead: recordLink('leads', message.lead_id, message.lead_name),
			'Last call before': recordLink('calls', message.call_id),
			Sent: moment(message.created_at),
			Cost: money(message.total_cost),
		})}
	</article>
`;
