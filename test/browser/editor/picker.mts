import type { Locator, Page } from 'playwright-core';

import type { NodeForm } from './nodeForm.mts';
import { testId } from './testId.mts';

/** A field with a searchable list, such as *Assistant*. */
export class Picker {
	readonly #page: Page;
	readonly #form: NodeForm;

	constructor(page: Page, form: NodeForm) {
		this.#page = page;
		this.#form = form;
	}

	/** @returns the list */
	async open(name: string): Promise<Locator> {
		await this.#form.input(name).locator(testId('rlc-input')).click();
		await this.listed.first().waitFor();
		return this.#page.locator('[data-reka-popper-content-wrapper]').filter({ has: this.listed });
	}

	/** Closes a list without choosing. */
	async close(list: Locator): Promise<void> {
		await this.#page.keyboard.press('Escape');
		await list.waitFor({ state: 'hidden' });
	}

	/** Opens a list that n8n cannot read. @returns what n8n shows in its place */
	async problem(name: string): Promise<string> {
		await this.#form.input(name).locator(testId('rlc-input')).click();
		const problem = this.#page.locator(testId('rlc-error-container')).filter({ visible: true });
		await problem.waitFor();
		return await problem.innerText();
	}

	/** The entries of the list. */
	get listed(): Locator {
		return this.#page.locator(testId('rlc-item')).filter({ visible: true });
	}

	async filter(text: string): Promise<void> {
		await this.#page.locator(testId('rlc-search')).filter({ visible: true }).fill(text);
	}

	async pick(label: string): Promise<void> {
		await this.listed.filter({ hasText: label }).click();
		await this.listed.first().waitFor({ state: 'hidden' });
	}

	/** The name of what was picked. */
	async picked(name: string): Promise<string> {
		return await this.#text(name).inputValue();
	}

	/** Enters an ID instead of choosing from the list. */
	async enterId(name: string, value: string): Promise<void> {
		await this.#form.input(name).locator(testId('rlc-mode-selector')).click();
		await this.#page.locator(testId('mode-id')).filter({ visible: true }).click();
		await this.#text(name).fill(value);
		await this.#taken();
	}

	/**
	 * Waits until n8n has taken over what was entered, which it does after 100 ms (n8n 2.41: nothing on the
	 * page tells). A timer of the page that is set later ends later, however slow the machine is.
	 */
	async #taken(): Promise<void> {
		await this.#page.evaluate(async () => await new Promise((resolve) => setTimeout(resolve, 100)));
	}

	#text(name: string): Locator {
		const input = testId('rlc-input');
		return this.#form.input(name).locator(`input${input}, ${input} input`);
	}
}
