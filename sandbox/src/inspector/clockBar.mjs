import { button, moment } from './components.mjs';
import { counted, dateTime } from './format.mjs';
import { attemptChange } from './messages.mjs';
import { html } from './vendor/preact.js';

const STEPS = [
	['PT10S', '+10 s', '10 seconds'],
	['PT1M', '+1 min', '1 minute'],
	['PT1H', '+1 h', '1 hour'],
];

/** The sandbox's clock: what it shows and how it goes, and buttons to move it. @param {Row} health */
export function clockBar({ now, mode, call_speed: speed }) {
	const title = 'Moves the clock forward until no call, attempt or webhook is due';
	return html`
		<div class="clock" role="group" aria-label="Clock">
			<span class="now">
				${moment(now)}
				<span class="muted"> UTC${speed === 1 ? '' : `, calls ${speed} times as fast`}</span>
			</span>
			<select aria-label="How the clock goes" onchange=${changeMode}>
				${['real', 'accelerated', 'manual'].map(
					(name) => html`<option value=${name} selected=${name === mode}>${name}</option>`,
				)}
			</select>
			${STEPS.map(([advance = '', text = '', words]) => {
				const title = `Moves the sandbox’s clock forward by ${words}; n8n’s clock stays`;
				return button(text, () => move({ advance }), { title });
			})}
			${button('Until nothing is due', () => move({ until_idle: true }), { title })}
		</div>
	`;
}

/** @param {{ currentTarget: HTMLSelectElement }} event */
const changeMode = ({ currentTarget: { value: mode } }) =>
	attemptChange('POST', 'clock', { mode }, () => `The clock is ${mode}.`);

/** @param {object} input */
const move = (input) =>
	attemptChange('POST', 'clock', input, ({ now, ran, idle }) => {
		const done = `It is ${dateTime(now)} UTC. ${counted(ran, 'thing')} happened.`;
		return idle === false ? `${done} More is due: move on to go further.` : done;
	});
