import { h } from '../dom.mjs';

/** @typedef {import('../dom.mjs').Child} Child */

/**
 * A list with, perhaps, the opened entry beside it.
 *
 * @param {Child[]} content
 * @param {Child} opened
 */
export const withPanel = (content, opened) => [
	h(
		'div',
		{ class: opened ? 'split' : 'whole' },
		h('div', { class: 'content', key: 'content' }, ...content),
		opened,
	),
];

/**
 * An entry that is opened beside its list. Escape closes it.
 *
 * @param {string} title
 * @param {string} back address of the list
 * @param {Child[]} content
 */
export function panel(title, back, content) {
	return h(
		'section',
		{
			class: 'panel',
			key: 'panel',
			'aria-labelledby': 'panel-title',
			onkeydown: (/** @type {KeyboardEvent} */ { key }) => {
				if (key === 'Escape') location.hash = back;
			},
		},
		h(
			'div',
			{ class: 'panel-head' },
			h('h2', { id: 'panel-title', tabindex: '-1' }, title),
			h('a', { class: 'close', href: back, 'aria-label': 'Close' }, '✕'),
		),
		...content,
	);
}
