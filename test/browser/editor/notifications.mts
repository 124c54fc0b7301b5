import type { Locator, Page } from 'playwright-core';

import { waitFor } from '../../../host/process/wait.mts';

const CLOSE_LIMIT_MS = 60_000;
const CLICK_LIMIT_MS = 1_000;

/** The notifications in a corner of the window. */
export class Notifications {
	readonly #all: Locator;

	constructor(page: Page) {
		this.#all = page.locator('.el-notification');
	}

	titled(title: string): Locator {
		return this.#all.filter({ hasText: title }).first();
	}

	async closeAll(): Promise<void> {
		const notification = this.#all.first();
		const close = notification.locator('.el-notification__closeBtn');
		await waitFor('all notifications to close', CLOSE_LIMIT_MS, async () => {
			// A notification may close itself just before the click.
			await close.click({ timeout: CLICK_LIMIT_MS }).catch(() => {});
			return (await notification.isVisible()) ? undefined : true;
		});
	}
}
