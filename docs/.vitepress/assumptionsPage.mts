import { parse } from 'yaml';
import { z } from 'zod';

const assumptions = z.record(
	z.string(),
	z.object({
		open: z.string(),
		assumed: z.string(),
		value: z.unknown(),
		why: z.string(),
		override: z.string(),
		check: z.enum(['read', 'refused']).optional(),
		by_hand: z.string().optional(),
		unchecked: z.string().optional(),
	}),
);

/** What it takes to find out how an account behaves. */
const HOW_CHECKED = {
	read: 'by requests that only read',
	refused: 'by requests that are refused',
};

const HEADER = `---
outline: 2
---

# What is assumed of the service

The description of the service leaves these questions open. This page says what the package and the sandbox assume instead, why, and how you can change it.`;

/** Text of the file as Markdown: in code, tags are no HTML. */
const asMarkdown = (text: string): string =>
	text
		.split(/(`[^`]*`)/)
		.map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
		.join('')
		.trim();

type Assumption = z.infer<typeof assumptions>[string];

function entry([key, assumption]: [string, Assumption]): string {
	const { open, assumed, value, why, override, check, by_hand, unchecked } = assumption;
	const lines = [
		`- **Open**: ${asMarkdown(open)}`,
		`- **Assumed**: ${asMarkdown(assumed)}`,
		...(value === undefined || value === null ? [] : [`- **Value**: \`${JSON.stringify(value)}\``]),
		`- **Why**: ${asMarkdown(why)}`,
		`- **To change it**: ${asMarkdown(override)}`,
		...(check === undefined ? [] : [`- **Can be checked**: ${HOW_CHECKED[check]}`]),
		...(by_hand === undefined ? [] : [`- **To see it by hand**: ${asMarkdown(by_hand)}`]),
		...(unchecked === undefined ? [] : [`- **Cannot be checked**: ${asMarkdown(unchecked)}`]),
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
