import { globSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { execa } from 'execa';

import { ROOT } from '../../docs/.vitepress/pages.mts';
import { pages, SITE } from './pages.mts';

test('the site is built, and no link is dead', async () => {
	await execa('npm', ['run', 'docs:build'], { cwd: ROOT });
	expect(globSync('**/*.html', { cwd: SITE, exclude: ['404.html'] }).sort()).toEqual(pages);
});
