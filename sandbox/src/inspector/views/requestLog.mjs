import { ask } from '../api.mjs';
import {
	badge,
	body,
	button,
	facts,
	faultMark,
	faultNote,
	headers,
	moment,
	muted,
	shortMoment,
	weatherNote,
} from '../components.mjs';
import { toCurl } from '../curl.mjs';
import { copy } from '../dialogs.mjs';
import { SEARCH } from '../filterBar.mjs';
import { latency } from '../format.mjs';
import { listView, openingLink } from '../listView.mjs';
import { html } from '../vendor/preact.js';

/** @param {Row} request */
const getName = ({ method, path }) => `${method} ${path}`;

export const requestLog = listView({
	title: 'Requests',
	path: 'records/requests',
	label: 'Requests to the service, newest first',
	filters: () => [
		SEARCH,
		{
			name: 'refused',
			label: 'Outcome',
			options: { true: 'Refused or dropped', false: 'Successful' },
		},
	],
	nothing: html`
		No program has sent a request yet. The service is at <code>${location.origin}/api</code>. Give
		this address to your n8n credential.
	`,
	columns: {
		Time: ({ at }, context) => shortMoment(at, context),
		Request: (row, context) => openingLink(row, context, getName(row)),
		Status: (row) => [badge(row.status ?? noResponse(row)), faultMark(row)],
		Operation: ({ operation }) => operation,
		Took: (row) => latency(row.duration_ms),
	},
	load: (id) => ask(`requests/${id}`),
	panel: (request) => [`Request ${request.id}`, requestDetails(request)],
});

/**
 * A request to the service with its response: why it was refused, headers, bodies, the fault that hit it.
 * @param {Row} request
 */
export function requestDetails(request) {
	const { id, query, operation, status, at, duration_ms: ms, user } = request;
	const search = new URLSearchParams(query ?? {}).toString();
	const copyAsCurl = () =>
		copy(toCurl(request, location.origin), 'Copied. Set TOKEN to the API token before you run it.');
	return html`
		<article class="request" key="request ${id}">
			<h3>
				<code>${getName(request)}${search && `?${search}`}</code>
				${' '}${badge(status ?? noResponse(request))}
			</h3>
			${whyRefused(request)} ${faultNote(request)} ${weatherNote(request)}
			<div class="buttons">${button('Copy as curl', copyAsCurl)}</div>
			${facts({
				At: moment(at),
				Operation: operation ?? 'none: no operation has this method and path',
				User: user === null ? 'none: the token is missing or wrong' : String(user),
				'Time to answer': latency(ms),
			})}
			<h4>Request</h4>
			${headers(request.request_headers)} ${body('Body', request.body)}
			<h4>Response</h4>
			${
				status === null &&
				muted(ms === null ? 'There is none yet.' : 'The connection closed without a response.')
			}
			${headers(request.response_headers)} ${status !== null && body('Body', request.response_body)}
		</article>
	`;
}

/** What is shown in place of the status of a request that has none. @param {Row} request */
const noResponse = ({ duration_ms: ms }) => (ms === null ? 'in flight' : 'no response');

/** @param {Row} request */
function whyRefused({ status, response_body: response }) {
	if (status === null || status < 400) return undefined;
	const errors = Object.entries(response?.errors ?? {}).map(
		([field, messages]) => html`<li><code>${field}</code> ${[messages].flat().join(' ')}</li>`,
	);
	return html`
		<div class="why">
			<p><strong>${response?.message ?? `The service answered ${status}.`}</strong></p>
			${
				errors.length > 0 &&
				html`<ul>
					${errors}
				</ul>`
			}
		</div>
	`;
}
