import { readFile } from 'node:fs/promises';

import {
	isAlias,
	isMap,
	isScalar,
	isSeq,
	LineCounter,
	parseDocument,
	visit,
	type Document,
	type Node,
	type Pair,
} from 'yaml';

import { messagesByPath, type Fault } from './checkInput.mts';
import { InvalidInput } from './invalidInput.mts';

/** A message with more lines helps nobody. */
const MAX_LINES = 100;

/** A file, or what a program gives in its place, cannot be used. The message names every fault and its place. */
export class InvalidFile extends InvalidInput {
	/**
	 * @param file what it is called: "The seed file my.yaml"
	 * @param faults in the order in which they are told; `at` is `FILE:LINE:COL` in a file
	 */
	constructor(file: string, faults: Array<Fault & { at?: string }>) {
		const { length } = faults;
		const lines = faults.map(({ at, path, message }) =>
			[[at, path.join('.')].filter(Boolean).join(' '), message].join(': '),
		);
		const [what, them] = length === 1 ? ['a fault', 'it'] : [`${length} faults`, 'them'];
		const beginning = `${file} has ${what}. Fix ${them}, then start again:`;
		const rest = length > MAX_LINES ? [`… and ${length - MAX_LINES} more`] : [];
		const message = [beginning, ...lines.slice(0, MAX_LINES), ...rest].join('\n');
		super(message, { errors: messagesByPath(faults) });
	}
}

/** What a file has, and the error for faults that are found in it. */
export interface FileContent {
	value: unknown;
	invalid(faults: Fault[]): InvalidFile;
}

/**
 * Reads a YAML file. YAML includes JSON, and `<<` lets records share fields.
 *
 * @param kind what it is called in messages: "seed file"
 * @throws {Error} when the file cannot be read
 * @throws {InvalidFile} with every place that is not YAML
 */
export async function readYamlFile(kind: string, file: string): Promise<FileContent> {
	const text = await readFile(file, 'utf8').catch((error: unknown) => {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === 'ENOENT' ? 'There is no such file.' : message;
		throw new Error(`The ${kind} ${file} cannot be read. ${reason}`, { cause: error });
	});
	const lines = new LineCounter();
	const document = parseDocument(text, { merge: true, lineCounter: lines, prettyErrors: false });
	const at = (offset: number): string => {
		const { line, col } = lines.linePos(offset);
		return `${file}:${line}:${col}`;
	};
	const invalid = (faults: Array<Fault & { offset: number }>): InvalidFile => {
		const sorted = faults.toSorted((one, other) => one.offset - other.offset);
		const placed = sorted.map(({ offset, ...fault }) => ({ ...fault, at: at(offset) }));
		return new InvalidFile(`The ${kind} ${file}`, placed);
	};
	const syntax = [
		...document.errors.map(({ pos: [offset], message }) => ({ path: [], message, offset })),
		...unknownAliases(document),
	];
	if (syntax.length > 0) throw invalid(syntax);
	return {
		value: document.toJS(),
		invalid: (faults) =>
			invalid(faults.map((fault) => ({ ...fault, offset: findOffset(document, fault.path) }))),
	};
}

function unknownAliases(document: Document): Array<Fault & { offset: number }> {
	const faults: Array<Fault & { offset: number }> = [];
	visit(document, {
		Alias: (_key, alias) => {
			if (alias.resolve(document)) return;
			const message = `There is no anchor &${alias.source} before this alias.`;
			faults.push({ path: [], message, offset: alias.range?.[0] ?? 0 });
		},
	});
	return faults;
}

/** Where a field's name is, or an entry of a list; where it is missing, what should have it. */
function findOffset(document: Document, path: Fault['path']): number {
	let node: unknown = document.contents;
	let offset = startOffset(node) ?? 0;
	for (const step of path) {
		if (isAlias(node)) node = node.resolve(document);
		if (isSeq(node)) {
			node = node.items[Number(step)];
			offset = startOffset(node) ?? offset;
		} else {
			const pair = findPair(document, node, String(step));
			node = pair?.value;
			offset = startOffset(pair?.key) ?? offset;
		}
	}
	return offset;
}

const startOffset = (node: unknown): number | undefined => (node as Node | undefined)?.range?.[0];

/** The pair of a map with this key, also from a map that is merged into it with `<<`. */
function findPair(document: Document, node: unknown, key: string): Pair | undefined {
	const map = isAlias(node) ? node.resolve(document) : node;
	if (isSeq(map)) {
		return map.items.map((item) => findPair(document, item, key)).find(Boolean);
	}
	if (!isMap(map)) return undefined;
	const own = map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
	const merged = map.items.filter((pair) => isScalar(pair.key) && pair.key.source === '<<');
	return own ?? merged.map(({ value }) => findPair(document, value, key)).find(Boolean);
}
