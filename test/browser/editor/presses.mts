import type { Page } from 'playwright-core';

/** Gives the presses of the mouse button since the counting began. */
export type Presses = () => Promise<number>;

/** Counts what the user presses, until another page opens. */
export async function countPresses(page: Page): Promise<Presses> {
	const counter = await page.locator('body').evaluateHandle(startCounting);
	return async () => (await counter.jsonValue()).presses;
}

/** The used part of a browser's Element; the tools are compiled without these types. */
interface PressTarget {
	addEventListener: (
		type: 'pointerdown',
		listener: (event: { isTrusted: boolean }) => void,
		options: { capture: boolean },
	) => void;
}

/** Runs in the browser, without access to this module. */
function startCounting(body: PressTarget): { presses: number } {
	const counter = { presses: 0 };
	const count = ({ isTrusted }: { isTrusted: boolean }) => {
		if (isTrusted) counter.presses += 1;
	};
	body.addEventListener('pointerdown', count, { capture: true });
	return counter;
}
