import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

import { root } from '../support/package.mts';
import { type Mutation, mutateSource } from './mutations.mts';

/** Folders that the fast suite does not use, or finds through a link. */
const NOT_COPIED = new Set(['node_modules', '.git', '.data', 'coverage']);
const HOSTS = ['current', 'oldest'].map((host) => join('host', host));

/** Copies the built checkout, without installed packages, into an empty folder. */
export async function copyCheckout(copy: string): Promise<void> {
	await cp(root, copy, {
		recursive: true,
		preserveTimestamps: true,
		filter: (source) => {
			const path = relative(root, source);
			return !NOT_COPIED.has(path.split(sep).at(-1) ?? '') && !HOSTS.includes(path);
		},
	});
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
}

/**
 * Breaks the source in a copy of the checkout, and compiles it.
 *
 * @throws Error when the source does not contain the text exactly once, or no longer compiles
 */
export async function mutate(copy: string, mutation: Mutation): Promise<void> {
	const { file } = mutation;
	const broken = mutateSource(await readFile(join(copy, file), 'utf8'), mutation);
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
