import type { Locator } from 'playwright-core';

import { testId } from './testId.mts';

const RUN_LIMIT_MS = 60_000;

/** The output of the open node, with the hints above it. */
export class NodeOutput {
	readonly #dialog: Locator;
	readonly #panel: Locator;

	/** @param dialog the dialog of the node */
	constructor(dialog: Locator) {
		this.#dialog = dialog;
		this.#panel = dialog.locator(testId('output-panel'));
	}

	/** Waits until the node has output. @returns the count of items as n8n shows it */
	async itemCount(): Promise<string> {
		const count = this.#panel.locator(testId('ndv-items-count'));
		await count.waitFor({ timeout: RUN_LIMIT_MS });
		return (await count.innerText()).trim();
	}

	/** Waits until a text is in the output. */
	async shows(text: string): Promise<void> {
		await this.#panel.getByText(text).first().waitFor();
	}

	/** A hint above the output. */
	hint(text: RegExp): Locator {
		const page = this.#panel.page();
		return this.#panel.locator(testId('node-hint')).filter({ has: page.getByText(text) });
	}

	/** Shows the output as a list of fields and values. */
	async showSchema(): Promise<void> {
		await this.#panel.locator(testId('radio-button-schema')).click();
	}

	/**
	 * Waits until the trigger that is open listens: it is registered, and the editor knows.
	 *
	 * *Stop Listening* is there earlier. An event that comes before the editor knows leaves the output
	 * covered (n8n 2.41.1).
	 */
	async listening(): Promise<void> {
		await this.#dialog.locator(testId('trigger-listening')).waitFor();
	}
}
