import { ask } from './api.mjs';
import { badge, body, facts, faultNote, moment, recordLink } from './components.mjs';
import { h } from './dom.mjs';
import { counted, dateTime } from './format.mjs';
import { attempt } from './messages.mjs';

/** @typedef {import('./api.mjs').Row} Row */

/** What the two webhooks of an assistant are called. */
export const EVENTS = /** @type {{ [event: string]: string }} */ ({
	postCall: 'Post-call webhook',
	inboundCall: 'Inbound webhook',
});

/** What to do about an address that n8n's editor has registered. */
export const TEST_ADDRESS =
	'This is the test address of n8n’s editor, which takes one event after “Execute workflow”. Publish the workflow, so that it receives every call.';

/**
 * Says why a webhook is where it is, and what helps.
 *
 * @param {Row} delivery whole, or as a row of a list
 * @returns {string}
 */
export function reasonOf({ state, attempts, url, next_attempt_at: next, ...row }) {
	const count = attempts?.length ?? row['attempt_count'];
	const last = attempts ? attempts.at(-1) : count > 0 ? row : undefined;
	const tries = counted(count, 'attempt');
	if (state === 'delivered') return `The receiver answered ${last?.status}.`;
	if (state === 'cancelled') return 'The webhook was disabled before it could be sent.';
	const failure = last && failureOf(last, url);
	if (state === 'pending') {
		const when = next ? ` Next attempt: ${dateTime(next)} UTC.` : '';
		return failure ? `${failure} ${tries} so far.${when}` : `Not sent yet.${when}`;
	}
	if (last?.cause === 'replay') return `${failure} That was the replay.`;
	return `${failure ?? 'It was not sent.'} The sandbox gave up after ${tries}.`;
}

/**
 * @param {Row} attempt
 * @param {string} url
 */
function failureOf({ status, error }, url) {
	if (status === null || status === undefined) {
		const reason = `No answer came${error ? `: ${String(error).replace(/\.$/, '')}` : ''}.`;
		return `${reason} Does something listen at ${hostOf(url)}?`;
	}
	const answered = `The receiver answered ${status}.`;
	if (status === 404 && url.includes('/webhook-test/')) {
		return `${answered} ${TEST_ADDRESS}`;
	}
	if (status === 404 || status === 410) {
		return `${answered} Nobody takes webhooks at this address: is the workflow published?`;
	}
	if (status === 401 || status === 403) return `${answered} It refuses whoever sends this webhook.`;
	return answered;
}

/** @param {string} url */
const hostOf = (url) => (URL.canParse(url) ? new URL(url).host : url);

/**
 * A button that sends a webhook once more.
 *
 * @param {Row} delivery
 * @param {() => void} refresh
 */
function replayButton({ id, state }, refresh) {
	if (state === 'pending') return undefined;
	return h(
		'button',
		{
			type: 'button',
			'aria-label': `Replay webhook ${id}`,
			title: 'Sends it once more, to the address that the assistant has now',
			onclick: () =>
				attempt(async () => {
					const delivery = await ask(`deliveries/${id}/replay`, { method: 'POST', input: {} });
					refresh();
					return `Webhook ${id} was sent again. ${reasonOf(delivery)}`;
				}),
		},
		'Replay',
	);
}

/**
 * A webhook: where it went, what came of each attempt, and its body.
 *
 * @param {Row} delivery
 * @param {() => void} refresh
 * @param {boolean} [open] whether its body is shown at once
 */
export function deliveryDetails(delivery, refresh, open = false) {
	const { id, event, url, state, attempts, call_id: call, body: sent } = delivery;
	return h(
		'article',
		{ class: `delivery ${state}`, key: `delivery ${id}` },
		h(
			'h3',
			{},
			recordLink('webhooks', 'Webhook', id),
			` · ${EVENTS[event] ?? event} `,
			badge(state),
		),
		h('p', { class: 'reason' }, reasonOf(delivery)),
		faultNote(delivery),
		facts([
			['To', h('code', {}, url)],
			['Call', recordLink('calls', 'Call', call)],
		]),
		attempts.length > 0 &&
			h(
				'ol',
				{ class: 'attempts' },
				attempts.map((/** @type {Row} */ { at, cause, status, error }) =>
					h(
						'li',
						{},
						moment(at),
						cause === 'first' ? ' ' : ` (${cause}) `,
						badge(status ?? 'no answer'),
						' ',
						error,
					),
				),
			),
		body('Body that was sent', sent, open),
		replayButton(delivery, refresh),
	);
}
