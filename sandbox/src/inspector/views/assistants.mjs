import { ask } from '../api.mjs';
import { badge, body, facts, recordHead, recordLink, section, table } from '../components.mjs';
import { TEST_ADDRESS } from '../deliveryDetails.mjs';
import { copy, openCallNow } from '../dialogs.mjs';
import { h } from '../dom.mjs';
import { filterBar, list, loadList } from '../list.mjs';
import { hrefOf } from '../route.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/** Who takes a webhook, by the form of its address. */
const RECEIVERS = /** @type {{ [kind: string]: string }} */ ({
	'n8n-production': 'a published n8n workflow',
	'n8n-test': 'n8n’s editor, for one test',
	other: 'another program',
});

/** @type {import('./view.mjs').View} */
export const assistants = {
	title: 'Assistants',
	async load({ route, state }) {
		if (route.id === undefined) {
			await loadList('records/assistants', { search: route.query['search'] }, state);
			return {};
		}
		const query = { secrets: route.query['secrets'] };
		const assistant = await ask(`records/assistants/${route.id}`, { query });
		const user = await ask(`records/users/${assistant['user_id']}`, { query });
		return { assistant, token: user['token'] };
	},
	render(data, { route, state, refresh }) {
		if (data['assistant']) return onePage(data['assistant'], data['token']);
		return [
			h('h1', { tabindex: '-1' }, 'Assistants'),
			filterBar(route, [{ name: 'search', label: 'Search' }]),
			list({
				label: 'Assistants, newest first',
				columns: ['Assistant', 'Status', 'Direction', 'Number', 'Webhooks', 'Action'],
				state,
				refresh,
				isFiltered: Boolean(route.query['search']),
				nothing: [
					'No assistants yet. Make one with ',
					h('strong', {}, 'Assistant → Create'),
					' of the node.',
				],
				cells: (row) => [
					recordLink('assistants', 'Assistant', row['id'], `${row['id']} · ${row['name']}`),
					badge(row['status']),
					row['calls_direction'] === 'receive' ? 'receives calls' : 'makes calls',
					row['phone_number'] ?? 'none',
					[row['webhook'], row['inbound_webhook']]
						.filter(Boolean)
						.map(({ host }) => host)
						.join(', ') || h('span', { class: 'muted' }, 'none'),
					callButton(row),
				],
			}),
		];
	},
};

/** @param {Row} assistant */
const callButton = ({ id, name }) =>
	h(
		'button',
		{
			type: 'button',
			'aria-label': `Call now: ${name}`,
			onclick: () => openCallNow({ assistantId: id }),
		},
		'Call now',
	);

/**
 * @param {Row} assistant
 * @param {string | undefined} token of its user, if it may be shown
 */
function onePage(assistant, token) {
	const { id, name, settings } = assistant;
	return [
		recordHead({
			list: 'Assistants',
			view: 'assistants',
			title: `Assistant ${id} · ${name}`,
			status: badge(assistant['status']),
			buttons: callButton(assistant),
		}),
		h(
			'div',
			{ class: 'columns' },
			h(
				'div',
				{},
				section(
					'Webhooks',
					receiver(
						settings['send_webhook_only_on_completed']
							? 'After each completed call'
							: 'After each call',
						assistant['webhook'],
					),
					receiver('After each inbound call', assistant['inbound_webhook']),
					h(
						'p',
						{},
						h('a', { href: hrefOf('webhooks', undefined, { assistant_id: id }) }, 'What was sent'),
					),
				),
				section(
					'What it finds out in a call',
					settings['post_call_schema'].length === 0
						? h('p', { class: 'muted' }, 'Nothing: it has no post call schema.')
						: table(
								'Values of the post call schema',
								['Name', 'Type', 'Description'],
								settings['post_call_schema'].map((/** @type {Row} */ value) => ({
									key: value['name'],
									cells: [value['name'], value['type'], value['description']],
								})),
							),
				),
				section('Settings', body('All settings', settings)),
			),
			h(
				'div',
				{},
				section(
					'Assistant',
					facts([
						['Phone number', assistant['phone_number'] ?? 'none: it can call nobody'],
						[
							'Direction',
							settings['calls_direction'] === 'receive' ? 'receives calls' : 'makes calls',
						],
						['Language', assistant['language']],
						['Tools', links('tools', assistant['tools'])],
						['Campaigns', links('campaigns', assistant['campaigns'])],
						[
							'Calls',
							h('a', { href: hrefOf('calls', undefined, { assistant_id: id }) }, 'All calls'),
						],
						[
							'Events',
							h(
								'a',
								{ href: hrefOf('timeline', undefined, { assistant_id: id }) },
								'In the timeline',
							),
						],
					]),
				),
				section('Tokens', ...tokens(id, token)),
			),
		),
	];
}

/**
 * @param {string} view
 * @param {Row[]} records
 */
const links = (view, records) =>
	records.length === 0
		? 'none'
		: records.flatMap(({ id, name }, index) => [
				index > 0 && ', ',
				recordLink(view, '', id, `${id} · ${name}`),
			]);

/**
 * One of the two webhooks: its address, and who is registered there.
 *
 * @param {string} when
 * @param {Row | null} webhook
 */
function receiver(when, webhook) {
	return h(
		'article',
		{ key: when },
		h('h3', {}, when, ' ', badge(webhook ? 'active' : 'off')),
		webhook
			? facts([
					['Address', h('code', {}, webhook['url'])],
					['Registered', `${RECEIVERS[webhook['kind']] ?? 'a program'} at ${webhook['host']}`],
					['Note', webhook['kind'] === 'n8n-test' ? TEST_ADDRESS : undefined],
				])
			: h(
					'p',
					{ class: 'muted' },
					'Nobody is registered. Publish a workflow with a trigger for it.',
				),
	);
}

/**
 * Tokens are loaded only when somebody wants to see them.
 *
 * @param {number} id
 * @param {string | undefined} token
 */
function tokens(id, token) {
	const isShown = token !== undefined;
	const text = `The API token, and the tokens in the addresses, are ${isShown ? 'shown' : 'hidden'}.`;
	const address = hrefOf('assistants', id, isShown ? {} : { secrets: 1 });
	return [
		h('p', { class: 'muted' }, text),
		h(
			'div',
			{ class: 'buttons' },
			h('a', { class: 'button', href: address }, isShown ? 'Hide tokens' : 'Show tokens'),
			isShown &&
				h(
					'button',
					{ type: 'button', onclick: () => copy(token, 'Copied.') },
					'Copy the API token',
				),
		),
		isShown && facts([['API token', h('code', {}, token)]]),
	];
}
