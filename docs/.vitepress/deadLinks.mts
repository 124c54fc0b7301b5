import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const getIds = (html: string): Set<string> =>
	new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));

const getLinks = (html: string): string[] =>
	[...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = '']) => href);

/**
 * The links of a built site that lead to no file, or to no heading. VitePress itself looks at pages only.
 *
 * @param folder of the built site
 * @param base of the site's addresses
 * @returns a line for each
 */
export function deadLinks(folder: string, base: string): string[] {
	const files = globSync('**/*.*', { cwd: folder });
	const pages = files.filter((file) => file.endsWith('.html'));
	const html = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
	const ids = new Map([...html].map(([page, text]) => [page, getIds(text)]));

	const isDead = (page: string, href: string): boolean => {
		const site = new URL(base, 'http://site');
		const { origin, pathname, hash } = new URL(href, new URL(page, site));
		if (origin !== site.origin) return false;
		const file = decodeURI(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
		if (!files.includes(file)) return true;
		return hash !== '' && ids.get(file)?.has(decodeURIComponent(hash.slice(1))) !== true;
	};
	return [...html].flatMap(([page, text]) =>
		getLinks(text)
			.filter((href) => isDead(page, href))
			.map((href) => `${page} links to ${href}`),
	);
}
