import type { Page } from '@playwright/test';

import type { nodeForm } from './nodeForm.mts';

/** A field with a searchable list, such as *Assistant*. */
export function picker(page: Page, { input }: ReturnType<typeof nodeForm>) {
	/** The entries of the list. */
	const listed = page.getByTestId('rlc-item').filter({ visible: true });
	/** What was picked or entered. */
	const picked = (name: string) =>
		input(name).locator('input[data-test-id="rlc-input"], [data-test-id="rlc-input"] input');
	return {
		listed,
		picked,
		/** @returns the list */
		open: async (name: string) => {
			await input(name).getByTestId('rlc-input').click();
			await listed.first().waitFor();
			return page.locator('[data-reka-popper-content-wrapper]').filter({ has: listed });
		},
		/** Closes a list without choosing. */
		close: async () => {
			await page.keyboard.press('Escape');
			await listed.first().waitFor({ state: 'hidden' });
		},
		/** What n8n shows in the place of a list that it cannot read. */
		problem: page.getByTestId('rlc-error-container').filter({ visible: true }),
		filter: async (text: string) =>
			await page.getByTestId('rlc-search').filter({ visible: true }).fill(text),
		pick: async (label: string) => {
			await listed.filter({ hasText: label }).click();
			await listed.first().waitFor({ state: 'hidden' });
		},
		/** Enters an ID instead of choosing from the list. */
		enterId: async (name: string, value: string) => {
			await input(name).getByTestId('rlc-mode-selector').click();
			await page.getByTestId('mode-id').filter({ visible: true }).click();
			await picked(name).fill(value);
			// n8n takes it over after 100 ms (n8n 2.41: nothing on the page tells). A timer of the page that
			// is set later ends later, however slow the machine is.
			await page.evaluate(async () => await new Promise((resolve) => setTimeout(resolve, 100)));
		},
	};
}
