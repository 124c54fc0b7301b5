import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../support/package.mts';

/** The page that tells users how to run n8n on several machines; what it says is what is tested. */
const PAGE = 'docs/scaling.md';

const SECTION =
	/^### (?<title>[^:\n]+)(?:: `(?<command>[^`]+)`)?\n(?<text>[^]*?)(?=^###? |$(?![^]))/gm;
const SETTINGS = /^```ini\n(?<lines>[^]*?)^```$/m;
const FILE = /^```haproxy\n(?<text>[^]*?)^```$/m;

/** What the page says of one kind of process. */
interface Section {
	/** the program and its arguments */
	command: string[];
	/** name and value of each setting; what the reader has to fill in stands in angle brackets */
	settings: Array<[name: string, value: string]>;
	/** the content of the code block that is no list of settings */
	file: string;
}

const page = readSections(readFileSync(join(root, PAGE), 'utf8'));

/** The command line that the page gives for a kind of process. */
export function commandOf(title: string): string[] {
	return section(title).command;
}

/**
 * The settings that the page gives for a kind of process.
 *
 * @param title the section's title: "Worker"
 * @param own what the page leaves to the reader, by the settings' names
 * @throws Error where the page leaves something else to the reader than `own` fills in
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
			`${PAGE}, ${title}: nobody fills in ${missing.join(', ') || 'nothing'}; not left open: ${unknown.join(', ') || 'nothing'}.`,
		);
	}
	return { ...Object.fromEntries(settings), ...own };
}

/**
 * The file that the page gives in a section.
 *
 * @param own what stands in place of what the page leaves to the reader
 * @throws Error where the page leaves something else to the reader than `own` fills in
 */
export function fileOf(title: string, own: Record<string, string>): string {
	const filled = Object.entries(own).reduce((text, [open, value]) => {
		if (!text.includes(open)) throw new Error(`${PAGE}, ${title}: there is no ${open}.`);
		return text.replace(open, value);
	}, section(title).file);
	const [left] = /<[^>\n]+>/.exec(filled) ?? [];
	if (left !== undefined) throw new Error(`${PAGE}, ${title}: nobody fills in ${left}.`);
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

/** `NAME=value`, or `name value` as Redis and PostgreSQL write it; `#` begins a comment. */
function readSettings(lines: string): Array<[string, string]> {
	return lines
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => {
			const [, name = '', value = ''] = /^(\S+?)(?: *= *| +)(.*)$/.exec(line) ?? [];
			return [name, value];
		});
}
