import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';

/** A file is no YAML. The message is one line: the file, where in it, and what is wrong. */
export class YamlMistake extends Error {}

/**
 * Refuses a file that is no YAML, before others read it: they print much more, and the mistake somewhere in it.
 *
 * @param path in the folder of the package
 * @throws {YamlMistake} for the first mistake
 */
export async function requireYaml(root: string, path: string): Promise<void> {
	const lines = new LineCounter();
	const text = await readFile(join(root, path), 'utf8');
	const [mistake] = parseDocument(text, { lineCounter: lines, prettyErrors: false }).errors;
	if (mistake === undefined) return;
	const { line, col } = lines.linePos(mistake.pos[0]);
	throw new YamlMistake(`${path}:${line}:${col}: ${mistake.message}`);
}
