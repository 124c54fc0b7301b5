import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { LOOPBACK } from '../../host/process/ports.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { waitFor } from '../../host/process/wait.mts';
import { startChromium } from '../browser/chromium.mts';
import { collectConsoleErrors } from '../browser/consoleErrors.mts';
import type { Checks } from '../support/checks.mts';
import type { BuiltSite } from './builtSite.mts';
import { serveFiles } from './siteServer.mts';

const PHONE = { width: 390, height: 844 };
const LOAD_LIMIT_MS = 30_000;

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
export interface SitePage {
	page: Page;
	/**
	 * Opens a page of the site and waits until its scripts run.
	 *
	 * @param file such as "triggers.html"
	 * @param theme of the phone, light unless given
	 */
	open: (file: string, theme?: Theme) => Promise<void>;
	/** @throws AssertionError when one has to scroll sideways, or when a picture is missing */
	assertFits: () => Promise<void>;
	/** @throws AssertionError when the browser reported errors, or asked another server, since the last call */
	assertQuiet: () => void;
	/** What was copied last. */
	clipboard: () => Promise<string>;
}

/** Serves the site, and starts a browser as wide as a phone. */
export async function openSite(
	{ cleanup }: Pick<Checks, 'cleanup'>,
	chromium: string,
	{ folder }: BuiltSite,
): Promise<SitePage> {
	const { origin: url } = await cleanup.use(serveFiles(folder));
	const profile = await temporaryFolder('chromium', cleanup);
	const context = await cleanup.use(startChromium(chromium, profile));
	await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
	const page = context.pages()[0] ?? (await context.newPage());
	await page.setViewportSize(PHONE);

	let others: string[] = [];
	page.on('request', (request) => {
		const { protocol, hostname } = new URL(request.url());
		if (hostname !== LOOPBACK && protocol !== 'data:') others.push(request.url());
	});
	const consoleErrors = collectConsoleErrors(page, url);

	return {
		page,
		async open(file, theme = 'light') {
			await page.emulateMedia({ colorScheme: theme });
			await page.goto(`${url}/${file}`);
			await waitForScripts(page);
			assert.equal(await page.locator('html.dark').count(), theme === 'dark' ? 1 : 0, theme);
		},
		async assertFits() {
			const [scrolled, shown] = await page
				.locator('html')
				.evaluate((html: PageElement) => [html.scrollWidth, html.clientWidth]);
			assert.equal(scrolled, shown, 'The page is wider than the phone.');
			await waitFor('all pictures to load', LOAD_LIMIT_MS, async () => {
				const missing = await page.locator('.VPContent img').evaluateAll(missingPictures);
				return missing.length === 0 ? true : undefined;
			});
		},
		assertQuiet() {
			const asked = others;
			others = [];
			assert.deepEqual(asked, [], 'The page asked another server.');
			consoleErrors.assertNone();
		},
		async clipboard() {
			return await page.locator('html').evaluate(async (html: PageElement) => {
				return await html.ownerDocument.defaultView.navigator.clipboard.readText();
			});
		},
	};
}

/** Waits until the page has been taken over by its scripts. */
export async function waitForScripts(page: Page): Promise<void> {
	await page.waitForLoadState('load');
	await waitFor('the scripts of the page to run', LOAD_LIMIT_MS, async () => {
		const isRunning = await page.locator('#app').evaluate((app: object) => '__vue_app__' in app);
		return isRunning || undefined;
	});
}

/** Runs in the browser. Pictures further down load only when they come into view, or are told to. */
function missingPictures(images: ImageElement[]): string[] {
	for (const image of images) image.loading = 'eager';
	return images
		.filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0)
		.map(({ src }) => src);
}
