import { badge, body } from '../components.mjs';
import { h } from '../dom.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/**
 * A transcript as a conversation. Lines that nobody says, such as those about a tool, are in between.
 *
 * @param {Row} call
 * @param {Row[]} toolRequests
 */
export function conversation({ transcript, status }, toolRequests) {
	if (!transcript) {
		const isOver = !['initiated', 'ringing', 'in-progress'].includes(status);
		return h(
			'p',
			{ class: 'muted' },
			isOver
				? 'Nobody spoke.'
				: 'The transcript comes when the call is over. If the clock stands still, choose “Until nothing is due” above.',
		);
	}
	let tools = 0;
	return h(
		'ol',
		{ class: 'conversation' },
		String(transcript)
			.split('\n')
			.map((line) => {
				const [, speaker, said = ''] = /^(\p{L}[\p{L} ]{1,19}): (.*)$/u.exec(line) ?? [];
				if (speaker) {
					const side = speaker === 'Assistant' ? 'assistant' : 'customer';
					return h('li', { class: side }, h('b', {}, speaker), h('span', {}, said));
				}
				const isToolCall = /\btool\b/i.test(line) && line.includes('{');
				const request = isToolCall ? toolRequests[tools++] : undefined;
				return h(
					'li',
					{ class: 'aside' },
					h('span', {}, line),
					request && [' ', badge(request['status'] ?? request['state'])],
					request && body('Answer of the tool', request['answer'], false),
				);
			}),
	);
}
