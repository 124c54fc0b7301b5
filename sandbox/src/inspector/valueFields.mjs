import { ask } from './api.mjs';
import { h } from './dom.mjs';
import { attempt } from './messages.mjs';

/** @typedef {import('./api.mjs').Row} Row */

/** Begins the names of these fields in a form. */
const PREFIX = 'value ';

/**
 * Fields with which one chooses what an assistant finds out in a call. An empty field leaves that to the
 * sandbox.
 */
export function makeValueFields() {
	/** @type {Row[]} */
	let schema = [];
	let assistant = 0;
	const element = h('div');

	return {
		element,

		/**
		 * Shows the fields of an assistant.
		 *
		 * @param {number} id
		 * @param {Row} [values] with which the fields are filled in
		 */
		async show(id, values = {}) {
			assistant = id;
			await attempt(async () => {
				const { settings } = await ask(`records/assistants/${id}`);
				// Another one may have been chosen meanwhile.
				if (assistant !== id) return '';
				schema = settings['post_call_schema'];
				element.replaceChildren(...(schema.length > 0 ? [fieldset(schema, values)] : []));
				return '';
			});
		},

		/**
		 * @param {{ [name: string]: string }} form the values of the whole form
		 * @returns {{ [name: string]: string | number | boolean } | undefined} undefined when none is chosen
		 */
		chosen(form) {
			const values = schema.flatMap(({ name, type }) => {
				const text = form[PREFIX + name] ?? '';
				if (text === '') return [];
				const value = type === 'number' ? Number(text) : type === 'bool' ? text === 'true' : text;
				return [[name, value]];
			});
			return values.length > 0 ? Object.fromEntries(values) : undefined;
		},
	};
}

/**
 * @param {Row[]} schema
 * @param {Row} values
 */
const fieldset = (schema, values) =>
	h(
		'fieldset',
		{},
		h('legend', {}, 'What the assistant finds out (empty: the sandbox makes it up)'),
		schema.map(({ name, type, description }) =>
			h('label', { title: description }, name, field(PREFIX + name, type, values[name])),
		),
	);

/**
 * @param {string} name
 * @param {string} type
 * @param {unknown} value
 */
function field(name, type, value = '') {
	if (type !== 'bool') {
		const isNumber = type === 'number';
		return h('input', {
			name,
			type: isNumber ? 'number' : 'text',
			step: isNumber ? 'any' : undefined,
			value,
			autocomplete: 'off',
		});
	}
	return h(
		'select',
		{ name },
		h('option', { value: '' }, ''),
		['true', 'false'].map((one) =>
			h('option', { value: one, selected: one === String(value) }, one),
		),
	);
}
