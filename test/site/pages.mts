import { globSync } from 'node:fs';
import { join } from 'node:path';

import { rewrites, ROOT } from '../../docs/.vitepress/pages.mts';

/** Where the site is built. */
export const SITE = join(ROOT, '.data/site');

const docs = globSync('**/*.md', { cwd: join(ROOT, 'docs') });
const others = Object.values(rewrites).filter((page) => !page.startsWith(':'));

/** The files of the site's pages, such as "triggers.html". */
export const pages = [...docs, ...others].map((page) => page.replace(/\.md$/, '.html')).sort();
