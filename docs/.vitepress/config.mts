import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { z } from 'zod';

import { toAnchor } from '../../scripts/generate/markdown.mts';
import { adaptMarkdown } from './adaptMarkdown.mts';
import { deadLinks } from './deadLinks.mts';
import { excludedPages, rewrites, ROOT, sidebar } from './pages.mts';
import { patchTheme } from './patchTheme.mts';

const { homepage, description } = z
	.object({ homepage: z.string(), description: z.string() })
	.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
/** A file of icons/, as an address. */
const icon = (name: string): string =>
	`data:image/svg+xml,${encodeURIComponent(readFileSync(join(ROOT, 'icons', name), 'utf8'))}`;
const logo = {
	light: icon('voiceAssistantCalling.svg'),
	dark: icon('voiceAssistantCalling.dark.svg'),
};
/** From Simple Icons 16 (CC0). */
const github = readFileSync(join(import.meta.dirname, 'theme/github.svg'), 'utf8');
const repository = homepage.replace(/#.*$/, '');
/** Where the site is on its server; GitHub Pages has it in a folder. */
const { SITE_BASE: base = '/' } = process.env;

export default defineConfig({
	title: 'Voice Assistant Calling for n8n',
	description,
	lang: 'en',
	base,
	head: [['link', { rel: 'icon', href: logo.light }]],
	// The whole checkout, because pages show files beside docs/.
	srcDir: '..',
	srcExclude: excludedPages,
	rewrites,
	outDir: '../.data/site',
	cacheDir: '../node_modules/.cache/vitepress',
	// Pictures follow the system, so the page does too.
	appearance: 'force-auto',
	markdown: {
		// Of those of GitHub, what everybody can read.
		theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
		anchor: { slugify: toAnchor },
		config: (markdown) => adaptMarkdown(markdown, repository, base),
	},
	themeConfig: {
		logo,
		// A phone has room for this.
		siteTitle: 'Voice Assistant Calling',
		nav: [
			{ text: 'Gallery', link: '/gallery' },
			{ text: 'Install', link: '/install' },
			{ text: 'Reference', link: '/reference' },
		],
		sidebar,
		outline: [2, 3],
		search: {
			provider: 'local',
			options: {
				miniSearch: {
					searchOptions: {
						boost: { title: 4, text: 2, titles: 1 },
						// VitePress sends the text of these functions to the browser, so they use nothing from outside.
						// A short word is meant as it is written: "not" is not "now", and "do" is not "download".
						fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
						prefix: (term: string) => term.length > 2,
						boostDocument(address: string, term: string, section?: Record<string, unknown>) {
							if (/\/(decisions\/|assumptions|architecture|contributing|releasing)/.test(address)) {
								return 0.1;
							}
							if (!/\/(sandbox|control-the|performance|checked-with)/.test(address)) return 1;
							// What is about the sandbox comes first only where a heading says the word.
							const headings = [section?.titles, section?.title].flat().join(' ').toLowerCase();
							return headings.includes(term) ? 1 : 0.1;
						},
					},
				},
			},
		},
		// By its name, the theme loads it from the internet while somebody writes.
		socialLinks: [{ icon: { svg: github }, link: repository, ariaLabel: 'GitHub' }],
	},
	vite: {
		plugins: [patchTheme()],
		server: { watch: { ignored: ['**/.data/**', '**/dist/**', '**/host/**'] } },
		// Without it, Vite looks for entries in every page of the checkout, such as the sandbox's inspector.
		optimizeDeps: { entries: ['docs/.vitepress/theme/index.mts'] },
	},
	buildEnd({ outDir }) {
		const examples = join(ROOT, 'examples');
		cpSync(examples, join(outDir, 'examples'), {
			recursive: true,
			filter: (source) => source === examples || source.endsWith('.json'),
		});
		const dead = deadLinks(outDir, base);
		if (dead.length > 0) throw new Error(`Dead links:\n${dead.join('\n')}`);
	},
});
