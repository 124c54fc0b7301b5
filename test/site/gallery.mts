import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Checks } from '../support/checks.mts';
import { filesMatching, root } from '../support/package.mts';
import type { SitePage } from './sitePage.mts';

/** The gallery: how a workflow gets from the page into n8n. */
export async function gallery({ check }: Checks, phone: SitePage): Promise<void> {
	const { page, open, clipboard, assertQuiet } = phone;
	const examples = filesMatching('examples/*.json');

	await check('the gallery offers every workflow as a file', async () => {
		await open('gallery.html');
		const links = page.locator('a[download]');
		const files = await links.evaluateAll((all: Array<{ pathname: string }>) =>
			all.map(({ pathname }) => pathname.slice(1)),
		);
		assert.deepEqual([...new Set(files)].sort(), examples);
		const download = page.waitForEvent('download');
		await links.first().click();
		const file = await (await download).path();
		const name = (await links.first().getAttribute('href'))?.slice(1) ?? '';
		assert.equal(await readFile(file, 'utf8'), await readFile(join(root, name), 'utf8'));
		assertQuiet();
	});

	await check('a click copies a workflow, as n8n wants it pasted', async () => {
		await open('gallery.html');
		const button = page.locator('p', { has: page.locator(`a[href="/${examples[0]}"]`) });
		await button.getByRole('button', { name: 'Copy the workflow' }).click();
		await button.getByRole('button', { name: 'Copied' }).waitFor();
		const copied = await clipboard();
		assert.equal(copied, await readFile(join(root, examples[0] ?? ''), 'utf8'));
		assertQuiet();
	});
}
