import assert from 'node:assert/strict';

import type { Checks } from '../support/checks.mts';
import type { Fixture } from './fixture.mts';
import type { InspectorPage } from './inspectorPage.mts';

/** More than there is to reach on a page before its first row. */
const MOST_TABS = 80;

/** Everything without a mouse. */
export async function keyboard(
	{ check }: Checks,
	{ sandbox, control }: Fixture,
	inspector: InspectorPage,
): Promise<void> {
	const { page, main, panel, open, assertQuiet } = inspector;
	const focused = page.locator(':focus');

	/** Presses Tab until an element with this text or label has the focus, and the focus is seen. */
	const tabTo = async (name: RegExp): Promise<void> => {
		for (let presses = 0; presses < MOST_TABS; presses += 1) {
			await page.keyboard.press('Tab');
			const text = (await focused.getAttribute('aria-label')) ?? (await focused.innerText());
			if (!name.test(text)) continue;
			const outline = await focused.evaluate(
				(element: {
					ownerDocument: {
						defaultView: { getComputedStyle: (of: unknown) => { outlineStyle: string } };
					};
				}) => element.ownerDocument.defaultView.getComputedStyle(element).outlineStyle,
			);
			assert.notEqual(outline, 'none', 'The focus is not seen.');
			return;
		}
		assert.fail(`Tab does not lead to ${String(name)}.`);
	};

	await check('an entry opens and closes by keyboard, and the focus comes back', async () => {
		await open(sandbox.control, '#/timeline');
		await main.getByRole('row').nth(1).waitFor();
		await page.keyboard.press('Tab');
		assert.equal(await focused.innerText(), 'Skip to the content');
		await page.keyboard.press('Enter');
		await tabTo(/^Call \d+ (to|from)/);
		const opener = await focused.innerText();
		await page.keyboard.press('Enter');
		await panel.getByRole('heading', { level: 2 }).and(focused).waitFor();
		assert.equal(await focused.innerText(), opener);
		// What happens meanwhile does not take the focus away.
		await control.advance('PT1S');
		await page.keyboard.press('Tab');
		assert.equal(await focused.getAttribute('aria-label'), 'Close');
		await page.keyboard.press('Escape');
		await panel.waitFor({ state: 'detached' });
		await main.getByRole('link', { name: opener }).and(focused).waitFor();
		assertQuiet();
	});

	await check('a dialog opens and closes by keyboard', async () => {
		await open(sandbox.control, '#/leads');
		await tabTo(/^Call now$/);
		await page.keyboard.press('Enter');
		await page.getByRole('dialog', { name: 'Call now' }).waitFor();
		await page.keyboard.press('Escape');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		assert.equal(await focused.innerText(), 'Call now');
		assertQuiet();
	});

	await check('Enter twice on Reset does not reset', async () => {
		await open(sandbox.control, '#/leads');
		await tabTo(/^Reset$/);
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' });
		await dialog.getByRole('button', { name: 'Cancel' }).and(focused).waitFor();
		await page.keyboard.press('Enter');
		await dialog.waitFor({ state: 'detached' });
		await main.getByRole('link', { name: 'Lead 5', exact: true }).waitFor();
		assertQuiet();
	});
}
