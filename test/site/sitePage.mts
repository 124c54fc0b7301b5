import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { LOOPBACK } from '../../host/process/ports.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { waitFor } from '../../host/process/wait.mts';
import { startChromium } from '../browser/chromium.mts';
import { collectConsoleErrors } from '../browser/consoleErrors.mts';
import type { Checks } from '../support/checks.mts';
import type { BuiltSite } from './builtSite.mts';

/** No server has this name: the browser gets the files of the built site. */
const ORIGIN = 'https://site.invalid';
const PHONE = { width: 390, height: 844 };
const LOAD_LIMIT_MS = 30_000;

export type Theme = 'light' | 'dark';

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
	/** Opens a page of the site and waits until its scripts run. @param file such as "triggers.html" */
	open: (file: string) => Promise<void>;
	/** Switches the system to a theme, and waits until the page follows. */
	useTheme: (theme: Theme) => Promise<void>;
	/** @throws AssertionError when one has to scroll sideways, or when a picture is missing */
	assertFits: () => Promise<void>;
	/** @throws AssertionError when the browser reported errors, or asked another server, since the last call */
	assertQuiet: () => void;
	/** What was copied last. */
	clipboard: () => Promise<string>;
}

/** Starts a browser as wide as a phone, which gets the files of the site and nothing else. */
export async function openSite(
	{ cleanup }: Pick<Checks, 'cleanup'>,
	chromium: string,
	{ folder }: BuiltSite,
): Promise<SitePage> {
	const profile = await temporaryFolder('chromium', cleanup);
	const context = await cleanup.use(startChromium(chromium, profile));
	await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ORIGIN });
	const page = context.pages()[0] ?? (await context.newPage());
	await page.setViewportSize(PHONE);

	let others: string[] = [];
	page.on('request', (request) => {
		const { origin, protocol, hostname } = new URL(request.url());
		const isOwn = origin === ORIGIN || hostname === LOOPBACK || protocol === 'data:';
		if (!isOwn) others.push(request.url());
	});
	await page.route(`${ORIGIN}/**`, async (route) => {
		const path = decodeURI(new URL(route.request().url()).pathname).replace(/\/$/, '/index.html');
		const file = join(folder, path);
		await route.fulfill(existsSync(file) ? { path: file } : { status: 404, body: 'Not found' });
	});
	const consoleErrors = collectConsoleErrors(page, ORIGIN);

	return {
		page,
		async open(file) {
			await page.goto(`${ORIGIN}/${file}`);
			await waitForScripts(page);
		},
		async useTheme(theme) {
			await page.emulateMedia({ colorScheme: theme });
			const dark = page.locator('html.dark');
			await dark.waitFor({ state: theme === 'dark' ? 'attached' : 'detached' });
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
