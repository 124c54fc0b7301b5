import assert from 'node:assert/strict';

import type { Locator } from 'playwright-core';

import { waitFor } from '../../host/process/wait.mts';

const ICON_LIMIT_MS = 30_000;

/** What is looked at of an element; the tools are compiled without the types of a browser. */
interface Element {
	tagName: string;
	childElementCount: number;
	textContent: string;
	clientWidth: number;
	scrollWidth: number;
	parentElement: Element | null;
	/** of a field */
	placeholder?: string;
	value?: string;
	type?: string;
	/** lines of a larger text field */
	rows?: number;
	src?: string;
	complete?: boolean;
	naturalWidth?: number;
	getClientRects: () => { length: number };
	getBoundingClientRect: () => { left: number; right: number };
	querySelectorAll: (selector: string) => Iterable<Element>;
	ownerDocument: {
		defaultView: { getComputedStyle: (element: Element) => Style };
		createElement: (name: 'canvas') => {
			getContext: (kind: '2d') => Style & { measureText: (text: string) => { width: number } };
		};
	};
}

interface Style {
	font: string;
	overflowX?: string;
	paddingLeft?: string;
	paddingRight?: string;
}

/** Waits until the icons that are there have been loaded, or could not be. */
export async function iconsLoaded(icons: Locator): Promise<void> {
	await waitFor('the icons to load', ICON_LIMIT_MS, async () => {
		const loaded = await icons.evaluateAll((all: Element[]) => all.every((icon) => icon.complete));
		return loaded || undefined;
	});
}

/**
 * Throws, with a line for each, when something that is visible in a part of the page
 * - overflows: a text, or a field's value or placeholder, wider than its box, or a box that sticks out;
 * - is an icon that could not be loaded;
 * - is no text for people: a translation key, a template, "undefined".
 *
 * @param part one element
 */
export async function looksRight(part: Locator): Promise<void> {
	await iconsLoaded(part.locator('img').filter({ visible: true }));
	assert.deepEqual(await part.evaluate(flaws), [], 'Something does not look right.');
}

/** Runs in the browser, so it uses nothing from outside. */
function flaws(part: Element): string[] {
	const view = part.ownerDocument.defaultView;
	const pen = part.ownerDocument.createElement('canvas').getContext('2d');
	const edge = part.getBoundingClientRect();
	const pixels = (length?: string): number => Number.parseFloat(length ?? '') || 0;
	/** Half a pixel is rounding. */
	const tolerance = 1;

	const overflows = (element: Element, text: string): string | undefined => {
		const box = element.getBoundingClientRect();
		if (box.right > edge.right + tolerance || box.left < edge.left - tolerance) {
			return `sticks out: "${text}"`;
		}
		const block = blockOf(element);
		return block.scrollWidth > block.clientWidth + tolerance
			? `does not fit: "${text}"`
			: undefined;
	};
	/** What is inline has no width of its own; it is cut off where its block ends. */
	const blockOf = (element: Element): Element =>
		element.clientWidth > 0 || element === part || element.parentElement === null
			? element
			: blockOf(element.parentElement);
	const typedInto = ['text', 'textarea', 'password', 'number', 'search', 'email', 'url'];
	/** What a field shows: its value, or its placeholder while that is empty. */
	const shownIn = ({ type = '', value, placeholder }: Element): string =>
		typedInto.includes(type) ? value || placeholder || '' : '';
	const shownOverflows = (element: Element, text: string): string | undefined => {
		const style = view.getComputedStyle(element);
		pen.font = style.font;
		const room = element.clientWidth - pixels(style.paddingLeft) - pixels(style.paddingRight);
		const lines = element.rows ?? 1;
		return pen.measureText(text).width > room * lines + tolerance
			? `does not fit: "${text}" in a field`
			: undefined;
	};
	const unreadable = (text: string): string | undefined =>
		/\{\{|\}\}|^[a-z]\w*(\.\w+)+$|\bundefined\b|\bNaN\b|\[object /.test(text)
			? `no text for people: "${text}"`
			: undefined;

	return [...part.querySelectorAll('*')]
		.filter((element) => element.getClientRects().length > 0)
		.flatMap((element) => {
			if (element.tagName === 'IMG') {
				const loaded = element.complete === true && element.naturalWidth !== 0;
				return loaded ? [] : [`missing icon: ${element.src}`];
			}
			const shown = shownIn(element);
			if (shown !== '') return [unreadable(shown) ?? shownOverflows(element, shown)];
			const text = element.childElementCount === 0 ? element.textContent.trim() : '';
			return text === '' ? [] : [unreadable(text) ?? overflows(element, text)];
		})
		.filter((flaw) => flaw !== undefined);
}
