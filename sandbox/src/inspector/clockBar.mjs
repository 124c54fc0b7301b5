import { ask } from './api.mjs';
import { moment } from './components.mjs';
import { h } from './dom.mjs';
import { counted, dateTime } from './format.mjs';
import { attempt } from './messages.mjs';

const STEPS = [
	['PT10S', '+10 s', '10 seconds'],
	['PT1M', '+1 min', '1 minute'],
	['PT1H', '+1 h', '1 hour'],
];

/**
 * The sandbox's clock: what it shows, how it goes, and buttons that move it.
 *
 * @param {{ now: string, mode: string, callSpeed: number }} clock
 * @param {() => void} refresh
 */
export function clockBar({ now, mode, callSpeed }, refresh) {
	const move = (/** @type {object} */ input) =>
		attempt(async () => {
			const { now: after, ran, idle } = await ask('clock', { method: 'POST', input });
			refresh();
			const done = `It is ${dateTime(after)} UTC. ${counted(ran, 'thing')} happened.`;
			return idle === false ? `${done} More is due: move on to go further.` : done;
		});
	return h(
		'div',
		{ class: 'clock', id: 'clock', role: 'group', 'aria-label': 'Clock' },
		h(
			'span',
			{ class: 'now' },
			moment(now),
			h(
				'span',
				{ class: 'muted' },
				` UTC${callSpeed === 1 ? '' : `, calls ${callSpeed} times as fast`}`,
			),
		),
		h(
			'select',
			{
				'aria-label': 'How the clock goes',
				value: mode,
				onchange: (/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) => {
					const { value } = currentTarget;
					return attempt(async () => {
						await ask('clock', { method: 'POST', input: { mode: value } });
						refresh();
						return `The clock is ${value}.`;
					});
				},
			},
			['real', 'accelerated', 'manual'].map((name) =>
				h('option', { value: name, selected: name === mode }, name),
			),
		),
		STEPS.map(([advance, text, words]) =>
			h(
				'button',
				{
					type: 'button',
					title: `Moves the sandbox’s clock forward by ${words}; n8n’s clock stays`,
					onclick: () => move({ advance }),
				},
				text,
			),
		),
		h(
			'button',
			{
				type: 'button',
				title: 'Moves the clock forward until no call, attempt or webhook is due',
				onclick: () => move({ until_idle: true }),
			},
			'Until nothing is due',
		),
	);
}
