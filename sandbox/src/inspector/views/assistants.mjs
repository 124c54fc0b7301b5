import { ask } from '../api.mjs';
import { openCallNow } from '../callNow.mjs';
import {
	address,
	badge,
	body,
	button,
	facts,
	link,
	muted,
	recordLink,
	recordLinks,
	SCHEMA_COLUMNS,
	shortMoment,
	table,
} from '../components.mjs';
import { copy } from '../dialogs.mjs';
import { listView } from '../listView.mjs';
import { toHref } from '../route.mjs';
import { html } from '../vendor/preact.js';
import { TEST_ADDRESS } from './webhooks.mjs';

/** Who takes a webhook, by the form of its address. */
const RECEIVERS = /** @type {{ [kind: string]: string }} */ ({
	'n8n-production': 'a published n8n workflow',
	'n8n-test': 'n8n’s editor, for one test',
	other: 'another program',
});

export const assistants = listView({
	title: 'Assistants',
	path: 'records/assistants',
	nothing: html`No assistants yet. Make one with <strong>Voice Assistant → Create</strong> of the
		node.`,
	columns: {
		Assistant: ({ id, name }) => recordLink('assistants', id, `${id} · ${name}`),
		Status: ({ status }) => badge(status),
		Direction: getDirection,
		Number: (row) => row.phone_number ?? 'none',
		Webhooks({ webhook, inbound_webhook: inbound }) {
			const registered = [webhook, inbound].filter(Boolean).map(({ host }) => host);
			return registered.join(', ') || html`<span class="muted">none</span>`;
		},
		'Last change': (row, context) => shortMoment(row.updated_at, context),
		Action: callButton,
	},
	async load(id, { secrets }) {
		const assistant = await ask(`records/assistants/${id}`, { secrets });
		const { token } = await ask(`records/users/${assistant.user_id}`, { secrets });
		return { ...assistant, token };
	},
	page(assistant) {
		const { id, settings } = assistant;
		return {
			buttons: callButton(assistant),
			main: {
				Webhooks: [
					receiver(
						settings.send_webhook_only_on_completed
							? 'After each completed call'
							: 'After each call',
						assistant.webhook,
						assistant.token,
					),
					receiver('After each inbound call', assistant.inbound_webhook, assistant.token),
					html`<p>${link('webhooks', { assistant_id: id }, 'What was sent')}</p>`,
				],
				'What it finds out in a call': table(
					'Values of the post call schema',
					settings.post_call_schema,
					SCHEMA_COLUMNS,
					'Nothing: it has no post call schema.',
				),
				Settings: body('All settings', settings),
			},
			aside: {
				Assistant: facts({
					'Phone number': assistant.phone_number ?? 'none: it can call nobody',
					Direction: getDirection(settings),
					Language: assistant.language,
					Tools: recordLinks('tools', assistant.tools),
					Campaigns: recordLinks('campaigns', assistant.campaigns),
					Calls: link('calls', { assistant_id: id }, 'All calls'),
					Events: link('timeline', { assistant_id: id }, 'In the timeline'),
				}),
				Tokens: tokens(assistant),
			},
		};
	},
});

/** @param {Row} assistant an assistant's row, or its settings */
function getDirection({ calls_direction: direction }) {
	return direction === 'receive' ? 'receives calls' : 'makes calls';
}

/** @param {Row} assistant */
function callButton({ id, name }) {
	const attributes = { 'aria-label': `Call now: ${name}` };
	return button('Call now', () => openCallNow({ assistantId: id }), attributes);
}

/**
 * One of the two webhooks: its address, and who is registered there.
 * @type {(when: string, webhook: Row | null, token?: string) => Children}
 */
const receiver = (when, webhook, token) => html`
	<article>
		<h3>${when} ${badge(webhook ? 'active' : 'off')}</h3>
		${
			webhook
				? facts({
						Address: address(webhook.url, '', token && webhook.url),
						Registered: `${RECEIVERS[webhook.kind] ?? 'a program'} at ${webhook.host}`,
						Note: webhook.kind === 'n8n-test' && TEST_ADDRESS,
					})
				: muted('Nobody is registered. Publish a workflow with a trigger for it.')
		}
	</article>
`;

/**
 * Tokens are loaded only when somebody wants to see them.
 * @param {Row} assistant with the token of its user, if it may be shown
 */
function tokens({ id, token }) {
	const isShown = token !== undefined;
	const state = isShown ? 'shown' : 'hidden';
	const toggle = toHref(`assistants/${id}`, isShown ? {} : { secrets: 1 });
	return html`
		${muted(`The API token, and the tokens in the addresses, are ${state}.`)}
		<div class="buttons">
			<a class="button" href=${toggle}>${isShown ? 'Hide tokens' : 'Show tokens'}</a>
			${isShown && button('Copy the API token', () => copy(token, 'Copied.'))}
		</div>
		${isShown && facts({ 'API token': html`<code>${token}</code>` })}
	`;
}
