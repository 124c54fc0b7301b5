import { ApiFailure, ask } from '../api.mjs';
import {
	badge,
	button,
	facts,
	LABELS,
	link,
	moment,
	recordLink,
	shortMoment,
	spaced,
} from '../components.mjs';
import { shortUrls } from '../format.mjs';
import { listView } from '../listView.mjs';
import { changeQuery, readRoute, toHref } from '../route.mjs';
import { html } from '../vendor/preact.js';
import { GROUPS, kindMark } from './eventKinds.mjs';
import { messageDetails } from './messages.mjs';
import { requestDetails } from './requestLog.mjs';
import { toolRequestDetails } from './toolRequests.mjs';
import { deliveryDetails } from './webhooks.mjs';

/** The records that an event can be about: the fields with their ids, which are filters too, and their views. */
const SUBJECTS = {
	lead_id: 'leads',
	call_id: 'calls',
	campaign_id: 'campaigns',
	assistant_id: 'assistants',
};

/** What belongs to an event: the fields with its id, where it is, and how it is shown. */
const PARTS = /** @type {Array<[field: string, path: string, show: (record: Row) => unknown]>} */ ([
	['request_id', 'requests', requestDetails],
	['delivery_id', 'records/deliveries', (delivery) => deliveryDetails(delivery, true)],
	['tool_request_id', 'records/tool-requests', toolRequestDetails],
	['message_id', 'records/messages', messageDetails],
]);

/** So many events like an opened one are named beside it. */
const MOST_EQUAL = 20;

export const timeline = listView({
	title: 'Timeline',
	path: 'events',
	label: 'What happened, newest first',
	filters: () => [
		{ name: 'search', label: 'Search, such as “lead 5”' },
		{
			name: 'level',
			label: 'Level',
			options: { info: 'Information', warning: 'Warnings', error: 'Errors' },
		},
	],
	linked: Object.keys(SUBJECTS),
	moreFilters: (query) => ({
		kind: shownGroups(query)
			.flatMap((name) => GROUPS[name]?.kinds ?? [])
			.join(','),
	}),
	buttons: (query) => [groupButtons(query), subjectButtons(query)],
	nothing: html`
		Nothing has happened yet. Choose <strong>Call now</strong> above, or send the first request
		to${' '}<code>${location.origin}/api</code>.
	`,
	columns: {
		Time: ({ at }, context) => shortMoment(at, context),
		Kind: ({ kind }) => kindMark(kind),
		'What happened': ({ id, level, text, count }, { route }) => html`
			<div class="marked">
				${level !== 'info' && badge(level)}
				<p>
					<a class="event" href=${toHref(`timeline/${id}`, route.query)}>${shortUrls(text)}</a>
					${count > 1 && html` <span class="muted">× ${count}</span>`}
				</p>
			</div>
		`,
		About: (event) =>
			Object.values(subjectLinks(event))
				.filter(Boolean)
				.slice(0, 2)
				.map((link) => [link, ' ']),
	},
	merge: (events, { route }) =>
		runsOf(events).map((run) => ({
			...(run.find(({ id }) => id === route.id) ?? run[0]),
			count: run.length,
		})),
	async load(id, _query, filters) {
		const [{ data }, { data: shown }] = await Promise.all([
			ask('events', { before: id + 1, limit: 1 }),
			ask('events', { ...filters, before: id + 1, limit: MOST_EQUAL }),
		]);
		const event = data[0]?.id === id ? data[0] : { id };
		const [[first, ...equal] = []] = runsOf(shown);
		const parts = await Promise.all(
			PARTS.map(async ([field, path, show]) => {
				if (!event[field]) return undefined;
				const record = await ask(`${path}/${event[field]}`).catch((error) => {
					// A timeline keeps what is deleted elsewhere.
					if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
				});
				return record && show(record);
			}),
		);
		return { ...event, parts, equal: first?.id === id ? equal : [] };
	},
	panel({ id, text, at, kind, level, parts, equal, ...event }) {
		if (!text) return [`Event ${id}`, html`<p>It is not kept any more, or it never was.</p>`];
		const about = {
			At: moment(at),
			Kind: spaced(kind),
			Level: badge(level),
			...subjectLinks({ ...event, text }),
			'The same before':
				equal.length > 0 &&
				equal.map((/** @type {Row} */ one) => [
					link(`timeline/${one.id}`, readRoute().query, moment(one.at)),
					' ',
				]),
		};
		return [shortUrls(text), [facts(about), parts]];
	},
});

/** The lead, the call and so on of an event, by their labels. @param {Row} event */
function subjectLinks(event) {
	const links = Object.entries(SUBJECTS).map(([field, view]) => [
		LABELS[view],
		recordLink(view, event[field]),
	]);
	const [, fault] = / was (?:answered \d+|closed) by fault (\d+)\./.exec(event.text) ?? [];
	return { ...Object.fromEntries(links), Fault: recordLink('faults', fault) };
}

/** Events of which each is like the one before it, such as those of an outage. @param {Row[]} events */
function runsOf(events) {
	/** @type {Row[][]} */
	const runs = [];
	for (const event of events) {
		const run = runs.at(-1);
		const isEqual = run?.[0]?.text === event.text && run?.[0]?.kind === event.kind;
		if (isEqual) run?.push(event);
		else runs.push([event]);
	}
	return runs;
}

/** @param {Query} query */
function shownGroups({ show = '' }) {
	return show.split(',').filter((name) => name in GROUPS);
}

/** @param {Query} query */
function groupButtons(query) {
	const shown = shownGroups(query);
	const chips = Object.entries(GROUPS).map(([name, { text }]) => {
		const isShown = shown.includes(name);
		const after = isShown ? shown.filter((other) => other !== name) : [...shown, name];
		const attributes = { class: 'chip', 'aria-pressed': String(isShown) };
		return button(text, () => changeQuery({ show: after.join(',') }), attributes);
	});
	return html`<div class="chips" role="group" aria-label="Kinds of events">${chips}</div>`;
}

/** @param {Query} query */
const subjectButtons = (query) =>
	Object.entries(SUBJECTS)
		.filter(([field]) => query[field])
		.map(([field, view]) => {
			const subject = `${LABELS[view]} ${query[field]}`;
			const label = `Show events of others than ${subject} too`;
			const attributes = { class: 'chip', 'aria-label': label };
			return button(`${subject} ✕`, () => changeQuery({ [field]: '' }), attributes);
		});
