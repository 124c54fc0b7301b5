import { ask } from '../api.mjs';
import { body, empty, section, table } from '../components.mjs';
import { h } from '../dom.mjs';
import { counted, dateTime } from '../format.mjs';
import { attempt } from '../messages.mjs';

/** @typedef {import('../api.mjs').Row} Row */

/** As in faults/ruleSet.mts, which a browser cannot import. */
const ENDLESS = 100_000;

/** @type {import('./view.mjs').View} */
export const faults = {
	title: 'Faults',
	async load() {
		const [presets, rules] = await Promise.all([ask('fault-presets'), ask('faults')]);
		return { presets: presets['data'], rules: rules['data'] };
	},
	render({ presets, rules }, { refresh }) {
		return [
			h('h1', { tabindex: '-1' }, 'Faults'),
			h(
				'p',
				{ class: 'muted' },
				'A fault makes the service misbehave on purpose, so that you see what your workflow does then. It does not apply to the buttons of this page.',
			),
			section(
				'In force',
				rules.length === 0
					? empty('None. The service behaves well. Turn on a fault below.')
					: ruleTable(rules, refresh),
			),
			section('Turn on', presetList(presets, refresh)),
		];
	},
};

/**
 * @param {Row[]} rules
 * @param {() => void} refresh
 */
function ruleTable(rules, refresh) {
	return h(
		'div',
		{},
		table(
			'Faults in force',
			['Fault', 'Applies to', 'Left', 'Rule', 'Action'],
			rules.map((rule) => ({
				key: rule['id'],
				cells: [
					`${rule['id']}${rule['preset'] ? ` · ${rule['preset']}` : ''}`,
					targetOf(rule),
					left(rule),
					body('Rule', rule, false),
					h(
						'button',
						{
							type: 'button',
							'aria-label': `Remove fault ${rule['id']}`,
							onclick: () =>
								attempt(async () => {
									await ask(`faults/${rule['id']}`, { method: 'DELETE' });
									refresh();
									return `Fault ${rule['id']} is removed.`;
								}),
						},
						'Remove',
					),
				],
			})),
		),
		h(
			'div',
			{ class: 'buttons' },
			h(
				'button',
				{
					type: 'button',
					onclick: () =>
						attempt(async () => {
							await ask('faults', { method: 'DELETE' });
							refresh();
							return 'All faults are removed.';
						}),
				},
				'Clear all faults',
			),
		),
	);
}

/** How long a rule is in force. @param {Row} rule */
function left({ times = ENDLESS, expires_at: end }) {
	const count = times < ENDLESS ? counted(times, 'time') : undefined;
	const until = end === undefined ? undefined : `until ${dateTime(end)} UTC`;
	return [count, until].filter(Boolean).join(', ') || 'no end';
}

/** @param {Row} rule */
const targetOf = ({ target, operation, event, path }) =>
	target === 'deliveries' ? (event ?? 'webhooks') : (operation ?? path ?? 'any request');

/**
 * @param {Row[]} presets
 * @param {() => void} refresh
 */
function presetList(presets, refresh) {
	return h(
		'ul',
		{ class: 'presets' },
		presets.map(({ name, title, description, rules }) =>
			h(
				'li',
				{ key: name },
				h('h3', {}, title),
				h('p', {}, description),
				body('Rules', rules, false),
				h(
					'button',
					{
						type: 'button',
						'aria-label': `Turn on: ${title}`,
						onclick: () =>
							attempt(async () => {
								await ask('faults', { method: 'POST', input: { preset: name } });
								refresh();
								return `“${title}” is on.`;
							}),
					},
					'Turn on',
				),
			),
		),
	);
}
