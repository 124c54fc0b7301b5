import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { root } from '../support/package.mts';

/**
 * The names that several files of `nodes/` have, because they are no free choice. Every other name is there once:
 * in a search, and in the tabs of an editor, it shows one thing.
 */
const CONVENTIONS: Array<{ why: string; file: RegExp; exports?: (name: string) => string[] }> = [
	{
		why: "An operation is a file with n8n's name of it, which it exports: `lead/create.operation.ts`",
		file: /\.operation\.ts$/,
		exports: (name) => [name.replace('.operation.ts', '')],
	},
	{ why: 'What a folder gives to others', file: /^index\.ts$/ },
	{
		why: "What the screen of a node or a resource has, under n8n's name of it",
		file: /^(fields|hints)\.ts$/,
		exports: (name) => [name.replace('.ts', '')],
	},
];

const conventionsOf = (path: string) => CONVENTIONS.filter(({ file }) => file.test(basename(path)));

const isFree = (path: string, name: string): boolean =>
	!conventionsOf(path).some(({ exports }) => exports?.(basename(path)).includes(name));

/** The names that a file declares for others, each once. What it only passes on is declared elsewhere. */
function exportedNames(path: string, text: string): string[] {
	const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
	const bound = (name: ts.BindingName): string[] =>
		ts.isIdentifier(name)
			? [name.text]
			: name.elements.flatMap((each) => (ts.isOmittedExpression(each) ? [] : bound(each.name)));
	const names = file.statements.flatMap((statement) => {
		const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
		if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
		if (ts.isVariableStatement(statement)) {
			return statement.declarationList.declarations.flatMap(({ name }) => bound(name));
		}
		return 'name' in statement ? [(statement.name as ts.Identifier).text] : [];
	});
	return [...new Set(names)];
}

/** What several files have, with these files. */
const repeated = (named: Array<[name: string, path: string]>): Record<string, string[]> =>
	Object.fromEntries(
		Object.entries(Object.groupBy(named, ([name]) => name))
			.map(([name, entries = []]) => [name, entries.map(([, path]) => path)] as const)
			.filter(([, paths]) => paths.length > 1),
	);

type Sources = Array<[path: string, text: string]>;

const repeatedExports = (sources: Sources) =>
	repeated(
		sources.flatMap(([path, text]) =>
			exportedNames(path, text)
				.filter((name) => isFree(path, name))
				.map((name): [string, string] => [name, path]),
		),
	);

/** Files whose tabs look alike: a plural has one letter more. */
const repeatedFiles = (paths: string[]) =>
	repeated(
		paths
			.filter((path) => conventionsOf(path).length === 0)
			.map((path) => [basename(path, '.ts').replace(/s$/, ''), path]),
	);

const sources: Sources = globSync('{nodes,credentials}/**/*.ts', { cwd: root })
	.sort()
	.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
const paths = sources.map(([path]) => path);

it('no two files export the same name', () => {
	expect(repeatedExports(sources)).toEqual({});
});

it('no two files have the same name', () => {
	expect(repeatedFiles(paths)).toEqual({});
});

it.each(CONVENTIONS)('a convention is needed: $why', ({ file }) => {
	const others = CONVENTIONS.filter((each) => each.file !== file);
	const withoutIt = paths.filter((path) => !others.some((each) => each.file.test(basename(path))));
	expect(Object.keys(repeated(withoutIt.map((path) => [basename(path), path])))).not.toEqual([]);
});

it('names that are there twice are found', () => {
	const declared = [
		'export const read = 1;',
		'export const { a: read } = { a: 1 };',
		'export const [, read] = [1, 2];',
		'export async function read() {}',
		'export function* read() {}',
		'export class read {}',
		'export interface read {}',
		'export type read = 1;',
		'export enum read {}',
	];
	const first: [string, string] = ['nodes/a/first.ts', declared[0] ?? ''];
	for (const text of declared) {
		const second = 'nodes/b/second.ts';
		expect(repeatedExports([first, [second, text]])).toEqual({ read: [first[0], second] });
	}
	expect(repeatedExports([first, ['nodes/b/fields.ts', first[1]]])).toHaveProperty('read');
	expect(repeatedFiles(['nodes/a/messages.ts', 'nodes/b/messages.ts'])).toHaveProperty('message');
	expect(repeatedFiles(['nodes/a/problem.ts', 'nodes/b/problems.ts'])).toHaveProperty('problem');
});

it('what is no name of its own is not', () => {
	const operation = 'export const create = 1;';
	const same: Sources = [
		['nodes/a/create.operation.ts', operation],
		['nodes/b/create.operation.ts', operation],
		['nodes/a/index.ts', "export { create } from './create.operation';"],
		['nodes/a/own.ts', 'const create = 1;'],
	];
	expect(repeatedExports(same)).toEqual({});
	expect(repeatedFiles(same.map(([path]) => path))).toEqual({});
});
