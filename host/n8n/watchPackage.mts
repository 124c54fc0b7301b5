import { globSync, watch } from 'node:fs';
import { cp, glob, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import ts from 'typescript';

import type { Cleanup } from '../process/cleanup.mts';
import { waitFor } from '../process/wait.mts';
import { packagesFolder } from './installPackage.mts';
import { PACKAGE } from './names.mts';
import { ROOT } from './npmPack.mts';

/** With it, n8n loads a package again when its files change (n8n 2.41). */
export const RELOAD = { N8N_DEV_RELOAD: 'true' };

/** n8n writes it at the end of a reload, for its editor (n8n 2.41). */
const NODE_TYPES = join('.cache', 'n8n', 'public', 'types', 'credentials.json');
const RELOAD_LIMIT_MS = 30_000;
/** Editors write a file in several steps. */
const QUIET_MS = 100;

/** What is copied beside the compiled code. */
const ASSETS = new Set(['.json', '.svg']);
const SOURCES = ['nodes', 'credentials', 'icons'];

/** Where n8n runs that has the package installed. */
interface RunningN8n {
	userFolder: string;
	/** The sources; this repository unless given. */
	root?: string;
}

/**
 * Compiles the nodes at each save, copies what has changed to where n8n has the package, and waits until
 * n8n has loaded it again, or until the next save. Says so, with the seconds since the save, and what does
 * not compile. A file that is deleted stays in n8n until the next start.
 */
export async function watchPackage(
	{ userFolder, root = ROOT }: RunningN8n,
	cleanup: Cleanup,
): Promise<void> {
	const target = join(packagesFolder(userFolder), PACKAGE);
	const nodeTypes = join(userFolder, NODE_TYPES);
	let timer: NodeJS.Timeout | undefined;
	let copying = Promise.resolve();
	let saves = 0;
	let isBroken = false;
	/** How many files n8n has not loaded yet, and when it had loaded the package before. */
	let unloaded = 0;
	let before = 0;

	async function bringToN8n(): Promise<void> {
		const program = compiler.getProgram();
		const syntaxErrors = program.getSyntacticDiagnostics();
		const wasBroken = isBroken;
		isBroken = syntaxErrors.length > 0;
		// n8n could not load it, and would keep the next save waiting.
		if (isBroken) return;
		const save = saves;
		const saved = await lastSave(root);
		await copyChanged(root, SOURCES, join(root, 'dist'), (file) => ASSETS.has(extname(file)));
		const present = await changedAt(nodeTypes);
		const copied = await copyChanged(root, ['dist'], target);
		if (copied > 0) before = present;
		unloaded += copied;
		if (unloaded === 0) {
			if (wasBroken) console.log('  It compiles again, to the code that n8n has.');
			return;
		}
		const outcome = await waitFor('n8n to load the package again', RELOAD_LIMIT_MS, async () => {
			if (saves !== save) return 'saved again';
			return (await changedAt(nodeTypes)) > before ? 'loaded' : undefined;
		});
		if (outcome === 'saved again') return;
		const files = unloaded === 1 ? '1 file' : `${unloaded} files`;
		unloaded = 0;
		const seconds = ((Date.now() - saved) / 1000).toFixed(1);
		const withErrors =
			program.getSemanticDiagnostics().length > 0 ? ', in spite of the errors' : '';
		console.log(`  n8n has loaded ${files} again, ${seconds} s after the save${withErrors}.`);
	}
	const schedule = (): void => {
		saves += 1;
		clearTimeout(timer);
		timer = setTimeout(() => {
			copying = copying.then(bringToN8n).catch((error: unknown) => console.error(String(error)));
		}, QUIET_MS);
	};

	const compiler = ts.createWatchProgram(compilerHost(root, schedule));
	await cleanup.defer(async () => {
		compiler.close();
		clearTimeout(timer);
		await copying;
	});
	for (const folder of SOURCES) {
		const watcher = watch(join(root, folder), { recursive: true }, (_event, file) => {
			if (file !== null && ASSETS.has(extname(file))) schedule();
		});
		await cleanup.use(Promise.resolve(watcher));
	}
}

/** @param onEmit is called when the compiled files are written */
function compilerHost(root: string, onEmit: () => void) {
	const format: ts.FormatDiagnosticsHost = {
		getCanonicalFileName: (file) => file,
		getCurrentDirectory: () => root,
		getNewLine: () => '\n',
	};
	const show = process.stderr.isTTY
		? ts.formatDiagnosticsWithColorAndContext
		: ts.formatDiagnostics;
	const host = ts.createWatchCompilerHost(
		join(root, 'tsconfig.json'),
		{},
		ts.sys,
		ts.createEmitAndSemanticDiagnosticsBuilderProgram,
		(diagnostic) => console.error(show([diagnostic], format)),
		() => {},
		// Many editors replace a file when they save it.
		{ watchFile: ts.WatchFileKind.UseFsEventsOnParentDirectory },
	);
	return {
		...host,
		afterProgramCreate(program: ts.EmitAndSemanticDiagnosticsBuilderProgram) {
			host.afterProgramCreate?.(program);
			onEmit();
		},
	};
}

/** Copies the files whose content has changed. @returns how many */
async function copyChanged(
	root: string,
	folders: string[],
	target: string,
	isWanted: (file: string) => boolean = () => true,
): Promise<number> {
	let count = 0;
	const patterns = folders.map((folder) => `${folder}/**/*`);
	for await (const entry of glob(patterns, { cwd: root, withFileTypes: true })) {
		const source = join(entry.parentPath, entry.name);
		if (!entry.isFile() || !isWanted(source)) continue;
		const copy = join(target, relative(root, source));
		const present = await readFile(copy).catch(() => undefined);
		if (present?.equals(await readFile(source))) continue;
		await mkdir(dirname(copy), { recursive: true });
		await cp(source, copy);
		count += 1;
	}
	return count;
}

/** Milliseconds since 1970. */
const changedAt = async (file: string): Promise<number> => (await stat(file)).mtimeMs;

/** When a source was saved last, in milliseconds since 1970. */
async function lastSave(root: string): Promise<number> {
	const patterns = SOURCES.map((folder) => `${folder}/**/*.*`);
	const files = globSync(patterns, { cwd: root });
	return Math.max(...(await Promise.all(files.map((file) => changedAt(join(root, file))))));
}
