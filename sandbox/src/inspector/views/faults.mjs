import { ask } from '../api.mjs';
import { badge, body, button, muted, sections, table } from '../components.mjs';
import { counted, dateTime } from '../format.mjs';
import { attemptChange } from '../messages.mjs';
import { html } from '../vendor/preact.js';

/** As in faults/ruleSet.mts, which a browser cannot import. */
const ENDLESS = 100_000;

const EXPLANATION =
	'A fault makes the service misbehave on purpose, so that you see what your workflow does then. Every request counts, also those of published workflows that look for new calls. Of several faults that fit a request, the first one applies. None applies to the buttons of this page.';

const WEATHERS = {
	fair: 'It is fair: the service answers at once, shows each change, and allows any rate.',
	ordinary:
		'It is ordinary: the service is slow, shows changes late, allows ten requests a second, and sends some webhooks twice.',
};

/** @type {View} */
export const faults = {
	title: 'Faults',
	async load() {
		const [presets, rules, health] = await Promise.all([
			ask('fault-presets'),
			ask('faults'),
			ask('health'),
		]);
		return { presets: presets.data, rules: rules.data, weather: health.weather };
	},
	render: ({ presets, rules, weather }, context) => html`
		<h1 tabindex="-1">Faults</h1>
		${muted(EXPLANATION)}
		${sections({
			'In force': inForce(rules, presets, context),
			Presets: html`<ul class="presets">
				${presets.map((/** @type {Row} */ preset) => presetItem(preset, rules))}
			</ul>`,
			Weather: weatherSwitch(weather),
		})}
	`,
};

/** Ordinary weather on or off. @param {string} weather */
function weatherSwitch(weather) {
	const isOrdinary = weather === 'ordinary';
	const other = isOrdinary ? 'fair' : 'ordinary';
	const turn = () =>
		attemptChange('POST', 'weather', { weather: other }, () => `The weather is ${other} now.`);
	return html`
		<p>${WEATHERS[isOrdinary ? 'ordinary' : 'fair']}</p>
		<div class="buttons">${button(`Turn to ${other} weather`, turn)}</div>
	`;
}

/** What a field of a rule does, in words; a body is not named. */
const EFFECTS = /** @type {{ [field: string]: (value: any) => string }} */ ({
	status: (status) => `answers ${status}`,
	body: () => '',
	headers: () => '',
	delay_ms: (ms) => `waits for ${ms / 1000} s`,
	slow_first_byte_ms: (ms) => `answers after ${ms / 1000} s`,
	slow_body_ms: (ms) => `sends the body in ${ms / 1000} s`,
	malformed_json: () => 'breaks the body',
	truncate_body: () => 'cuts the body off',
	content_type: (type) => `says it is ${type}`,
	drop: (when) => (when === 'after' ? 'loses the answer' : 'closes the connection'),
	duplicate: (count) => `sends it ${counted(count, 'more time')}`,
	delay: (span) => `sends it later (${span})`,
	retry: () => 'sends it again after a failure',
	probability: (share) => `${Math.round(share * 100)} in 100`,
});

/** @param {Row} rule */
function getSubject({ target, event, assistant_id: id, method, operation, path }) {
	if (target === 'deliveries') {
		return [event ?? 'any', 'webhook', id && `of assistant ${id}`].filter(Boolean).join(' ');
	}
	return operation ?? [method ?? (path ? '' : 'any'), path ?? 'request'].join(' ');
}

/** @param {Row} rule */
const getEffects = (rule) =>
	Object.entries(EFFECTS)
		.map(([field, toText]) => (rule[field] === undefined ? '' : toText(rule[field])))
		.filter(Boolean)
		.join(', ') || 'another answer';

/** What was turned on: a rule, or all rules of a preset. @param {Row} rule */
const toFault = ({ id, preset }) => preset ?? id;

/** @param {Row[]} rules @param {Row[]} presets @param {Context} context */
function inForce(rules, presets, context) {
	if (rules.length === 0) return muted('None. The service behaves well. Turn on a fault below.');
	const titles = new Map(presets.map(({ name, title }) => [name, title]));
	const byFault = [...Map.groupBy(rules, toFault).values()];
	const first = new Set(byFault.map(([rule]) => rule));
	/** @type {Columns} */
	const columns = {
		// The rules of a preset follow each other, and one row has its name and its button.
		Fault: (rule) => first.has(rule) && (titles.get(rule.preset) ?? 'Your rule'),
		Rule: ({ id }) => id,
		'Applies to': getSubject,
		Does: (rule) => body(getEffects(rule), rule, false),
		Left({ times = ENDLESS, expires_at: end }) {
			const count = times < ENDLESS && counted(times, 'time');
			const until = end !== undefined && `until ${dateTime(end)} UTC`;
			return [count, until].filter(Boolean).join(', ') || 'no end';
		},
		Action: (rule) =>
			first.has(rule) && turnOffButton(rule, titles.get(rule.preset) ?? `Fault ${rule.id}`),
	};
	const faults = table('Faults in force', byFault.flat(), columns, '', context);
	const all = button('Turn off all', () =>
		attemptChange('DELETE', 'faults', undefined, () => 'All faults are off.'),
	);
	return [faults, html`<div class="buttons">${all}</div>`];
}

/** @param {Row} rule @param {string} title */
function turnOffButton({ id }, title) {
	const turnOff = () =>
		attemptChange('DELETE', `faults/${id}`, undefined, () => `“${title}” is off.`);
	return button('Turn off', turnOff, { 'aria-label': `Turn off: ${title}` });
}

/** @param {Row} preset @param {Row[]} inForce */
function presetItem({ name, title, description, rules }, inForce) {
	const turnOn = () => attemptChange('POST', 'faults', { preset: name }, () => `“${title}” is on.`);
	const rule = inForce.find(({ preset }) => preset === name);
	return html`
		<li key=${name}>
			<h3>${title} ${rule && badge('on')}</h3>
			<p>${description}</p>
			${body('Rules', rules, false)}
			${
				rule
					? turnOffButton(rule, title)
					: button('Turn on', turnOn, { 'aria-label': `Turn on: ${title}` })
			}
		</li>
	`;
}
