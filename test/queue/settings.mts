import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../support/package.mts';

/** The suite runs n8n with the settings of this page, so that the page is tested. */
const PAGE = 'docs/scaling.md';

const SECTION =
	/^### (?<title>[^:\n]+)(?:: `(?<command>[^`]+)`)?\n(?<text>[^]*?)(?=^###? |$(?![^]))/gm;
const SETTINGS = /^```ini\n(?<lines>[^]*?)^```$/m;
const FILE = /^```haproxy\n(?<text>[^]*?)^```$/m;

/** The section about one kind of process. */
interface Section {
	/** the program and its arguments */
	command: string[];
	/** names and values; the reader replaces values in angle brackets */
	settings: Array<[name: string, value: string]>;
	/** the configuration file in the section */
	file: string;
}

const page = readSections(readFileSync(join(root, PAGE), 'utf8'));

/** The command line for a kind of process. */
export function commandOf(title: string): string[] {
	return section(title).command;
}

/**
 * The settings for a kind of process.
 *
 * @param title the section's title: "Worker"
 * @param own values for the settings with angle brackets
 * @throws Error when `own` names other settings than the page
 */
export function settingsOf(
	title: string,
	own: Record<string, string> = {},
): Record<string, string> {
	const { settings } = section(title);
	const open = settings.filter(([, value]) => value.includes('<')).map(([name]) => name);
	const missing = open.filter((name) => !(name in own));
	const unknown = Object.keys(own).filter((name) => !open.includes(name));
	if (missing.length > 0 || unknown.length > 0) {
		throw new Error(
			`${PAGE}, ${title}: no value for ${missing.join(', ') || 'nothing'}; not open in the page: ${unknown.join(', ') || 'nothing'}.`,
		);
	}
	return { ...Object.fromEntries(settings), ...own };
}

/**
 * The configuration file in a section.
 *
 * @param own replacements for the texts with angle brackets
 * @throws Error when `own` has other texts than the page
 */
export function fileOf(title: string, own: Record<string, string>): string {
	const filled = Object.entries(own).reduce((text, [open, value]) => {
		if (!text.includes(open)) throw new Error(`${PAGE}, ${title}: there is no ${open}.`);
		return text.replace(open, value);
	}, section(title).file);
	const [left] = /<[^>\n]+>/.exec(filled) ?? [];
	if (left !== undefined) throw new Error(`${PAGE}, ${title}: no value for ${left}.`);
	return filled;
}

function section(title: string): Section {
	const found = page.get(title);
	if (found === undefined) throw new Error(`${PAGE} has no section "${title}".`);
	return found;
}

function readSections(text: string): Map<string, Section> {
	return new Map(
		[...text.matchAll(SECTION)].map(({ groups = {} }) => {
			const { title = '', command = '', text = '' } = groups;
			const settings = readSettings(SETTINGS.exec(text)?.groups?.lines ?? '');
			const file = FILE.exec(text)?.groups?.text ?? '';
			return [title, { command: command.split(' '), settings, file }];
		}),
	);
}

/** `NAME=value`, or `name value` for Redis and PostgreSQL; `#` starts a comment. */
function readSettings(lines: string): Array<[string, string]> {
	return lines
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => {
			const [, name = '', value = ''] = /^(\S+?)(?: *= *| +)(.*)$/.exec(line) ?? [];
			return [name, value];
		});
}
