import { button, moment } from './components.mjs';
import { Fold } from './fold.mjs';
import { counted, dateTime } from './format.mjs';
import { attemptChange } from './messages.mjs';
import { h, html } from './vendor/preact.js';

const MODES = /** @type {{ [mode: string]: string }} */ ({
	real: 'runs in real time',
	accelerated: 'runs faster',
	manual: 'stands still',
});

const STEPS = { '+10 s': 'PT10S', '+1 min': 'PT1M', '+1 h': 'PT1H' };

/** The sandbox's clock: what it shows and how it goes, and buttons to move it. @param {Row} health */
export function clockBar({ now, mode, call_speed: speed }) {
	const title = 'Moves the clock forward until no call, attempt or webhook is due';
	const modes = Object.entries(MODES).map(
		([name, text]) => html`<option value=${name} selected=${name === mode}>${text}</option>`,
	);
	const children = html`
		<label>
			Clock${' '}
			<select onchange=${changeMode}>
				${modes}
			</select>
		</label>
		${speed !== 1 && html`<span class="muted">Calls are ${speed} times as fast</span>`}
		${Object.entries(STEPS).map(([text, advance]) => {
			const title = 'Moves the sandbox’s clock forward; n8n’s clock stays';
			return button(text, () => move({ advance }), { title });
		})}
		${button('Until nothing is due', () => move({ until_idle: true }), { title })}
	`;
	return html`
		<div class="clock" role="group" aria-label="Clock">
			<span class="now">${moment(now)}<span class="muted"> UTC</span></span>
			${h(Fold, { label: 'Clock', id: 'clock', children })}
		</div>
	`;
}

/** @param {{ currentTarget: HTMLSelectElement }} event */
const changeMode = ({ currentTarget: { value: mode } }) =>
	attemptChange('POST', 'clock', { mode }, () => `The clock ${MODES[mode]}.`);

/** @param {object} input */
const move = (input) =>
	attemptChange('POST', 'clock', input, ({ now, ran, idle }) => {
		const done = `It is ${dateTime(now)} UTC. ${counted(ran, 'thing')} happened.`;
		return idle === false ? `${done} More is due: move on to go further.` : done;
	});
