import type { Locator, Page } from 'playwright-core';

import type { NodeDialog } from './nodeDialog.mts';
import type { NodeForm } from './nodeForm.mts';

/** The descriptions of the fields, each behind a sign. */
export class FieldDescriptions {
	readonly #page: Page;
	readonly #form: NodeForm;
	readonly #node: NodeDialog;

	constructor(page: Page, form: NodeForm, node: NodeDialog) {
		this.#page = page;
		this.#form = form;
		this.#node = node;
	}

	/** The sign beside a label that shows the description of the field. */
	sign(name: string, within = this.#form.fields): Locator {
		const label = within.locator(`label[for="${name}"]`).filter({ visible: true }).first();
		return label.locator('svg[data-icon="circle-help"]');
	}

	/**
	 * Puts the pointer on the sign of a field, and waits until its description is shown.
	 *
	 * @returns the description
	 */
	async show(name: string, text: string): Promise<Locator> {
		await this.sign(name).hover();
		const description = this.#shown.filter({ hasText: text });
		await description.waitFor();
		return description;
	}

	/** Takes the pointer away, because a description covers what is beside it. */
	async hide(): Promise<void> {
		await this.#node.name.hover();
		await this.#shown.first().waitFor({ state: 'hidden' });
	}

	get #shown(): Locator {
		return this.#page.locator('.n8n-tooltip').filter({ visible: true });
	}
}
