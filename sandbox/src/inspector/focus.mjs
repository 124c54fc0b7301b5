import { toAddress } from './route.mjs';
import { useLayoutEffect, useRef } from './vendor/preact.js';

const isWide = matchMedia('(width >= 1000px)');

/** What has the focus, also once it is gone; null after a click beside it. */
let focused = /** @type {EventTarget | null} */ (null);
addEventListener('pointerdown', () => (focused = null));
addEventListener('focusin', ({ target }) => (focused = target));

/**
 * Moves the focus to a record or view once it is shown, and back to its link once it is closed; from what is gone,
 * such as the button of a fault that is off, to the heading. Names the page.
 * @param {Route | undefined} route what is shown
 */
export function useFocus(route) {
	const before = useRef(/** @type {Route | undefined} */ (undefined));
	useLayoutEffect(() => {
		if (!route) return;
		if (focused instanceof Node && !focused.isConnected)
			find('main h1')?.focus({ preventScroll: true });
		const last = before.current;
		before.current = route;
		document.title = `${document.querySelector('main h1')?.textContent ?? 'Sandbox'} · Sandbox`;
		const isSameView = last?.view === route.view;
		if (isSameView && last.id === route.id) return;
		// On a phone the record stands above its list.
		const row = isWide.matches ? find('main .selected') : null;
		if (!last) {
			// After scrollIntoView, the first Tab would begin at the row.
			const hidden = (row?.getBoundingClientRect().bottom ?? 0) - innerHeight;
			if (hidden > 0) scrollBy(0, hidden);
			return;
		}
		row?.scrollIntoView({ block: 'nearest' });
		const isClosed = isSameView && route.id === undefined;
		const opened = find(isClosed ? `main a[href="${toAddress(last)}"]` : 'main .panel h2');
		(opened ?? find('main h1'))?.focus();
	});
}

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector));
