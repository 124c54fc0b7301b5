import assert from 'node:assert/strict';

import type { ConsoleMessage, Page } from '@playwright/test';

/** Errors of n8n 2.41.1 itself. */
const OF_N8N = [
	// When a workflow opens that is not stored yet, and when one is left with an open node.
	/^(Error|uncaught): injectNDVStore\(\) was accessed without an active workflow document store/,
];

/**
 * Collects the errors of a page: on the console, uncaught errors, missing icons.
 *
 * @param origin n8n's; errors of other servers do not count
 */
export function collectConsoleErrors(page: Page, origin: string) {
	const errors: string[] = [];
	page.on('console', (message) => {
		if (message.type() !== 'error' || isFromOtherServer(message, origin)) return;
		errors.push(`${message.text()} (${message.location().url})`);
	});
	page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
	page.on('response', (response) => {
		if (response.status() < 400 || !response.url().startsWith(`${origin}/icons/`)) return;
		errors.push(`missing icon: ${response.url()} (${response.status()})`);
	});
	return {
		/** Throws when there were errors, except those that match. */
		assertNone(...expected: RegExp[]): void {
			const allowed = [...OF_N8N, ...expected];
			const unexpected = errors.filter((text) => !allowed.some((pattern) => pattern.test(text)));
			assert.deepEqual(unexpected, [], 'The browser reported errors.');
		},
	};
}

function isFromOtherServer(message: ConsoleMessage, origin: string): boolean {
	const { url } = message.location();
	return url !== '' && !url.startsWith(origin);
}
