import assert from 'node:assert/strict';

import type { Locator } from 'playwright-core';

/** What is looked at of an element; the tools are compiled without the types of a browser. */
interface Element {
	tagName: string;
	childElementCount: number;
	textContent: string;
	clientWidth: number;
	scrollWidth: number;
	title: string;
	placeholder?: string;
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

/**
 * Throws, with a line for each, when something that is visible in a part of the page
 * - overflows: a text or a field's placeholder wider than its box, or a box that sticks out;
 * - is an icon that did not load;
 * - is no text for people: a translation key, a template, "undefined".
 *
 * @param part one element
 */
export async function looksRight(part: Locator): Promise<void> {
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
		if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + tolerance) {
			return `does not fit: "${text}"`;
		}
		return undefined;
	};
	const placeholderOverflows = (element: Element): string | undefined => {
		if (!element.placeholder) return undefined;
		const style = view.getComputedStyle(element);
		pen.font = style.font;
		const room = element.clientWidth - pixels(style.paddingLeft) - pixels(style.paddingRight);
		const lines = element.rows ?? 1;
		return pen.measureText(element.placeholder).width > room * lines + tolerance
			? `does not fit: placeholder "${element.placeholder}"`
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
			const text = element.childElementCount === 0 ? element.textContent.trim() : '';
			return [
				placeholderOverflows(element),
				text === '' ? undefined : (unreadable(text) ?? overflows(element, text)),
			];
		})
		.filter((flaw) => flaw !== undefined);
}
