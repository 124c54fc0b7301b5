import { badge, facts, moment } from '../components.mjs';
import { money } from '../format.mjs';
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
		Sent: (row) => moment(row.created_at),
		To: ({ to }) => html`<span class="nowrap">${to}</span>`,
		Text: (row) => row.body,
		Segments: ({ segments }) => segments,
		Cost: (row) => html`<span class="nowrap">${money(row.total_cost)}</span>`,
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
			Sent: moment(message.created_at),
			Cost: money(message.total_cost),
		})}
	</article>
`;
