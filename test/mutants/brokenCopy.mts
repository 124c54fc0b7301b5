import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';
import ts from 'typescript';

import { root } from '../support/package.mts';
import { type Mutation, mutateSource } from './mutations.mts';

/** What no mutation changes. Node loads the modules in it only once, because a link is not part of their path. */
const LINKED = ['node_modules', 'sandbox/src', 'contract', 'docs', 'examples'].map(normalize);
/** Folders that the fast suite does not use. */
const LEFT_OUT = ['.git', '.data', 'coverage', 'host/current', 'host/oldest'].map(normalize);
const NOT_COPIED = new Set([...LINKED, ...LEFT_OUT]);

/** Copies the built checkout into an empty folder, and links what the copies share. */
export async function copyCheckout(copy: string): Promise<void> {
	await cp(root, copy, {
		recursive: true,
		preserveTimestamps: true,
		filter: (source) => !NOT_COPIED.has(relative(root, source)),
	});
	for (const path of LINKED) await symlink(join(root, path), join(copy, path), 'junction');
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
