import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../support/package.mts';

/** The suite runs n8n with the settings of this page, so that the page is tested. */
const PAGE = 'docs/scaling.md';

/** Of databases that listen on the loopback address only. */
export const PASSWORD = 'only-for-this-test';

const SECTION =
	/^### (?<title>[^:\n]+)(?:: `(?<command>[^`]+)`)?\n(?<text>[^]*?)(?=^###? |$(?![^]))/gm;

const page = new Map(
	[...readFileSync(join(root, PAGE), 'utf8').matchAll(SECTION)].map(({ groups = {} }) => [
		groups.title,
		{ command: groups.command ?? '', text: groups.text ?? '' },
	]),
);

/** Values for texts of the page in angle brackets, and what is replaced together with them. */
type Values = Record<string, string>;

/** The program and the arguments of a kind of process. */
export const getCommand = (title: string): string[] => section(title).command.split(' ');

/**
 * The settings of a kind of process: `NAME=value`, or `name value` for Redis; `#` starts a comment.
 *
 * @param title the section's title: "Worker"
 * @throws Error when a value is missing, or is for no text of the section
 */
export function readSettings(title: string, values: Values = {}): Record<string, string> {
	const lines = block(title, values)
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'));
	return Object.fromEntries(
		lines.map((line) => {
			const [, name = '', value = ''] = /^(\S+?)(?: *= *| +)(.*)$/.exec(line) ?? [];
			return [name, value];
		}),
	);
}

function block(title: string, values: Values): string {
	const [, text = ''] = /^```ini\n([^]*?)^```$/m.exec(section(title).text) ?? [];
	const filled = Object.entries(values).reduce((result, [open, value]) => {
		if (!result.includes(open)) throw new Error(`${PAGE}, ${title}: there is no ${open}.`);
		return result.replaceAll(open, value);
	}, text);
	const [left] = /<[^>\n]+>/.exec(filled) ?? [];
	if (left !== undefined) throw new Error(`${PAGE}, ${title}: no value for ${left}.`);
	return filled;
}

function section(title: string) {
	const found = page.get(title);
	if (found === undefined) throw new Error(`${PAGE} has no section "${title}".`);
	return found;
}
