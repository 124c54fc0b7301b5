import type { Locator, Page } from 'playwright-core';

import type { NodeForm } from './nodeForm.mts';
import { testId } from './testId.mts';

/** The panel that offers nodes. */
export class NodePanel {
	readonly #page: Page;
	readonly #form: NodeForm;

	constructor(page: Page, form: NodeForm) {
		this.#page = page;
		this.#form = form;
	}

	/** The whole panel. */
	get element(): Locator {
		return this.#page.locator(testId('node-creator'));
	}

	/** Opens the panel and types into its search field. */
	async search(text: string): Promise<void> {
		await this.#page.locator(testId('node-creator-plus-button')).click();
		await this.searchAgain(text);
	}

	/** Types something else into the search field of the open panel. */
	async searchAgain(text: string): Promise<void> {
		await this.#page.locator(testId('node-creator-search-bar')).fill(text);
	}

	/** The nodes that were found. */
	get found(): Locator {
		return this.element.locator(testId('node-creator-action-item'));
	}

	/** Opens the list of triggers and actions of a found node. */
	async openNode(name: string): Promise<void> {
		await this.found.filter({ hasText: name }).click();
		await this.#category('Triggers').waitFor();
		const actions = this.#category('Actions');
		await actions.click();
		await this.element
			.getByText(/ actions$/i)
			.first()
			.waitFor();
	}

	/** Adds the trigger of a found node that has no actions, which opens the node. */
	async addTrigger(name: string): Promise<void> {
		const found = this.element.locator(testId('node-creator-node-item'));
		await found.filter({ hasText: name }).click();
		await this.element.getByRole('button', { name: 'Add to workflow' }).click();
		await this.#form.fields.waitFor();
	}

	/**
	 * The triggers and actions of the node that was opened.
	 *
	 * @param count how many to wait for: n8n shows them one after the other
	 */
	async offered(count: number): Promise<string[]> {
		const names = this.element.locator(testId('node-creator-item-name'));
		await names.nth(count - 1).waitFor();
		return await names.allInnerTexts();
	}

	/** Adds a trigger or an action of the node that was opened, which opens the node. */
	async add(name: string): Promise<void> {
		const item = this.element.locator(testId('node-creator-item-name'));
		await item.getByText(name, { exact: true }).click();
		await this.#form.fields.waitFor();
	}

	#category(name: string): Locator {
		return this.element.locator(testId('node-creator-category-item')).filter({ hasText: name });
	}
}
