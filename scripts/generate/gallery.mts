import { join, relative } from 'node:path';
import { USE_CASES, type ExamplePage, type UseCase } from '../../host/n8n/examplePages.mts';
import { toAnchor, row, table } from './markdown.mts';

const HEADER = '<!-- Generated from examples/*.md by `npm run generate`, do not edit. -->';

const INTRODUCTION = `# Gallery

Workflows to copy. A test runs each one from its start to what arrives at the service, and \`npm start\` has all of them, ready to use with the sandbox.

1. <CopyStep>Download the workflow: on GitHub, click *Download raw file*. In n8n, click *Create workflow*, open the menu with the three dots beside its name, and choose *Import*, *From file* (in older versions of n8n, *Import from File…*). You can also copy the text of the file, and press Ctrl+V (Cmd+V on a Mac) in an empty workflow.</CopyStep>
2. Choose your credential in the nodes that need one.
3. Change what is listed under *What to fill in*. The note in the workflow says the same. You find the tables in n8n under *Overview*, *Data tables*.
4. If the note mentions *Set up once*, run that first: point at the node and click *Execute workflow* beside it (\`npm start\` has run it). Then click *Publish*. Workflows that begin with *Start by hand* run with *Execute workflow*.

The campaigns and assistants in the workflows are those of the sandbox. Your own campaigns are made at your provider. Outside the sandbox, the workflows call people, which costs money.

Workflows that add people leave out whose number is in the Data Table *Do not call*, however it is written. Those that hear how a call ended also put whoever wants no more calls into it (*Wants no more calls?*, *List the number*), so that needs no second Trigger: your assistant finds it out with \`wants_no_calls\`, of the type *True or False*, in its *Post Call Schema*. Delete the row, and the person can be called again. [Compliance](compliance.md#do-not-call) says how your own workflows do the same.`;

/** Each workflow with the Trigger says it, because a second Trigger on the same assistant is refused. */
const ONE_TRIGGER =
	'**Another workflow has this assistant already?** An assistant tells one Trigger only. Start both from one Trigger, as [Several workflows after one call](#several-workflows-after-one-call) does. In a workflow that works with several items, a [Poll Trigger](triggers.md#several-workflows-on-one-assistant) can replace the Trigger.';

const CHANGES =
	'A few changes of another workflow, which its part of this page lists, are enough for:';

/** Gives the pages of the examples in the order of the gallery. */
export function byUseCase(pages: ExamplePage[]): ExamplePage[] {
	return USE_CASES.flatMap((useCase) => pages.filter((page) => page.useCase === useCase));
}

/** What workflows of the gallery become with a few changes, for one use case. */
const variantsFor = (useCase: UseCase, entries: ExamplePage[]) =>
	entries.flatMap((of) =>
		of.variants
			.filter((variant) => (variant.useCase ?? of.useCase) === useCase)
			.map(({ title, summary }) => ({ title, summary, of })),
	);

/** The table of the README: the names by use case. What each one does is in docs/gallery.md, with a picture. */
export function galleryTable(entries: ExamplePage[]): string {
	const link = ({ title }: ExamplePage) => `[${title}](docs/gallery.md#${toAnchor(title)})`;
	const rows = USE_CASES.map((useCase) =>
		row(
			useCase,
			entries
				.filter((entry) => entry.useCase === useCase)
				.map(link)
				.join(' · '),
		),
	);
	return table(['For', 'Workflows'], rows);
}

/** The list of examples/README.md: all titles, by use case. */
export function galleryList(entries: ExamplePage[]): string {
	const page = '../docs/gallery.md';
	return USE_CASES.map((useCase) => {
		const items = [
			...entries
				.filter((entry) => entry.useCase === useCase)
				.map(({ title, summary }) => `- [${title}](${page}#${toAnchor(title)}): ${summary}`),
			...variantsFor(useCase, entries).map(
				({ title, summary, of }) => `- ${title}: ${summary} It is ${changeOf(of, page)}.`,
			),
		];
		return `**${useCase}**\n\n${items.join('\n')}`;
	}).join('\n\n');
}

/** @param page of the gallery, as seen from the text; empty for the gallery itself */
const changeOf = ({ title }: ExamplePage, page: string): string =>
	`a change of [${title}](${page}#${toAnchor(title)})`;

/**
 * The text of an example as a part of docs/gallery.md. Links begin in that folder, and headings are bold
 * text, because they would interrupt the list of workflows.
 */
const asSection = (body: string): string =>
	body
		.replaceAll(/(?<=\]\()(?![a-z]+:|#)[^)]+/g, (to) => relative('docs', join('examples', to)))
		.replaceAll(/^#+ (.+)$/gm, '**$1**');

/** The picture of an example, on one line. */
function picture({ slug, title }: ExamplePage): string {
	const file = (theme: string) => `images/${slug}-${theme}.png`;
	return `<picture><source media="(prefers-color-scheme: dark)" srcset="${file('dark')}"><img loading="lazy" alt="The workflow in n8n: ${title}" src="${file('light')}"></picture>`;
}

function section(entry: ExamplePage): string {
	const { slug, title, summary, costs, needs, body, hasTrigger } = entry;
	return [
		`### ${title}`,
		summary,
		picture(entry),
		`- **Costs**: ${costs}\n- **Needs**: ${needs}`,
		`[Download the workflow](../examples/${slug}.json) <CopyWorkflow file="${slug}.json" />`,
		asSection(body),
		...(hasTrigger ? [ONE_TRIGGER] : []),
	].join('\n\n');
}

/** The page docs/gallery.md. */
export function galleryPage(entries: ExamplePage[]): string {
	const parts = USE_CASES.flatMap((useCase) => {
		const sections = entries.filter((entry) => entry.useCase === useCase).map(section);
		const variants = variantsFor(useCase, entries).map(
			({ title, summary, of }) => `- **${title}**: ${summary} It is ${changeOf(of, '')}.`,
		);
		const list = variants.length > 0 ? [`${CHANGES}\n\n${variants.join('\n')}`] : [];
		return sections.length > 0 ? [`## ${useCase}`, ...list, ...sections] : [];
	});
	return `${[HEADER, INTRODUCTION, ...parts].join('\n\n')}\n`;
}
