import type { Locator, Page } from 'playwright-core';

import type { NodeForm } from './nodeForm.mts';
import { testId } from './testId.mts';

/** A workflow on the canvas, and its executions. */
export class WorkflowPage {
	readonly #page: Page;
	readonly #url: string;
	readonly #form: NodeForm;

	/** @param url base URL of n8n */
	constructor(page: Page, url: string, form: NodeForm) {
		this.#page = page;
		this.#url = url;
		this.#form = form;
	}

	/** Creates the first workflow, from the card that only an empty n8n shows. */
	async createFirst(): Promise<void> {
		await this.#page.locator(testId('new-workflow-card')).click();
		await this.#canvas.waitFor();
	}

	async create(): Promise<void> {
		await this.#page.goto(`${this.#url}/workflow/new`);
		await this.#canvas.waitFor();
	}

	async open(workflowId: string): Promise<void> {
		await this.#page.goto(`${this.#url}/workflow/${workflowId}`);
		await this.#page.locator(testId('canvas-node')).first().waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.#page.locator(`${testId('canvas-node')}[data-node-name="${name}"]`).dblclick();
		await this.#form.fields.waitFor();
	}

	/** Shows the whole workflow. */
	async zoomToFit(): Promise<void> {
		await this.#page.locator(testId('zoom-to-fit')).click();
	}

	/** Runs the whole workflow. */
	async execute(): Promise<void> {
		await this.#page.locator(testId('execute-workflow-button')).click();
	}

	/** Clicks a link of a note, which opens in another tab. */
	async openLink(text: string): Promise<Page> {
		const opened = this.#page.context().waitForEvent('page');
		await this.#page.getByRole('link', { name: text }).click();
		return await opened;
	}

	/** Asks n8n to publish the workflow. */
	async publish(): Promise<void> {
		await this.#page.locator(testId('workflow-open-publish-modal-button')).click();
		await this.#page.locator(testId('workflow-publish-button')).click();
	}

	/** The dialog that says that the workflow is published. */
	get published(): Locator {
		return this.#page.locator(testId('activation-modal'));
	}

	async closePublished(): Promise<void> {
		await this.published.getByRole('button', { name: 'Got it' }).click();
		await this.published.waitFor({ state: 'hidden' });
	}

	async openExecutions(): Promise<void> {
		await this.#page.locator(testId('radio-button-executions')).click();
		await this.executions.first().waitFor();
	}

	/** The list of executions, the newest first. */
	get executions(): Locator {
		return this.#page.locator(
			`${testId('current-executions-list')} [data-test-id^="execution-details-"]`,
		);
	}

	get #canvas(): Locator {
		return this.#page.locator(testId('canvas-wrapper'));
	}
}
