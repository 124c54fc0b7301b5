import { address, badge, body, facts, moment, recordLink, shortMoment } from '../components.mjs';
import { SEARCH } from '../filterBar.mjs';
import { latency } from '../format.mjs';
import { listView, openingLink } from '../listView.mjs';
import { html } from '../vendor/preact.js';

export const toolRequests = listView({
	title: 'Tool requests',
	path: 'records/tool-requests',
	label: 'Requests to tools, newest first',
	filters: () => [
		SEARCH,
		{ name: 'state', label: 'State', options: ['pending', 'answered', 'failed'] },
	],
	nothing:
		'No assistant has used a tool yet. Choose “Call now” with the scenario tool-call and an assistant that has a tool.',
	columns: {
		Time: ({ at }, context) => shortMoment(at, context),
		Request: (row, context) => openingLink(row, context, `${row.id} · ${row.tool_name}`),
		Answer: ({ status, state }) => badge(status ?? state),
		Took: (row) => latency(row.latency_ms),
		Call: (row) => recordLink('calls', row.call_id),
	},
	panel: (request) => [`Tool request ${request.id}`, toolRequestDetails(request)],
});

/** A request of an assistant to a tool, with what the tool answered. @param {Row} request */
export const toolRequestDetails = (request) => html`
	<article key="tool request ${request.id}">
		<h3>
			${recordLink('tools', request.tool_id, request.tool_name)}
			${' '}${badge(request.status ?? request.state)}
		</h3>
		${request.error && html`<p class="reason">${request.error}</p>`}
		${facts({
			Method: request.method,
			'Sent to': address(request.url),
			At: moment(request.at),
			Call: recordLink('calls', request.call_id),
			Took: latency(request.latency_ms),
		})}
		${body('Arguments', request.arguments)} ${body('Answer', parsed(request.answer))}
	</article>
`;

/** @param {unknown} text */
function parsed(text) {
	try {
		return JSON.parse(String(text));
	} catch {
		return text;
	}
}
