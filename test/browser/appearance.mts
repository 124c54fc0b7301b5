import assert from 'node:assert/strict';

import type { Locator } from 'playwright-core';

import { waitFor } from '../../host/process/wait.mts';

const ICON_LIMIT_MS = 30_000;

/** The used part of a browser's Element; the tools are compiled without these types. */
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

/** Waits until each icon has loaded or failed to. */
export async function waitForIcons(icons: Locator): Promise<void> {
	await waitFor('the icons to load', ICON_LIMIT_MS, async () => {
		const loaded = await icons.evaluateAll((all: Element[]) => all.every((icon) => icon.complete));
		return loaded || undefined;
	});
}

/**
 * Checks what is visible in a part of the page.
 *
 * @param part one element
 * @throws AssertionError with a line for each
 * - text, value or placeholder that is wider than its box, and box outside of the part;
 * - icon that did not load;
 * - text that is not for users: a translation key, a template, "undefined"
 */
export async function assertLooksRight(part: Locator): Promise<void> {
	await waitForIcons(part.locator('img').filter({ visible: true }));
	assert.deepEqual(await part.evaluate(findFlaws), [], 'Something does not look right.');
}

/** Runs in the browser, without access to this module. */
function findFlaws(part: Element): string[] {
	const view = part.ownerDocument.defaultView;
	const canvas = part.ownerDocument.createElement('canvas').getContext('2d');
	const partBox = part.getBoundingClientRect();
	const pixels = (length?: string): number => Number.parseFloat(length ?? '') || 0;
	/** Half a pixel is rounding. */
	const tolerance = 1;

	const overflows = (element: Element, text: string): string | undefined => {
		const box = element.getBoundingClientRect();
		if (box.right > partBox.right + tolerance || box.left < partBox.left - tolerance) {
			return `is outside: "${text}"`;
		}
		const block = blockOf(element);
		return block.scrollWidth > block.clientWidth + tolerance
			? `does not fit: "${text}"`
			: undefined;
	};
	/** An inline element has no width; its block cuts it off. */
	const blockOf = (element: Element): Element =>
		element.clientWidth > 0 || element === part || element.parentElement === null
			? element
			: blockOf(element.parentElement);
	const textTypes = ['text', 'textarea', 'password', 'number', 'search', 'email', 'url'];
	/** The value of a field, or its placeholder while that is empty. */
	const fieldText = ({ type = '', value, placeholder }: Element): string =>
		textTypes.includes(type) ? value || placeholder || '' : '';
	const fieldOverflows = (element: Element, text: string): string | undefined => {
		const style = view.getComputedStyle(element);
		canvas.font = style.font;
		const room = element.clientWidth - pixels(style.paddingLeft) - pixels(style.paddingRight);
		const lines = element.rows ?? 1;
		return canvas.measureText(text).width > room * lines + tolerance
			? `does not fit: "${text}" in a field`
			: undefined;
	};
	const notForUsers = (text: string): string | undefined =>
		/\{\{|\}\}|^[a-z]\w*(\.\w+)+$|\bundefined\b|\bNaN\b|\[object /.test(text)
			? `not for users: "${text}"`
			: undefined;

	return [...part.querySelectorAll('*')]
		.filter((element) => element.getClientRects().length > 0)
		.flatMap((element) => {
			if (element.tagName === 'IMG') {
				const loaded = element.complete === true && element.naturalWidth !== 0;
				return loaded ? [] : [`missing icon: ${element.src}`];
			}
			const inField = fieldText(element);
			if (inField !== '') return [notForUsers(inField) ?? fieldOverflows(element, inField)];
			const text = element.childElementCount === 0 ? element.textContent.trim() : '';
			return text === '' ? [] : [notForUsers(text) ?? overflows(element, text)];
		})
		.filter((flaw) => flaw !== undefined);
}
