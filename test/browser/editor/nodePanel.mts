import type { Page } from '@playwright/test';

/** The used part of a browser's Element; the tools are compiled without these types. */
interface TextElement {
	ownerDocument: {
		createRange: () => {
			selectNodeContents: (element: TextElement) => void;
			getClientRects: () => Iterable<{ top: number }>;
		};
	};
}

/** Runs in the browser: on how many lines a text is. */
const countLines = (part: TextElement): number => {
	const range = part.ownerDocument.createRange();
	range.selectNodeContents(part);
	return new Set([...range.getClientRects()].map(({ top }) => top)).size;
};

/** The panel that offers nodes. */
export function nodePanel(page: Page) {
	const element = page.getByTestId('node-creator');
	/** The nodes that were found. */
	const found = element.getByTestId('node-creator-action-item');
	/** The triggers and actions of the node that was opened. */
	const offered = element.getByTestId('node-creator-item-name');
	const category = (name: string) =>
		element.getByTestId('node-creator-category-item').filter({ hasText: name });
	/** Types into the search field of the open panel. */
	const search = async (text: string) =>
		await page.getByTestId('node-creator-search-bar').fill(text);
	return {
		element,
		found,
		offered,
		search,
		/** Opens the panel and types into its search field. */
		open: async (text: string) => {
			await page.getByTestId('node-creator-plus-button').click();
			await search(text);
		},
		/** Opens the list of triggers and actions of a found node. */
		openNode: async (name: string) => {
			await found.filter({ hasText: name }).click();
			await category('Triggers').waitFor();
			await category('Actions').click();
			await element
				.getByText(/ actions$/i)
				.first()
				.waitFor();
		},
		/** Adds a trigger or an action of the node that was opened, which opens the node. */
		add: async (name: string) => await offered.getByText(name, { exact: true }).click(),
		/** On how many lines the name of a found node is. */
		linesOf: async (name: string) =>
			await offered.getByText(name, { exact: true }).evaluate(countLines),
		/** Adds a found node that is one trigger, which opens the node. */
		addTrigger: async (name: string) => {
			await element.getByTestId('node-creator-node-item').filter({ hasText: name }).click();
			await element.getByRole('button', { name: 'Add to workflow' }).click();
		},
	};
}
