import { parse } from 'yaml';
import { z } from 'zod';

const assumptions = z.record(
	z.string(),
	z.object({
		open: z.string(),
		assumed: z.string(),
		value: z.unknown(),
		source: z.enum(['documented', 'assumed']),
		why: z.string(),
		override: z.string().optional(),
	}),
);

const HEADER = `---
outline: 2
---

# What is assumed of the service

The description of the service leaves these questions open. This page says what the package and the sandbox assume instead, and why. What is *documented elsewhere* is in other public documents of the service, or in public code. A value is changed with \`--assume <key>=<JSON>\`.`;

/** Text of the file as Markdown: in code, tags are no HTML. */
const asMarkdown = (text: string): string =>
	text
		.split(/(`[^`]*`)/)
		.map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
		.join('')
		.trim();

type Assumption = z.infer<typeof assumptions>[string];

function entry([key, assumption]: [string, Assumption]): string {
	const { open, assumed, value, source, why, override } = assumption;
	const lines = [
		`- **Open**: ${asMarkdown(open)}`,
		`- **${source === 'documented' ? 'Documented elsewhere' : 'Assumed'}**: ${asMarkdown(assumed)}`,
		...(value === undefined || value === null ? [] : [`- **Value**: \`${JSON.stringify(value)}\``]),
		`- **Why**: ${asMarkdown(why)}`,
		...(override === undefined ? [] : [`- **To change it**: ${asMarkdown(override)}`]),
	];
	return `### ${key}\n\n${lines.join('\n')}`;
}

/**
 * The page *What is assumed* of the site, which git does not hold.
 *
 * @param text of contract/assumptions.yaml, whose comments `# --- title ---` begin the parts of the page
 */
export function assumptionsPage(text: string): string {
	const [, ...parts] = text.split(/^# --- (.+?) -+$/m);
	const titles = parts.filter((_, index) => index % 2 === 0);
	const bodies = parts.filter((_, index) => index % 2 === 1);
	const sections = titles.flatMap((title, index) => [
		`## ${title}`,
		...Object.entries(assumptions.parse(parse(bodies[index] ?? ''))).map(entry),
	]);
	return `${[HEADER, ...sections].join('\n\n')}\n`;
}
