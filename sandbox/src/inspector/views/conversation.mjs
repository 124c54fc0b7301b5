import { badge, body, muted } from '../components.mjs';
import { latency } from '../format.mjs';
import { html } from '../vendor/preact.js';

/**
 * A transcript as a conversation. Lines that nobody says, such as those about a tool, are in between.
 * @param {Row} call
 */
export function conversation({ transcript, running, tool_requests: toolRequests }) {
	if (!transcript) {
		return muted(
			running
				? 'The transcript comes when the call is over. If the clock stands still, open it above and choose “Until nothing is due”.'
				: 'Nobody spoke.',
		);
	}
	const answered = toolRequests.values();
	// Their boxes have it.
	const results = toolRequests.map(
		(/** @type {Row} */ { status, latency_ms: ms }) =>
			`The tool answered with status ${status} after ${ms} ms.`,
	);
	const lines = String(transcript)
		.split('\n')
		.filter((line) => !results.includes(line))
		.map((line) => {
			const [, speaker, said] = /^(\p{L}[\p{L} ]{1,19}): (.*)$/u.exec(line) ?? [];
			if (speaker) {
				const side = speaker === 'Assistant' ? 'assistant' : 'customer';
				return html`<li class=${side}><b>${speaker}</b><span>${said}</span></li>`;
			}
			const isToolCall = /\btool\b/i.test(line) && line.includes('{');
			const request = isToolCall && answered.next().value;
			return html`
				<li class="aside">
					<span>${line}</span>
					${request && [' ', badge(request.status ?? request.state), ' ', latency(request.latency_ms)]}
					${request && body('Answer of the tool', request.answer, false)}
				</li>
			`;
		});
	return html`<ol class="conversation">
		${lines}
	</ol>`;
}
