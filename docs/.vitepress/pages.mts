import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { assumptionsPage } from './assumptionsPage.mts';

/** The checkout. */
export const ROOT = join(import.meta.dirname, '../..');

const ASSUMPTIONS = 'contract/assumptions.yaml';
const ASSUMPTIONS_PAGE = 'docs/assumptions.md';

/** The pages that are not in docs/, with their names. */
const OTHER_PAGES: Record<string, string> = {
	'CONTRIBUTING.md': 'contributing',
	'sandbox/README.md': 'sandbox',
	'sandbox/control.md': 'control-the-sandbox',
};

/** Where the pages are, as VitePress wants it. */
export const rewrites = {
	'docs/:path(.*)': ':path',
	...Object.fromEntries(Object.entries(OTHER_PAGES).map(([file, name]) => [file, `${name}.md`])),
};

/** Markdown files that are no pages. */
export const excludedPages = [
	'!(CONTRIBUTING).md',
	'!(docs|sandbox)/**/*.md',
	'sandbox/src/**/*.md',
];

/** Files that a page shows, though they are no pages themselves. */
const SHOWN_BY: Record<string, string> = {
	[ASSUMPTIONS]: ASSUMPTIONS_PAGE,
	'examples/README.md': 'docs/gallery.md',
};

// Only the site needs this page. On GitHub, the links lead to the file itself.
writeFileSync(
	join(ROOT, ASSUMPTIONS_PAGE),
	assumptionsPage(readFileSync(join(ROOT, ASSUMPTIONS), 'utf8')),
);

const GROUPS: Record<string, string[]> = {
	Start: ['docs/install.md', 'docs/gallery.md', 'docs/troubleshooting.md'],
	'Use the nodes': [
		'docs/credential.md',
		'docs/actions.md',
		'docs/triggers.md',
		'docs/calls.md',
		'docs/agents.md',
		'docs/mcp.md',
		'docs/agencies.md',
		'docs/reference.md',
	],
	'In production': [
		'docs/reliability.md',
		'docs/monitoring.md',
		'docs/backup.md',
		'docs/scaling.md',
		'docs/performance.md',
		'docs/compliance.md',
		'docs/n8n-3.md',
	],
	'The service': [
		'sandbox/README.md',
		'sandbox/control.md',
		ASSUMPTIONS_PAGE,
		'docs/check-your-provider.md',
		'docs/checked-with.md',
	],
	'Work on it': ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/n8n.md', 'docs/releasing.md'],
	Decisions: globSync('docs/decisions/*.md', { cwd: ROOT }).sort(),
};

/** The address of a page. @param file from the checkout's folder */
function toAddress(file: string): string | undefined {
	const name = OTHER_PAGES[file] ?? /^docs\/(.*)\.md$/.exec(file)?.[1];
	return name && `/${name}`;
}

function getTitle(file: string): string {
	const title = /^# (.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1];
	if (title === undefined) throw new Error(`${file} has no heading`);
	return title;
}

/** The pages by group, with their own titles. */
export const sidebar = Object.entries(GROUPS).map(([text, files]) => ({
	text,
	...(text === 'Decisions' && { collapsed: true }),
	items: files.map((file) => ({ text: getTitle(file), link: toAddress(file) })),
}));

/**
 * Where a link of a page leads on the site: to a page, to an example, or to a file of the repository.
 *
 * @param from the page, from the checkout's folder
 * @param href as the page has it, relative
 * @param repository its address
 * @throws when it leads to a file that does not exist
 */
export function resolveLink(from: string, href: string, repository: string): string {
	const [path = '', hash] = href.split('#');
	const target = posix.join(posix.dirname(from), path).replace(/\/$/, '');
	if (!existsSync(join(ROOT, target))) {
		throw new Error(`${from} links to ${href}, which does not exist`);
	}
	const anchor = hash === undefined ? '' : `#${hash}`;
	const address = toAddress(SHOWN_BY[target] ?? target);
	if (address !== undefined) return `${address.replace(/^\/index$/, '/')}${anchor}`;
	if (/^examples\/.*\.json$/.test(target)) return `/${target}`;
	const kind = statSync(join(ROOT, target)).isDirectory() ? 'tree' : 'blob';
	return `${repository}/${kind}/main/${target}${anchor}`;
}
