import { expect, type Page } from '@playwright/test';

/** The dialog of a node, around its input, fields and output. */
export function nodeDialog(page: Page) {
	const element = page.getByTestId('ndv');
	const output = element.getByTestId('output-panel');
	const execute = async () => await element.getByTestId('node-execute-button').click();
	return {
		element,
		output,
		/** The name of the node, at the top. */
		name: element.getByTestId('node-title-container').getByTestId('inline-edit-preview'),
		/** Shows n8n's settings of the node instead of its parameters. */
		openSettings: async () => await element.getByTestId('tab-settings').click(),
		/** Runs the node; a trigger begins to listen. */
		execute,
		/** Waits until the output has so many items. */
		hasOutput: async (items = '1 item') =>
			await expect(output.getByTestId('ndv-items-count')).toHaveText(items),
		/** Waits until a text is in the output. */
		shows: async (text: string) => await output.getByText(text).first().waitFor(),
		/** Shows the output as a list of fields and values. */
		showSchema: async () => await output.getByTestId('radio-button-schema').click(),
		/** A hint above the output. */
		hint: (text: RegExp) => output.getByTestId('node-hint').filter({ has: page.getByText(text) }),
		/**
		 * Waits until the trigger listens: it is registered, and the editor knows.
		 *
		 * *Stop Listening* is there earlier. An event that comes before the editor knows leaves the output
		 * covered (n8n 2.41.1).
		 */
		listening: async () => await element.getByTestId('trigger-listening').waitFor(),
		close: async () => {
			await element.getByTestId('ndv-close-button').click();
			await element.waitFor({ state: 'hidden' });
		},
	};
}
