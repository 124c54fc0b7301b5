import { ask } from './api.mjs';
import { h } from './dom.mjs';
import { attempt, say } from './messages.mjs';
import { hrefOf } from './route.mjs';
import { makeValueFields } from './valueFields.mjs';

/** @typedef {import('./api.mjs').Row} Row */
/** @typedef {import('./dom.mjs').Child} Child */

/** So many assistants can be chosen from a list. */
const LISTED = 200;

/**
 * Shows a form in a dialog. Escape and Cancel close it; the focus then returns.
 *
 * @param {string} title
 * @param {Child[]} content
 * @param {string} action text of the button
 * @param {(values: { [name: string]: string }) => Promise<void>} submit throws to say what is wrong
 * @param {string} [tone]
 */
function openDialog(title, content, action, submit, tone = 'primary') {
	const problem = h('p', { class: 'problem', role: 'alert' });
	const button = h('button', { class: tone }, action);
	const dialog = h(
		'dialog',
		{ 'aria-labelledby': 'dialog-title' },
		h(
			'form',
			{
				onsubmit: async (/** @type {SubmitEvent} */ event) => {
					event.preventDefault();
					const form = /** @type {HTMLFormElement} */ (event.currentTarget);
					const values = Object.fromEntries(
						[...new FormData(form)].map(([name, value]) => [name, String(value)]),
					);
					button.disabled = true;
					problem.textContent = '';
					try {
						await submit(values);
						dialog.close();
					} catch (error) {
						problem.textContent = error instanceof Error ? error.message : String(error);
					}
					button.disabled = false;
				},
			},
			h('h2', { id: 'dialog-title' }, title),
			...content,
			problem,
			h(
				'div',
				{ class: 'buttons' },
				button,
				h(
					'button',
					// Two presses of Enter must not do what cannot be undone.
					{ type: 'button', autofocus: tone === 'danger', onclick: () => dialog.close() },
					'Cancel',
				),
			),
		),
	);
	dialog.addEventListener('close', () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
}

/** Asks before everything starts again. */
export function openReset() {
	openDialog(
		'Reset the sandbox?',
		[
			h(
				'p',
				{},
				'Everything starts again from the seed: calls, leads, settings, requests, faults and the clock. This cannot be undone.',
			),
		],
		'Reset everything',
		async () => {
			await ask('reset', { method: 'POST', input: {} });
			say('The sandbox starts again from its seed.');
			location.hash = hrefOf('timeline');
		},
		'danger',
	);
}

/** @type {number | undefined} */
let lastAssistant;

/**
 * Asks whom to call, and starts the call.
 *
 * @param {{
 *   assistantId?: number, leadId?: number, phoneNumber?: string, direction?: string, scenario?: string, values?: Row
 * }} [chosen] without an assistant it is the one that was used last
 */
export async function openCallNow({
	assistantId = lastAssistant,
	leadId,
	phoneNumber,
	direction = 'outbound',
	scenario,
	values,
} = {}) {
	/** @type {Row[]} */
	let assistants = [];
	/** @type {Row[]} */
	let scenarios = [];
	await attempt(async () => {
		const lists = await Promise.all([
			ask('records/assistants', { query: { limit: LISTED } }),
			ask('scenarios'),
		]);
		[assistants, scenarios] = lists.map(({ data }) => data);
		return '';
	});
	assistants.sort((one, other) => one['id'] - other['id']);
	const chosen = assistants.find(({ id }) => id === assistantId) ?? assistants[0];
	if (!chosen) return;
	const valueFields = makeValueFields();
	await valueFields.show(chosen['id'], values);
	const description = h('p', { class: 'muted', id: 'scenario-description' });
	const describe = (/** @type {string} */ name) => {
		description.textContent =
			scenarios.find((one) => one['name'] === name)?.['description'] ??
			'The last digits of the number choose how the call goes.';
	};
	describe(scenario ?? '');
	const number = h('input', {
		type: 'tel',
		name: 'number',
		value: phoneNumber ?? '+14155550123',
		required: true,
		autocomplete: 'off',
	});
	openDialog(
		'Call now',
		[
			h(
				'label',
				{},
				'Assistant',
				h(
					'select',
					{
						name: 'assistant_id',
						required: true,
						onchange: (/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
							valueFields.show(Number(currentTarget.value)),
					},
					assistants.map(({ id, name, assistant_name: ownName }) =>
						h('option', { value: id, selected: id === chosen['id'] }, `${id} · ${name ?? ownName}`),
					),
				),
			),
			h(
				'fieldset',
				{},
				h('legend', {}, 'Direction'),
				radio('direction', 'outbound', 'The assistant calls the person (outbound)', direction),
				radio('direction', 'inbound', 'The person calls the assistant (inbound)', direction),
			),
			h('label', {}, 'Phone number of the person', number),
			h(
				'label',
				{},
				'How the call goes (scenario)',
				h(
					'select',
					{
						name: 'scenario',
						'aria-describedby': 'scenario-description',
						onchange: (/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
							describe(currentTarget.value),
					},
					h('option', { value: '' }, 'By the phone number or the lead'),
					scenarios.map(({ name }) =>
						h('option', { value: name, selected: name === scenario }, name),
					),
				),
			),
			description,
			valueFields.element,
			h(
				'label',
				{},
				'ID of the lead (optional, only when the assistant calls)',
				h('input', {
					type: 'number',
					name: 'lead_id',
					min: '1',
					value: leadId ?? '',
					inputmode: 'numeric',
					onchange: (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) =>
						attempt(async () => {
							if (currentTarget.value === '') return '';
							const lead = await ask(`records/leads/${currentTarget.value}`);
							number.value = lead['phone_number'];
							return `Lead ${lead['id']} has the number ${number.value}.`;
						}),
				}),
			),
		],
		'Call now',
		async (form) => {
			const { assistant_id: assistant, lead_id: lead } = form;
			const chosenValues = valueFields.chosen(form);
			lastAssistant = Number(assistant);
			const isInbound = form['direction'] === 'inbound';
			const call = await ask(`calls/${form['direction']}`, {
				method: 'POST',
				input: {
					assistant_id: Number(assistant),
					[isInbound ? 'from' : 'to']: number.value,
					...(form['scenario'] && { scenario: form['scenario'] }),
					...(chosenValues && { values: chosenValues }),
					...(lead && !isInbound && { lead_id: Number(lead) }),
				},
			});
			location.hash = hrefOf('calls', call['id']);
		},
	);
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} text
 * @param {string} chosen the value of the radio button that is checked
 */
const radio = (name, value, text, chosen) =>
	h(
		'label',
		{ class: 'choice' },
		h('input', { type: 'radio', name, value, checked: value === chosen }),
		text,
	);

/**
 * Puts a text into the clipboard. A page that is not on this machine may not, and shows it instead.
 *
 * @param {string} text
 * @param {string} done what to say afterwards
 */
export async function copy(text, done) {
	if (navigator.clipboard) {
		await attempt(async () => {
			await navigator.clipboard.writeText(text);
			return done;
		});
		return;
	}
	const field = h('textarea', { rows: '8', readonly: true, 'aria-label': 'The text' }, text);
	openDialog('Copy this text', [field], 'Close', () => Promise.resolve());
	field.select();
}
