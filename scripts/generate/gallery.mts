import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { anchorOf, row, table } from './markdown.mts';

/** The parts of the gallery, in their order. */
const USE_CASES = [
	'Call people',
	'Follow up',
	'During a call',
	'After a call',
	'Keep order',
] as const;

const frontMatter = z
	.object({
		title: z.string().min(1),
		/** one sentence */
		summary: z.string().min(1),
		useCase: z.enum(USE_CASES),
		costs: z.string().min(1),
		/** besides this package */
		needs: z.string().min(1),
	})
	.strict();

/** An example as its page (`examples/<slug>.md`) describes it. */
export interface GalleryEntry extends z.infer<typeof frontMatter> {
	slug: string;
	/** Markdown, with links from the folder examples/ */
	body: string;
	/** whether docs/images/ has `<slug>-light.png` */
	hasPicture: boolean;
}

const HEADER = '<!-- Generated from examples/*.md by `npm run generate`, do not edit. -->';

const INTRODUCTION = `# Gallery

Workflows to copy. A test runs each one from its start to what arrives at the service, and \`npm start\` has all of them, ready to use with the sandbox.

1. Download the workflow. In n8n, click *Create workflow*, open the menu with the three dots at the top right, and choose *Import from File*. You can also copy the text of the file, and press Ctrl+V in an empty workflow.
2. Choose your credential in the nodes that need one.
3. Change what is listed under *What to fill in*. The note in the workflow says the same.

Outside the sandbox, the workflows call people, which costs money.`;

function readEntry(root: string, file: string): GalleryEntry {
	const slug = basename(file, '.md');
	const [, head, body] =
		/^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(root, file), 'utf8')) ?? [];
	if (head === undefined || body === undefined) throw new Error(`${file} has no front matter`);
	const { data, error } = frontMatter.safeParse(parse(head));
	if (error) throw new Error(`The front matter of ${file} is wrong: ${error.message}`);
	if (!existsSync(join(root, 'examples', `${slug}.json`))) {
		throw new Error(`${file} has no workflow beside it`);
	}
	const hasPicture = existsSync(join(root, 'docs/images', `${slug}-light.png`));
	return { ...data, slug, body: body.trim(), hasPicture };
}

/**
 * Reads the pages of the examples, in the order of the gallery.
 *
 * @param root folder of the package
 * @throws when the front matter of a page is missing or wrong
 */
export function readGallery(root: string): GalleryEntry[] {
	const files = globSync('examples/*.md', { cwd: root, exclude: ['examples/README.md'] }).sort();
	const entries = files.map((file) => readEntry(root, file));
	return USE_CASES.flatMap((useCase) => entries.filter((entry) => entry.useCase === useCase));
}

/** The table of the README. The first example of a use case names it. */
export function galleryTable(entries: GalleryEntry[]): string {
	const rows = entries.map(({ title, summary, useCase, costs, needs }, index) => {
		const isFirst = entries[index - 1]?.useCase !== useCase;
		const link = `[${title}](docs/gallery.md#${anchorOf(title)})`;
		return row(isFirst ? useCase : '', link, summary, costs, needs);
	});
	return table(['', 'Workflow', 'What it does', 'Costs', 'Needs'], rows);
}

/**
 * The text of an example as a part of docs/gallery.md. Links begin in that folder, and headings are bold
 * text, because they would interrupt the list of workflows.
 */
const asSection = (body: string): string =>
	body
		.replaceAll(/(?<=\]\()(?![a-z]+:|#)[^)]+/g, (to) => relative('docs', join('examples', to)))
		.replaceAll(/^#+ (.+)$/gm, '**$1**');

function picture({ slug, title }: GalleryEntry): string {
	return [
		'<picture>',
		`\t<source media="(prefers-color-scheme: dark)" srcset="images/${slug}-dark.png">`,
		`\t<img loading="lazy" alt="The workflow in n8n: ${title}" src="images/${slug}-light.png">`,
		'</picture>',
	].join('\n');
}

function section(entry: GalleryEntry): string {
	const { slug, title, summary, costs, needs, body, hasPicture } = entry;
	return [
		`### ${title}`,
		summary,
		...(hasPicture ? [picture(entry)] : []),
		`- **Costs**: ${costs}\n- **Needs**: ${needs}`,
		`[Download the workflow](../examples/${slug}.json) <CopyWorkflow file="${slug}.json" />`,
		asSection(body),
	].join('\n\n');
}

/** The page docs/gallery.md. */
export function galleryPage(entries: GalleryEntry[]): string {
	const parts = USE_CASES.flatMap((useCase) => {
		const sections = entries.filter((entry) => entry.useCase === useCase).map(section);
		return sections.length > 0 ? [`## ${useCase}`, ...sections] : [];
	});
	return `${[HEADER, INTRODUCTION, ...parts].join('\n\n')}\n`;
}
