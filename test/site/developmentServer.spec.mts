import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';

import { test, waitForScripts } from './sitePage.mts';

test('npm run docs opens the site on this machine', async ({ page, site }) => {
	await page.goto('/gallery.html');
	await waitForScripts(page);
	await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
	await site.assertFits();
	const printed = await readFile(process.env.DOCS_LOG ?? '', 'utf8');
	expect(printed).toContain('http://127.0.0.1');
	expect(printed).not.toMatch(/error|could not be resolved|^ +at /im);
});
