import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

import { root } from '../support/package.mts';
import type { Mutation } from './mutations.mts';

/** What the fast suite does not look at, or finds through a link. */
const LEFT_OUT = new Set(['node_modules', '.git', '.data', 'coverage']);
const HOSTS = ['current', 'oldest'].map((host) => join('host', host));

/** Copies the built checkout, without what is installed in it. @returns the folder of the copy */
export async function copyCheckout(): Promise<string> {
	const copy = await mkdtemp(join(tmpdir(), 'mutant-'));
	await cp(root, copy, {
		recursive: true,
		filter: (source) => {
			const path = relative(root, source);
			return !LEFT_OUT.has(path.split(sep).at(-1) ?? '') && !HOSTS.includes(path);
		},
	});
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

/**
 * Breaks a copy of the checkout: in the source, and in what is built from it.
 *
 * @throws Error when the source does not hold the text exactly once, or is no program any more
 */
export async function mutate(copy: string, { file, from, to }: Mutation): Promise<void> {
	const source = await readFile(join(copy, file), 'utf8');
	const found = source.split(from).length - 1;
	if (found !== 1) throw new Error(`${file} holds this text ${found} times, not once: ${from}`);
	const broken = source.replace(from, () => to);
	await writeFile(join(copy, file), broken);

	const built = join(copy, 'dist', file.replace(/\.ts$/, '.js'));
	await writeFile(built, file.endsWith('.ts') ? compiled(copy, file, broken) : broken);
}

/** One file without its types, as `npm run build` would compile it. */
function compiled(copy: string, file: string, source: string): string {
	const config = join(copy, 'tsconfig.json');
	const { config: json } = ts.readConfigFile(config, (path) => ts.sys.readFile(path)) as {
		config: object;
	};
	const { options } = ts.parseJsonConfigFileContent(json, ts.sys, dirname(config));
	const { outputText, diagnostics = [] } = ts.transpileModule(source, {
		fileName: join(copy, file),
		compilerOptions: options,
		reportDiagnostics: true,
	});
	const [error] = diagnostics;
	if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, ' '));
	return outputText;
}
