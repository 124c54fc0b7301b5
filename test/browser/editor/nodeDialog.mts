import type { Locator, Page } from 'playwright-core';

import { testId } from './testId.mts';

/** The dialog of a node, around its input, fields and output. */
export class NodeDialog {
	/** The whole dialog. */
	readonly element: Locator;

	constructor(page: Page) {
		this.element = page.locator(testId('ndv'));
	}

	/** The name of the node, at the top. */
	get name(): Locator {
		return this.element
			.locator(testId('node-title-container'))
			.locator(testId('inline-edit-preview'));
	}

	/** Shows n8n's settings of the node instead of its parameters. */
	async openSettings(): Promise<void> {
		await this.element.locator(testId('tab-settings')).click();
	}

	/** Runs the node; a trigger begins to listen. */
	async execute(): Promise<void> {
		await this.element.locator(testId('node-execute-button')).click();
	}

	async close(): Promise<void> {
		await this.element.locator(testId('ndv-close-button')).click();
		await this.element.waitFor({ state: 'hidden' });
	}
}
