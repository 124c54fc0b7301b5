import type { Page } from '@playwright/test';

/** A workflow on the canvas, and its executions. */
export function workflowPage(page: Page, url: string) {
	/** The dialog that says that the workflow is published. */
	const published = page.getByTestId('activation-modal');
	/** The list of executions, the newest first. */
	const executions = page
		.getByTestId('current-executions-list')
		.locator('[data-test-id^="execution-details-"]');
	return {
		published,
		executions,
		create: async () => {
			await page.goto(`${url}/workflow/new`);
			await page.getByTestId('canvas-wrapper').waitFor();
		},
		open: async (workflowId: string) => {
			await page.goto(`${url}/workflow/${workflowId}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},
		openNode: async (name: string) =>
			await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick(),
		/** Shows the whole workflow. */
		zoomToFit: async () => await page.getByTestId('zoom-to-fit').click(),
		/** Runs the whole workflow. */
		execute: async () => await page.getByTestId('execute-workflow-button').click(),
		/** Clicks a link of a note, which opens in another tab. */
		openLink: async (text: string) => {
			const opened = page.context().waitForEvent('page');
			await page.getByRole('link', { name: text }).click();
			return await opened;
		},
		/** Asks n8n to publish the workflow. */
		publish: async () => {
			await page.getByTestId('workflow-open-publish-modal-button').click();
			await page.getByTestId('workflow-publish-button').click();
		},
		closePublished: async () => {
			await published.getByRole('button', { name: 'Got it' }).click();
			await published.waitFor({ state: 'hidden' });
		},
		openExecutions: async () => {
			await page.getByTestId('radio-button-executions').click();
			await executions.first().waitFor();
		},
	};
}
