import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';

import { filesMatching, root } from '../support/package.mts';
import { test } from './sitePage.mts';

const examples = filesMatching('examples/*.json');

test('the gallery offers every workflow as a file', async ({ page, site }) => {
	await site.open('gallery.html');
	const links = page.locator('a[download]');
	const files = await links.evaluateAll((all: Array<{ pathname: string }>) =>
		all.map(({ pathname }) => pathname.slice(1)),
	);
	expect([...new Set(files)].sort()).toEqual(examples);
	const download = page.waitForEvent('download');
	await links.first().click();
	const file = await (await download).path();
	const name = (await links.first().getAttribute('href'))?.slice(1) ?? '';
	expect(await readFile(file, 'utf8')).toBe(await readFile(join(root, name), 'utf8'));
});

test('a click copies a workflow, as n8n wants it pasted', async ({ page, site }) => {
	await site.open('gallery.html');
	await page.getByText('Click Copy the workflow at the one that you want.').waitFor();
	const button = page.locator('p', { has: page.locator(`a[href="/${examples[0]}"]`) });
	await button.getByRole('button', { name: 'Copy the workflow' }).click();
	await button.getByRole('button', { name: 'Copied' }).waitFor();
	expect(await site.clipboard()).toBe(await readFile(join(root, examples[0] ?? ''), 'utf8'));
});
