import { expect, test as base, type Page } from '@playwright/test';

import { LOOPBACK } from '../../host/process/ports.mts';
import { collectConsoleErrors } from '../browser/consoleErrors.mts';
import { SITE } from './pages.mts';
import { serveFiles } from './siteServer.mts';

type Theme = 'light' | 'dark';

/** The used part of a browser's elements; the tools are compiled without these types. */
interface PageElement {
	scrollWidth: number;
	clientWidth: number;
	ownerDocument: {
		defaultView: { navigator: { clipboard: { readText: () => Promise<string> } } };
	};
}
interface ImageElement {
	src: string;
	complete: boolean;
	naturalWidth: number;
	loading: string;
}

/** A phone that shows the built site. */
interface SitePage {
	/**
	 * Opens a page of the site and waits until its scripts run.
	 *
	 * @param file such as "triggers.html"
	 * @param theme of the phone, light unless given
	 */
	open: (file: string, theme?: Theme) => Promise<void>;
	/** Expects that one need not scroll sideways, and that no picture is missing. */
	assertFits: () => Promise<void>;
	/** What was copied last. */
	clipboard: () => Promise<string>;
}

/** A test of the site. It also fails when the browser reports errors, or asks another server. */
export const test = base.extend<{ site: SitePage }, { origin: string }>({
	origin: [
		async ({}, use) => {
			const server = await serveFiles(SITE);
			await use(server.origin);
			await server.close();
		},
		{ scope: 'worker' },
	],
	async site({ page, origin }, use) {
		const others: string[] = [];
		page.on('request', (request) => {
			const { protocol, hostname } = new URL(request.url());
			if (hostname !== LOOPBACK && protocol !== 'data:') others.push(request.url());
		});
		const consoleErrors = collectConsoleErrors(page, origin);
		const html = page.locator('html');
		await use({
			async open(file, theme = 'light') {
				await page.emulateMedia({ colorScheme: theme });
				await page.goto(`${origin}/${file}`);
				await waitForScripts(page);
				await expect(page.locator('html.dark')).toHaveCount(theme === 'dark' ? 1 : 0);
			},
			async assertFits() {
				const [scrolled, shown] = await html.evaluate(
					({ scrollWidth, clientWidth }: PageElement) => [scrollWidth, clientWidth],
				);
				expect(scrolled, 'the page is no wider than the phone').toBe(shown);
				const images = page.locator('.VPContent img');
				await expect.poll(() => images.evaluateAll(missingPictures)).toEqual([]);
			},
			async clipboard() {
				return await html.evaluate(({ ownerDocument }: PageElement) =>
					ownerDocument.defaultView.navigator.clipboard.readText(),
				);
			},
		});
		expect(others, 'other servers that the page asked').toEqual([]);
		consoleErrors.assertNone();
	},
});

/** Waits until the page has been taken over by its scripts. */
export async function waitForScripts(page: Page): Promise<void> {
	const app = page.locator('#app');
	await expect.poll(() => app.evaluate((element: object) => '__vue_app__' in element)).toBe(true);
}

/** Runs in the browser. Pictures further down load only when they come into view, or are told to. */
function missingPictures(images: ImageElement[]): string[] {
	for (const image of images) image.loading = 'eager';
	return images
		.filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0)
		.map(({ src }) => src);
}
