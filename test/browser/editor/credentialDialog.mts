import type { Locator, Page } from 'playwright-core';

import type { NodeForm } from './nodeForm.mts';
import { testId } from './testId.mts';

/** The dialog of the credential of the open node. */
export class CredentialDialog {
	readonly #form: NodeForm;
	/** The whole dialog. */
	readonly element: Locator;

	constructor(page: Page, form: NodeForm) {
		this.#form = form;
		this.element = page.locator(testId('editCredential-modal'));
	}

	/** Opens the dialog for a new credential. */
	async openNew(): Promise<void> {
		await this.#form.fields.locator(testId('node-credentials-empty-state')).click();
		await this.element.waitFor();
	}

	/** Opens the credential that the node has. */
	async open(): Promise<void> {
		await this.#form.fields.locator(testId('credential-edit-button')).click();
		await this.element.waitFor();
	}

	field(name: string): Locator {
		return this.element.locator(testId(`parameter-input-${name}`)).first();
	}

	async fill(name: string, value: string): Promise<void> {
		await this.field(name).locator('input').fill(value);
	}

	/** Switches a field on, or off again. */
	async toggle(name: string): Promise<void> {
		await this.field(name).locator('.el-switch').click();
	}

	/** Saves the credential, which tests it. A new one closes the dialog when the test succeeds. */
	async save(): Promise<void> {
		await this.element.locator(testId('credential-save-button')).click();
	}

	/** Waits until the test has failed. @returns all text of the dialog */
	async problem(): Promise<string> {
		const more = this.element.getByText('More details');
		await more.click();
		await more.waitFor({ state: 'hidden' });
		return await this.element.innerText();
	}

	async close(): Promise<void> {
		await this.element.getByRole('button', { name: 'Close this dialog' }).click();
		await this.element.waitFor({ state: 'hidden' });
	}
}
