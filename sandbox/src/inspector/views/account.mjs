import { ask } from '../api.mjs';
import { facts, moment, notes, recordLink, sections, table } from '../components.mjs';
import { money, UNITS } from '../format.mjs';
import { list, loadList } from '../list.mjs';
import { html } from '../vendor/preact.js';

/** As assumed (contract/assumptions.yaml: call-costs). */
const ONLY_SMS =
	'Only SMS are deducted from the balance: no document says how the service deducts calls.';

/** @type {List} */
const USERS = {
	label: 'Users, newest first',
	nothing: 'There are no users. A seed file has some (sandbox/README.md).',
	columns: {
		User: ({ id, name }) => recordLink('account', id, getName({ id, name })),
		Balance: ({ balance }) => money(balance),
		Assistants: (row) => row.assistants,
		Campaigns: (row) => row.campaigns,
		Tools: (row) => row.tools,
	},
};

/** @param {Row} user */
const getName = ({ id, name }) => (name ? `${id} · ${name}` : String(id));

/** The users, and one of them below; the only one alone. @type {View} */
export const account = {
	title: 'Accounts',
	async load(route, count) {
		const users = await loadList('records/users', {}, count);
		const id = route.id ?? (users.rows.length === 1 ? users.rows[0]?.id : undefined);
		return { list: users, user: id === undefined ? undefined : await ask(`records/users/${id}`) };
	},
	render({ list: users, user }, context) {
		const isOnly = user && context.route.id === undefined;
		return html`
			<h1 tabindex="-1">${user ? `Account ${getName(user)}` : 'Accounts'}</h1>
			${!isOnly && list(USERS, users, context)} ${user && sections(getParts(user))}
		`;
	},
};

/** @param {Row} user */
const getParts = (user) => ({
	Account: [
		facts({
			Balance: money(user.balance),
			Tools: `${user.tools} of ${user.tool_quota}`,
			Languages: user.languages.join(', '),
		}),
		notes(ONLY_SMS, UNITS),
	],
	'Phone numbers': table(
		'Phone numbers',
		user.phone_numbers,
		{
			ID: ({ id }) => id,
			Number: (number) => number.phone_number,
			SMS: (number) => (number.sms_capable ? 'yes' : 'no'),
			'Rented until': (number) =>
				moment(number.subscription_expires_at) ?? html`<span class="muted">no end</span>`,
		},
		'None. Without a number, no SMS can be sent.',
	),
	Voices: table('Voices', user.voices, { ID: ({ id }) => id, Name: ({ name }) => name }),
});
