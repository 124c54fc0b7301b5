import {
	assistantLink,
	badge,
	facts,
	link,
	muted,
	recordLink,
	shortMoment,
	spaced,
	getTone,
} from '../components.mjs';
import { counted } from '../format.mjs';
import { listView } from '../listView.mjs';
import { html } from '../vendor/preact.js';
import { eventList, loadWithEvents } from './events.mjs';

/** What a campaign's progress has beside the number of leads by status. */
const NO_STATUSES = ['total', 'running_calls'];

export const campaigns = listView({
	title: 'Campaigns',
	path: 'records/campaigns',
	nothing:
		'This account has no campaigns. The service has no request that makes one: a seed file does (sandbox/README.md).',
	columns: {
		Campaign: ({ id, name }) => recordLink('campaigns', id, `${id} · ${name}`),
		Status: ({ status }) => badge(status),
		Assistant: assistantLink,
		Leads: ({ progress }) => progressBar(progress),
		'Last change': (row, context) => shortMoment(row.updated_at, context),
	},
	load: (id) => loadWithEvents(`records/campaigns/${id}`, { campaign_id: id }, 20),
	page: ({ id, progress, ...campaign }, { now }) => ({
		main: {
			Leads: [
				progressBar(progress),
				html`<p>${link('leads', { campaign_id: id }, counted(progress?.total ?? 0, 'lead'))}</p>`,
			],
			'What happened last': eventList(campaign.events, now, { campaign_id: id }),
		},
		aside: {
			Campaign: facts({
				Assistant: assistantLink(campaign) ?? 'none: this campaign calls nobody',
				'Running calls': progress?.running_calls,
			}),
			'Outcomes of its calls': outcomes(id, campaign.outcomes),
		},
	}),
});

/** How many leads are where. @param {Row | undefined} progress */
function progressBar(progress) {
	if (!progress) return undefined;
	const { total } = progress;
	if (!total) return html`<span class="muted">no leads</span>`;
	const parts = Object.entries(progress).filter(([name]) => !NO_STATUSES.includes(name));
	const some = parts.filter(([, count]) => count > 0);
	const text = some.map(([status, count]) => `${count} ${spaced(status)}`).join(', ');
	return html`
		<div class="progress">
			<div class="bar" role="img" aria-label=${text}>
				${some.map(
					([status, count]) =>
						html`<span class=${getTone(status)} style=${{ width: `${(100 * count) / total}%` }} />`,
				)}
			</div>
			<span class="muted">${text}</span>
		</div>
	`;
}

/** @param {number} id of the campaign @param {Row | undefined} outcomes */
function outcomes(id, outcomes) {
	const links = Object.entries(outcomes ?? {}).map(([status, count]) => [
		spaced(status),
		link('calls', { campaign_id: id, status }, counted(count, 'call')),
	]);
	return links.length === 0 ? muted('No calls yet.') : facts(Object.fromEntries(links));
}
