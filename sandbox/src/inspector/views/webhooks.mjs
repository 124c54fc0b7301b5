import {
	address,
	badge,
	body,
	button,
	facts,
	faultNote,
	moment,
	recordLink,
	shortMoment,
} from '../components.mjs';
import { SEARCH } from '../filterBar.mjs';
import { counted, dateTime, latency } from '../format.mjs';
import { listView, openingLink } from '../listView.mjs';
import { attemptChange } from '../messages.mjs';
import { html } from '../vendor/preact.js';

/** What the webhooks of an assistant are called. */
const EVENTS = /** @type {{ [event: string]: string }} */ ({
	postCall: 'Post-call webhook',
	inboundCall: 'Inbound webhook',
	inboundQuestion: 'Question before the call',
});

/** What a webhook is called. @param {Row} delivery */
export const getEvent = ({ event }) => EVENTS[event] ?? event;

/** What to do about an address that n8n's editor has registered. */
export const TEST_ADDRESS =
	'This is the test address of n8n’s editor, which takes one event after “Execute workflow”. Publish the workflow, so that it receives every call.';

export const webhooks = listView({
	title: 'Webhooks',
	path: 'records/deliveries',
	filters: () => [
		SEARCH,
		{ name: 'state', label: 'State', options: ['pending', 'delivered', 'failed', 'cancelled'] },
		{ name: 'event', label: 'Webhook', options: Object.entries(EVENTS) },
	],
	linked: ['call_id', 'assistant_id'],
	nothing:
		'No webhook yet. One is sent at the end of a call if the call’s assistant has an active webhook: publish a workflow with a trigger of this package, then call somebody.',
	columns: {
		Time: (row, context) => shortMoment(row.created_at, context),
		Webhook: (row, context) => openingLink(row, context, `${row.id} · ${getEvent(row)}`),
		State: ({ state }) => badge(state),
		Why: getReason,
		Call: (row) => recordLink('calls', row.call_id),
	},
	panel: (delivery) => [`Webhook ${delivery.id}`, deliveryDetails(delivery, true)],
});

/**
 * Says why a webhook is where it is, and what helps. The delivery is whole, or a row of a list.
 * @type {(delivery: Row) => string}
 */
export function getReason({ state, attempts, url, next_attempt_at: next, ...row }) {
	const count = attempts?.length ?? row.attempt_count;
	const last = attempts ? attempts.at(-1) : count > 0 ? row : undefined;
	const tries = counted(count, 'attempt');
	if (row.event === 'inboundQuestion' && state === 'failed') {
		return `The call went on without variables. ${last?.error}`;
	}
	if (state === 'delivered') return `The receiver answered ${last?.status}.`;
	if (state === 'cancelled') return 'The webhook was disabled before it could be sent.';
	const failure = last && getFailure(last, url);
	if (state === 'pending') {
		const when = next ? ` Next attempt: ${dateTime(next)} UTC.` : '';
		return failure ? `${failure} ${tries} so far.${when}` : `Not sent yet.${when}`;
	}
	if (last?.cause === 'replay') return `${failure} That was the replay.`;
	return `${failure ?? 'It was not sent.'} The sandbox gave up after ${tries}.`;
}

/** @param {Row} attempt @param {string} url */
function getFailure({ status, error }, url) {
	if (status === null || status === undefined) {
		const reason = error ? `: ${String(error).replace(/\.$/, '')}` : '';
		const host = URL.canParse(url) ? new URL(url).host : url;
		return `No answer came${reason}. Does something listen at ${host}?`;
	}
	const answered = `The receiver answered ${status}.`;
	if (status === 404 && url.includes('/webhook-test/')) return `${answered} ${TEST_ADDRESS}`;
	if (status === 404 || status === 410) {
		return `${answered} Nobody takes webhooks at this address: is the workflow published?`;
	}
	if (status === 401 || status === 403) return `${answered} It refuses whoever sends this webhook.`;
	return answered;
}

/**
 * A webhook: where it went, what came of each attempt, and its body, which may be open at once.
 * @type {(delivery: Row, open?: boolean) => Children}
 */
export function deliveryDetails(delivery, open = false) {
	const { id, url, state, attempts, answer, event, call_id: call } = delivery;
	const isReplayable = state !== 'pending' && event !== 'inboundQuestion';
	const title = 'Sends it once more, to the address that the assistant has now';
	const name = { 'aria-label': `Replay webhook ${id}` };
	return html`
		<article class="delivery ${state}" key="delivery ${id}">
			<h3>${recordLink('webhooks', id)} · ${getEvent(delivery)} ${badge(state)}</h3>
			<p class="reason">${getReason(delivery)}</p>
			${faultNote(delivery)}
			${facts({
				To: address(url),
				Call: recordLink('calls', call),
				Took: latency(answer?.latency_ms),
			})}
			${
				attempts.length > 0 &&
				html`<ol class="attempts">
					${attempts.map(attemptItem)}
				</ol>`
			}
			${body('Body that was sent', delivery.body, open)}
			${answer && body('Answer', answer.variables ?? answer.body, open)}
			${isReplayable && button('Replay', () => replay(id), { ...name, title })}
		</article>
	`;
}

/** @param {Row} attempt */
const attemptItem = ({ at, cause, status, error }) => html`
	<li>
		${moment(at)}${cause === 'first' ? ' ' : ` (${cause}) `}${badge(status ?? 'no answer')}
		${status === null && error}
	</li>
`;

/** @param {number} id */
const replay = (id) =>
	attemptChange('POST', `deliveries/${id}/replay`, {}, (delivery) => {
		return `Webhook ${id} was sent again. ${getReason(delivery)}`;
	});
