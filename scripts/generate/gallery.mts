import { join, relative } from 'node:path';
import { USE_CASES, type ExamplePage } from '../../host/n8n/examplePages.mts';
import { anchorOf, row, table } from './markdown.mts';

const HEADER = '<!-- Generated from examples/*.md by `npm run generate`, do not edit. -->';

const INTRODUCTION = `# Gallery

Workflows to copy. A test runs each one from its start to what arrives at the service, and \`npm start\` has all of them, ready to use with the sandbox.

1. Download the workflow: on GitHub, click *Download raw file*. In n8n, click *Create workflow*, open the menu with the three dots at the top right, and choose *Import from File*. You can also copy the text of the file, and press Ctrl+V (Cmd+V on a Mac) in an empty workflow.
2. Choose your credential in the nodes that need one.
3. Change what is listed under *What to fill in*. The note in the workflow says the same. You find the tables in n8n under *Overview*, *Data tables*.
4. If the note mentions *Set up once*, run that first: point at the node and click *Execute workflow* beside it. Then click *Publish*. Workflows that begin with *Start by hand* run with *Execute workflow*.

Outside the sandbox, the workflows call people, which costs money.`;

/** Gives the pages of the examples in the order of the gallery. */
export function byUseCase(pages: ExamplePage[]): ExamplePage[] {
	return USE_CASES.flatMap((useCase) => pages.filter((page) => page.useCase === useCase));
}

/** The table of the README. The first example of a use case names it. */
export function galleryTable(entries: ExamplePage[]): string {
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

function picture({ slug, title }: ExamplePage): string {
	return [
		'<picture>',
		`\t<source media="(prefers-color-scheme: dark)" srcset="images/${slug}-dark.png">`,
		`\t<img loading="lazy" alt="The workflow in n8n: ${title}" src="images/${slug}-light.png">`,
		'</picture>',
	].join('\n');
}

function section(entry: ExamplePage): string {
	const { slug, title, summary, costs, needs, body } = entry;
	return [
		`### ${title}`,
		summary,
		picture(entry),
		`- **Costs**: ${costs}\n- **Needs**: ${needs}`,
		`[Download the workflow](../examples/${slug}.json) <CopyWorkflow file="${slug}.json" />`,
		asSection(body),
	].join('\n\n');
}

/** The page docs/gallery.md. */
export function galleryPage(entries: ExamplePage[]): string {
	const parts = USE_CASES.flatMap((useCase) => {
		const sections = entries.filter((entry) => entry.useCase === useCase).map(section);
		return sections.length > 0 ? [`## ${useCase}`, ...sections] : [];
	});
	return `${[HEADER, INTRODUCTION, ...parts].join('\n\n')}\n`;
}
