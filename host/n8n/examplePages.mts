import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { TRIGGER } from './names.mts';

export const EXAMPLES_FOLDER = join(import.meta.dirname, '../../examples');

/** What examples are for, in the order of the gallery. */
export const USE_CASES = ['Call people', 'During a call', 'After a call', 'Keep order'] as const;
export type UseCase = (typeof USE_CASES)[number];

/** Another task, for which the workflow needs a few changes. The page has them under this title. */
const variant = z
	.object({
		title: z.string().min(1),
		/** one sentence */
		summary: z.string().min(1),
		/** that of the page if left out */
		useCase: z.enum(USE_CASES).optional(),
	})
	.strict();

const frontMatter = z
	.object({
		title: z.string().min(1),
		/** one sentence */
		summary: z.string().min(1),
		useCase: z.enum(USE_CASES),
		costs: z.string().min(1),
		/** besides this package */
		needs: z.string().min(1),
		variants: z.array(variant).default([]),
	})
	.strict();

/** What `examples/<slug>.md` says about the workflow `examples/<slug>.json`. */
export interface ExamplePage extends z.infer<typeof frontMatter> {
	slug: string;
	/** Markdown, with links from the folder examples/ */
	body: string;
	/** Whether it has the Trigger, of which an assistant can have one. */
	hasTrigger: boolean;
}

/**
 * Reads the pages of all examples, by slug.
 *
 * @throws Error when the front matter of a page is missing or wrong, or its workflow or the text about a
 * variant is missing
 */
export function readExamplePages(folder = EXAMPLES_FOLDER): ExamplePage[] {
	return globSync('*.md', { cwd: folder, exclude: ['README.md'] })
		.sort()
		.map((file) => readPage(folder, file));
}

function readPage(folder: string, file: string): ExamplePage {
	const [, head, body] =
		/^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
	const page = `examples/${file}`;
	if (head === undefined || body === undefined) throw new Error(`${page} has no front matter.`);
	const { data, error } = frontMatter.safeParse(parse(head));
	if (error) throw new Error(`The front matter of ${page} is wrong: ${error.message}`);
	for (const { title } of data.variants) {
		if (!body.includes(`\n**${title}**\n`))
			throw new Error(`${page} has no text about "${title}".`);
	}
	const slug = basename(file, '.md');
	const workflow = join(folder, `${slug}.json`);
	if (!existsSync(workflow)) throw new Error(`${page} has no workflow beside it.`);
	const hasTrigger = readFileSync(workflow, 'utf8').includes(`"${TRIGGER}"`);
	return { ...data, slug, body: body.trim(), hasTrigger };
}
