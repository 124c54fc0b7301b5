import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

/** The rules of accessibility, as a script for a page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA, and what else axe calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
	violations: Array<{ id: string; help: string; nodes: Array<{ html: string }> }>;
}

/**
 * Expects that nothing on a page keeps somebody out.
 *
 * @param notOurs rules that a page which others have written does not keep
 */
export async function assertAccessible(page: Page, notOurs: string[] = []): Promise<void> {
	await page.evaluate(AXE);
	// What the head of the page covers has no size.
	await page.evaluate('scrollTo(0, 0)');
	const options = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'] });
	const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${options})`);
	const found = violations
		.filter(({ id }) => !notOurs.includes(id))
		.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join('\n  ')}`);
	expect(found, page.url()).toEqual([]);
}
