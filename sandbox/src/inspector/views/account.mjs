import { ask } from '../api.mjs';
import { facts, moment, section, table } from '../components.mjs';
import { h } from '../dom.mjs';
import { money } from '../format.mjs';
import { list, loadList } from '../list.mjs';
import { hrefOf } from '../route.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/** @type {import('./view.mjs').View} */
export const account = {
	title: 'Account',
	async load({ route, state }) {
		await loadList('records/users', {}, state);
		const id = route.id ?? (state.rows.length === 1 ? state.rows[0]?.['id'] : undefined);
		return { user: id === undefined ? undefined : await ask(`records/users/${id}`) };
	},
	render({ user }, { route, state, refresh }) {
		const isOnly = user && route.id === undefined;
		return [
			h('h1', { tabindex: '-1' }, user ? `Account of user ${user['id']}` : 'Accounts'),
			!isOnly &&
				list({
					label: 'Users, newest first',
					columns: ['User', 'Balance', 'Assistants', 'Campaigns', 'Tools'],
					state,
					refresh,
					selected: route.id,
					isFiltered: false,
					nothing: 'There are no users. A seed file has some (sandbox/README.md).',
					cells: (row) => [
						h('a', { href: hrefOf('account', row['id']) }, `User ${row['id']}`),
						money(row['balance']),
						row['assistants'],
						row['campaigns'],
						row['tools'],
					],
				}),
			...(user ? onePage(user) : []),
		];
	},
};

/** @param {Row} user */
function onePage(user) {
	const { phone_numbers: numbers, voices, languages } = user;
	return [
		section(
			'Balance',
			facts([
				['Balance', money(user['balance'])],
				['Tools', `${user['tools']} of ${user['tool_quota']}`],
				['Languages', languages.join(', ')],
			]),
		),
		section(
			'Phone numbers',
			numbers.length === 0
				? h('p', { class: 'muted' }, 'None. Without a number, no SMS can be sent.')
				: table(
						'Phone numbers',
						['Id', 'Number', 'SMS', 'Rented until'],
						numbers.map((/** @type {Row} */ number) => ({
							key: number['id'],
							cells: [
								number['id'],
								number['phone_number'],
								number['sms_capable'] ? 'yes' : 'no',
								moment(number['subscription_expires_at']) ?? 'no end',
							],
						})),
					),
		),
		section(
			'Voices',
			table(
				'Voices',
				['Id', 'Name'],
				voices.map((/** @type {Row} */ voice) => ({
					key: voice['id'],
					cells: [voice['id'], voice['name']],
				})),
			),
		),
	];
}
