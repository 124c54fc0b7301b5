import assert from 'node:assert/strict';

import type { ConsoleMessage, Page } from 'playwright-core';

/** What n8n 2.41.1 itself writes as an error where nothing is wrong with a package. */
const OF_N8N = [
	// While a workflow that is not stored yet opens.
	/^Error: injectNDVStore\(\) was accessed without an active workflow document store/,
];

/** What the browser complains about: errors on its console, thrown errors, icons that are missing. */
export interface Complaints {
	/** Throws when there were any since the last time, except those that match. */
	none: (...expected: RegExp[]) => void;
	/** Forgets them, where something else has failed already. */
	forget: () => void;
}

/** Begins to listen. @param origin n8n's; what other servers do not answer is not the package's */
export function listenForComplaints(page: Page, origin: string): Complaints {
	let heard: string[] = [];
	page.on('console', (message) => {
		if (message.type() !== 'error' || fromElsewhere(message, origin)) return;
		heard.push(`${message.text()} (${message.location().url})`);
	});
	page.on('pageerror', (error) => heard.push(`uncaught: ${error.message}`));
	page.on('response', (response) => {
		if (response.status() < 400 || !response.url().startsWith(`${origin}/icons/`)) return;
		heard.push(`missing icon: ${response.url()} (${response.status()})`);
	});
	return {
		none(...expected) {
			const known = [...OF_N8N, ...expected];
			const left = heard.filter((text) => !known.some((pattern) => pattern.test(text)));
			heard = [];
			assert.deepEqual(left, [], 'The browser complained.');
		},
		forget() {
			heard = [];
		},
	};
}

function fromElsewhere(message: ConsoleMessage, origin: string): boolean {
	const { url } = message.location();
	return url !== '' && !url.startsWith(origin);
}
