import type { Locator, Page } from 'playwright-core';

import { testId } from './testId.mts';

/** The fields of the open node: texts, drop-down lists, collections, lists of entries. */
export class NodeForm {
	readonly #page: Page;
	/** The fields on the tab that is shown. */
	readonly fields: Locator;

	/** @param dialog the dialog of the node */
	constructor(page: Page, dialog: Locator) {
		this.#page = page;
		this.fields = dialog.locator(testId('node-parameters'));
	}

	/** The field of this name, with its label; a collection with its members. */
	field(name: string, within = this.fields): Locator {
		const label = within.locator(`label[for="${name}"]`).filter({ visible: true });
		return label.locator(`xpath=ancestor::*[@data-test-id="parameter-item"][1]`);
	}

	/** The field of this name without its label. */
	input(name: string): Locator {
		return this.fields.locator(testId(`parameter-input-${name}`)).first();
	}

	async fill(name: string, value: string): Promise<void> {
		await this.input(name).locator('input, textarea').fill(value);
	}

	/** Opens a drop-down list. @returns the list */
	async openChoices(name: string): Promise<Locator> {
		await this.input(name).click();
		const list = this.#page.locator('.el-select-dropdown').filter({ visible: true });
		await list.locator(testId('parameter-input-item')).first().waitFor();
		return list;
	}

	/** Chooses from the drop-down list that is open. @param label as the list shows it */
	async choose(label: string): Promise<void> {
		const choice = this.#shown('parameter-input-item', label);
		await choice.click();
		await choice.waitFor({ state: 'hidden' });
	}

	/** The choice that a drop-down list shows. */
	async chosen(name: string): Promise<string> {
		return await this.input(name).locator('input').inputValue();
	}

	/**
	 * Adds a member to a collection.
	 *
	 * @param only whether it is the only member: n8n shows a button instead of a list
	 */
	async addTo(collection: string, label: string, only: boolean): Promise<void> {
		const add = this.field(collection).locator(testId('collection-parameter-add')).last();
		await add.click();
		if (!only) await this.#shown('collection-parameter-option', label).click();
	}

	/** A list of entries. @param within the collection that has it */
	entries(name: string, within = this.fields): Locator {
		return within.locator(testId(`fixed-collection-${name}`));
	}

	/** Adds an entry. @param entries see {@link NodeForm.entries} */
	async addEntry(entries: Locator): Promise<void> {
		await entries.locator(testId('fixed-collection-add')).click();
	}

	/** The entry of an open drop-down list; the entries of closed lists are hidden in the page. */
	#shown(kind: string, label: string): Locator {
		return this.#page
			.locator(testId(kind))
			.filter({ visible: true })
			.filter({ has: this.#page.getByText(label, { exact: true }) });
	}
}
