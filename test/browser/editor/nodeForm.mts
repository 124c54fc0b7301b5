import type { Locator, Page } from '@playwright/test';

/** The fields of the open node: texts, drop-down lists, collections, lists of entries. */
export function nodeForm(page: Page, dialog: Locator) {
	/** The fields on the tab that is shown. */
	const fields = dialog.getByTestId('node-parameters');
	const label = (name: string, within = fields) =>
		within.locator(`label[for="${name}"]`).filter({ visible: true });
	/** The field of this name, with its label; a collection with its members. */
	const field = (name: string, within?: Locator) =>
		label(name, within).locator('xpath=ancestor::*[@data-test-id="parameter-item"][1]');
	/** The field of this name without its label. */
	const input = (name: string) => fields.getByTestId(`parameter-input-${name}`).first();
	/** The entry of an open drop-down list; the entries of closed lists are hidden in the page. */
	const shown = (kind: string, text: string) =>
		page
			.getByTestId(kind)
			.filter({ visible: true })
			.filter({ has: page.getByText(text, { exact: true }) });
	const descriptions = page.locator('.n8n-tooltip').filter({ visible: true });
	/** The sign beside a label that shows the description of the field. */
	const sign = (name: string, within?: Locator) =>
		label(name, within).first().locator('svg[data-icon="circle-help"]');

	return {
		fields,
		field,
		input,
		sign,
		fill: async (name: string, value: string) =>
			await input(name).locator('input, textarea').fill(value),

		/** Opens a drop-down list. @returns the list */
		openChoices: async (name: string) => {
			await input(name).click();
			const list = page.locator('.el-select-dropdown').filter({ visible: true });
			await list.getByTestId('parameter-input-item').first().waitFor();
			return list;
		},
		/** Chooses from the drop-down list that is open. @param text as the list shows it */
		choose: async (text: string) => {
			const choice = shown('parameter-input-item', text);
			await choice.click();
			await choice.waitFor({ state: 'hidden' });
		},
		/** What a drop-down list shows. */
		chosen: (name: string) => input(name).locator('input'),

		/**
		 * Adds a member to a collection, in two clicks.
		 *
		 * @param only whether it is the only member: n8n shows a button instead of a list
		 */
		addTo: async (collection: string, text: string, only = false) => {
			await field(collection).getByTestId('collection-parameter-add').last().click();
			if (!only) await shown('collection-parameter-option', text).click();
		},
		/** A list of entries. @param within the collection that has it */
		entries: (name: string, within = fields) => within.getByTestId(`fixed-collection-${name}`),
		/** Adds an entry to a list, in one click. */
		addEntry: async (entries: Locator) => await entries.getByTestId('fixed-collection-add').click(),

		/** Puts the pointer on the sign of a field. @returns the description that appears */
		showDescription: async (name: string, text: string) => {
			await sign(name).hover();
			const description = descriptions.filter({ hasText: text });
			await description.waitFor();
			return description;
		},
		/** Takes the pointer away, because a description covers what is beside it. */
		hideDescription: async () => {
			await dialog.getByTestId('node-title-container').hover();
			await descriptions.first().waitFor({ state: 'hidden' });
		},
	};
}
