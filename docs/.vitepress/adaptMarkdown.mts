import { relative } from 'node:path';
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

import { resolveLink, ROOT } from './pages.mts';

/** Addresses that do not begin at the folder of the page. */
const ABSOLUTE = /^([a-z]+:|#|\/)/i;

/**
 * Adapts pages that are written for GitHub to the site. Their links, which lead from file to file, lead to
 * pages of the site and to the repository; a download begins at once. Pictures in HTML get addresses that
 * Vite takes for files.
 *
 * @param repository its address
 * @param base of the site's addresses
 */
export function adaptMarkdown(markdown: MarkdownRenderer, repository: string, base: string): void {
	markdown.core.ruler.after('inline', 'adapt-markdown', ({ tokens, env }) => {
		const { path, realPath = path } = env as MarkdownEnv;
		const from = relative(ROOT, realPath);
		tokens.forEach((token, index) => {
			// A heading of a column without a text heads nothing.
			const close = tokens[index + 2];
			if (token.type !== 'th_open' || tokens[index + 1]?.content !== '' || !close) return;
			token.tag = 'td';
			close.tag = 'td';
		});
		for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
			// Expressions of n8n look like those of Vue.
			if (token.type === 'code_inline') token.attrSet('v-pre', '');
			if (token.type.startsWith('html_')) {
				token.content = token.content.replaceAll(/ (src|srcset)="(?=\w)(?!https?:)/g, ' $1="./');
			}
			const href = token.attrGet('href');
			if (href === null || ABSOLUTE.test(href)) continue;
			const resolved = resolveLink(from, href, repository);
			token.attrSet('href', resolved);
			if (!resolved.startsWith('/examples/')) continue;
			// VitePress puts the base in front of all links but downloads.
			token.attrSet('href', base + resolved.slice(1));
			token.attrSet('download', '');
		}
	});
}
