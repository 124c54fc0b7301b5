import { relative } from 'node:path';
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

import { resolveLink, ROOT } from './pages.mts';

/**
 * Makes the links of pages, which lead from file to file, lead to the pages of the site and to the
 * repository. A download begins at once.
 *
 * @param repository its address
 */
export function rewriteLinks(markdown: MarkdownRenderer, repository: string): void {
	markdown.core.ruler.after('inline', 'repository-links', ({ tokens, env }) => {
		const { path, realPath = path } = env as MarkdownEnv;
		const from = relative(ROOT, realPath);
		for (const token of tokens.flatMap(({ children }) => children ?? [])) {
			const href = token.attrGet('href') ?? '';
			if (token.type !== 'link_open' || /^([a-z]+:|#|\/)/i.test(href)) continue;
			const resolved = resolveLink(from, href, repository);
			token.attrSet('href', resolved);
			if (resolved.endsWith('.json') && resolved.startsWith('/')) token.attrSet('download', '');
		}
	});
}
