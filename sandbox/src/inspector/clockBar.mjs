import { button, moment } from './components.mjs';
import { counted, dateTime } from './format.mjs';
import { attemptChange } from './messages.mjs';
import { html } from './vendor/preact.js';

const MODES = /** @type {{ [mode: string]: string }} */ ({
	real: 'runs in real time',
	accelerated: 'runs faster',
	manual: 'stands still',
});

const STEPS = { '+10 s': 'PT10S', '+1 min': 'PT1M', '+1 h': 'PT1H', '+1 day': 'P1D' };

/** The sandbox's clock: a button that shows it, and what opens from it to move it. @param {Row} health */
export function clockBar({ now, mode, call_speed: speed }) {
	const title = 'Moves the clock forward until no call, attempt or webhook is due';
	const modes = Object.entries(MODES).map(
		([name, text]) => html`<option value=${name} selected=${name === mode}>${text}</option>`,
	);
	const steps = Object.entries(STEPS).map(([text, advance]) =>
		button(text, () => move({ advance })),
	);
	const [day, time] = dateTime(now).split(' ');
	const fast = speed === 1 ? '' : `, calls ${speed} × as fast`;
	return html`
		<button class="now" popovertarget="clock">
			<span class="hidden">Clock: </span><span class="wide">${day} </span>${time}
			<span class="wide muted"> UTC, ${MODES[mode]}${fast}</span> ▾
		</button>
		<div id="clock" popover="auto" role="group" aria-label="Clock">
			<strong>${moment(now)} UTC</strong>
			<label>
				<span>The clock</span>
				<select onchange=${changeMode}>
					${modes}
				</select>
			</label>
			<div class="buttons">${steps}</div>
			${button('Until nothing is due', () => move({ until_idle: true }), { title })}
			<p class="hint">
				n8n’s clock stays as it is, so its schedules run no sooner: use Execute workflow there.
			</p>
		</div>
	`;
}

/** @param {{ currentTarget: HTMLSelectElement }} event */
const changeMode = ({ currentTarget: { value: mode } }) =>
	attemptChange('POST', 'clock', { mode }, () => `The clock ${MODES[mode]}.`);

/** @param {object} input */
const move = (input) =>
	attemptChange('POST', 'clock', input, ({ now, ran, idle }) => {
		const what = ran === 0 ? 'Nothing' : counted(ran, 'thing');
		const done = `It is ${dateTime(now)} UTC. ${what} happened.`;
		return idle === false ? `${done} More is due: move on to go further.` : done;
	});
