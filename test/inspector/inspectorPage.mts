import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { BrowserContext, Locator, Page } from 'playwright-core';

import { LOOPBACK } from '../../host/process/ports.mts';
import { temporaryFolder } from '../../host/process/temporaryFolder.mts';
import { startChromium } from '../browser/chromium.mts';
import { collectConsoleErrors } from '../browser/consoleErrors.mts';
import type { Checks } from '../support/checks.mts';

/** The rules of accessibility, as a script for a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA, and what else axe calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 740 };

type Theme = 'light' | 'dark';

/** The used part of a browser's elements; the tools are compiled without these types. */
interface PageElement {
	scrollWidth: number;
	ownerDocument: {
		defaultView: { navigator: { clipboard: { readText: () => Promise<string> } } };
	};
}

interface AxeResult {
	violations: Array<{ id: string; help: string; nodes: Array<{ html: string }> }>;
}

/** The inspector in a browser. */
export interface InspectorPage {
	page: Page;
	context: BrowserContext;
	main: Locator;
	/** The entry that is opened beside a list. */
	panel: Locator;
	/**
	 * Opens a view as a link does, and waits until it is live.
	 *
	 * @param control base URL of a sandbox's control API
	 * @param hash such as "#/calls/12"
	 */
	open: (control: string, hash: string) => Promise<void>;
	useTheme: (theme: Theme) => Promise<void>;
	useScreen: (screen: 'desktop' | 'phone') => Promise<void>;
	/** @throws AssertionError when one has to scroll sideways */
	assertFits: () => Promise<void>;
	/** @throws AssertionError that names what keeps somebody out */
	assertAccessible: () => Promise<void>;
	/** @throws AssertionError when the browser reported other errors than the expected ones */
	assertQuiet: (...expected: RegExp[]) => void;
	/** What was copied last. */
	clipboard: () => Promise<string>;
}

/** Starts a browser. */
export async function startInspectorPage(
	{ cleanup }: Pick<Checks, 'cleanup'>,
	chromium: string,
): Promise<InspectorPage> {
	const context = await cleanup.use(
		startChromium(chromium, await temporaryFolder('chromium', cleanup)),
	);
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const page = context.pages()[0] ?? (await context.newPage());
	await page.setViewportSize(DESKTOP);
	const consoleErrors = collectConsoleErrors(page, `http://${LOOPBACK}`);
	const main = page.getByRole('main');
	return {
		page,
		context,
		main,
		panel: main.locator('.panel'),
		async open(control, hash) {
			// Another hash alone would not load the page.
			await page.goto('about:blank');
			await page.goto(`${control}/${hash}`);
			await page.getByText('Live', { exact: true }).waitFor();
			await main.getByRole('heading', { level: 1 }).waitFor();
		},
		useTheme: async (theme) => await page.emulateMedia({ colorScheme: theme }),
		useScreen: async (screen) => await page.setViewportSize(screen === 'phone' ? PHONE : DESKTOP),
		async assertFits() {
			const width = await page.locator('html').evaluate((html: PageElement) => html.scrollWidth);
			assert.equal(width, page.viewportSize()?.width, 'The page is wider than the screen.');
		},
		async assertAccessible() {
			await page.evaluate(AXE);
			const options = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'] });
			const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${options})`);
			const found = violations.map(
				({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join('\n  ')}`,
			);
			assert.deepEqual(found, [], page.url());
		},
		assertQuiet: (...expected) => consoleErrors.assertNone(...expected),
		async clipboard() {
			return await page.locator('html').evaluate(async (html: PageElement) => {
				return await html.ownerDocument.defaultView.navigator.clipboard.readText();
			});
		},
	};
}
