import { expect, type Locator } from '@playwright/test';

/** The used part of a browser's Element; the tools are compiled without these types. */
interface Element {
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

/** Waits until each icon has loaded. */
export async function assertIconsLoad(icons: Locator): Promise<void> {
	const missing = async () =>
		await icons.evaluateAll((all: Element[]) =>
			all.filter(({ complete, naturalWidth }) => !complete || !naturalWidth).map(({ src }) => src),
		);
	await expect.poll(missing, 'icons that do not load').toEqual([]);
}

/**
 * Expects of what is visible in a part of the page:
 * - each text, value and placeholder fits its box, and each box is in the part;
 * - each icon loads;
 * - no text is not for users: a translation key, a template, "undefined"
 *
 * @param part one element
 */
export async function assertLooksRight(part: Locator): Promise<void> {
	await assertIconsLoad(part.locator('img').filter({ visible: true }));
	expect(await part.evaluate(findFlaws), 'what does not look right').toEqual([]);
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
		const block = getBlock(element);
		return block.scrollWidth > block.clientWidth + tolerance
			? `does not fit: "${text}"`
			: undefined;
	};
	/** An inline element has no width; its block cuts it off. */
	const getBlock = (element: Element): Element =>
		element.clientWidth > 0 || element === part || element.parentElement === null
			? element
			: getBlock(element.parentElement);
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
			const inField = fieldText(element);
			if (inField !== '') return [notForUsers(inField) ?? fieldOverflows(element, inField)];
			const text = element.childElementCount === 0 ? element.textContent.trim() : '';
			return text === '' ? [] : [notForUsers(text) ?? overflows(element, text)];
		})
		.filter((flaw) => flaw !== undefined);
}
