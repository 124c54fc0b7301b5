import { globSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../host/n8n/npmPack.mts';
import { runNpm } from '../../host/process/npm.mts';

const BUILD_LIMIT_MS = 240_000;

/** The site that `npm run docs:build` makes. */
export interface BuiltSite {
	/** where its files are */
	folder: string;
	/** the files of its pages */
	pages: string[];
}

/** Builds the site. @throws Error with npm's output when that fails, as it does for a dead link */
export async function buildSite(): Promise<BuiltSite> {
	const args = ['run', 'docs:build'];
	const { ok, output } = await runNpm({ folder: ROOT, args, limitMs: BUILD_LIMIT_MS });
	if (!ok) throw new Error(`The site was not built:\n${output}`);
	const folder = join(ROOT, '.data/site');
	const pages = globSync('**/*.html', { cwd: folder, exclude: ['404.html'] }).sort();
	if (pages.length === 0) throw new Error('The site has no pages.');
	return { folder, pages };
}
