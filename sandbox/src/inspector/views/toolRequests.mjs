import { badge, body, facts, moment, recordLink } from '../components.mjs';
import { h } from '../dom.mjs';
import { latency } from '../format.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/**
 * A request of an assistant to a tool, with what the tool answered.
 * @param {Row} request
 */
export function toolRequestDetails(request) {
	const { id, tool_id: tool, tool_name: name, method, url, status, state, error } = request;
	return h(
		'article',
		{ class: 'tool-request', key: `tool request ${id}` },
		h('h3', {}, recordLink('tools', 'Tool', tool, name), ' ', badge(status ?? state)),
		error && h('p', { class: 'reason' }, error),
		facts([
			['Sent', h('code', {}, `${method} ${url}`)],
			['At', moment(request['at'])],
			['Call', recordLink('calls', 'Call', request['call_id'])],
			['Took', latency(request['latency_ms'])],
		]),
		body('Arguments', request['arguments']),
		body('Answer', parsed(request['answer'])),
	);
}

/** @param {unknown} text */
function parsed(text) {
	try {
		return JSON.parse(String(text));
	} catch {
		return text;
	}
}
