import { body, badge, facts, faultNote, headers, moment } from './components.mjs';
import { copy } from './dialogs.mjs';
import { curlOf } from './curl.mjs';
import { h } from './dom.mjs';
import { latency } from './format.mjs';

/** @typedef {import('./api.mjs').Row} Row */

/**
 * A request to the service with its response: why it was refused, headers, bodies, the fault that hit it.
 * @param {Row} request
 */
export function requestDetails(request) {
	const { method, path, query, operation, status, at, duration_ms: ms, user } = request;
	const search = new URLSearchParams(query ?? {}).toString();
	return h(
		'article',
		{ class: 'request', key: `request ${request['id']}` },
		h('h3', {}, `Request ${request['id']}`, ' ', badge(status ?? noResponse(request))),
		h('p', {}, h('code', {}, `${method} ${path}${search === '' ? '' : `?${search}`}`)),
		whyRefused(request),
		faultNote(request),
		h(
			'div',
			{ class: 'buttons' },
			h(
				'button',
				{
					type: 'button',
					onclick: () =>
						copy(
							curlOf(request, location.origin),
							'Copied. Set TOKEN to the API token before you run it.',
						),
				},
				'Copy as curl',
			),
		),
		facts([
			['At', moment(at)],
			['Operation', operation ?? 'none: no operation has this method and path'],
			['User', user === null ? 'none: the token is missing or wrong' : String(user)],
			['Time to answer', latency(ms)],
		]),
		h('h4', {}, 'Request'),
		headers('Headers', request['request_headers']),
		body('Body', request['body']),
		h('h4', {}, 'Response'),
		status === null &&
			h(
				'p',
				{ class: 'muted' },
				ms === null ? 'There is none yet.' : 'The connection closed without a response.',
			),
		headers('Headers', request['response_headers']),
		status !== null && body('Body', request['response_body']),
	);
}

/**
 * What stands in the place of the status of a request that has none.
 * @param {Row} request
 */
export const noResponse = ({ duration_ms: ms }) => (ms === null ? 'in flight' : 'no response');

/** @param {Row} request */
function whyRefused({ status, response_body: response }) {
	if (status === null || status < 400) return undefined;
	const errors = Object.entries(response?.errors ?? {});
	return h(
		'div',
		{ class: 'why' },
		h('p', {}, h('strong', {}, response?.message ?? `The service answered ${status}.`)),
		errors.length > 0 &&
			h(
				'ul',
				{},
				errors.map(([field, messages]) =>
					h('li', {}, h('code', {}, field), ` ${[messages].flat().join(' ')}`),
				),
			),
	);
}
