import { globSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { execa } from 'execa';

import { holdFile } from '../process/holdFile.mts';
import { waitFor } from '../process/wait.mts';

const ROOT = join(import.meta.dirname, '../..');
const BUILD_LIMIT_MS = 5 * 60_000;

/** Each of these files has one in `dist/`, compiled or copied. */
const SOURCES = ['nodes/**/*.{ts,json}', 'credentials/**/*.{ts,json}', 'icons/*.svg'];
/** They decide what `dist/` contains. */
const SETTINGS = [
	...['package.json', 'tsconfig.json', 'gulpfile.js'],
	...['contract/openapi.yaml', 'scripts/writePreviews.mts', 'scripts/generate/previews.mts'],
];
/** No source has these names: the build makes them from the contract and the operations. */
const PREVIEWS = normalize('dist/nodes/VoiceAssistantCalling/__schema__/');

/** `npm run coverage` has built `dist/` with source maps. */
const MEASURES_COVERAGE = process.env.NODE_V8_COVERAGE !== undefined;

/**
 * Builds `dist/` when it does not show the sources as they are. Of two commands at once, one builds.
 *
 * @throws Error with what failed in the build
 */
export async function buildIfStale(): Promise<void> {
	if (isFresh()) return;
	const lock = await waitFor('another command to build the nodes', BUILD_LIMIT_MS, async () => {
		return await Promise.resolve(holdFile(join(ROOT, '.lock')));
	});
	try {
		if (isFresh()) return;
		// stdout may be a report, as jest's `--json` is.
		console.error('Building the nodes …');
		const options = { cwd: ROOT, all: true, timeout: BUILD_LIMIT_MS, reject: false } as const;
		const { failed, message } = await execa('npm', ['run', '--silent', 'build'], options);
		if (failed) throw new Error(`The nodes could not be built.\n${message}`);
	} finally {
		lock.close();
	}
}

function isFresh(): boolean {
	const sources = globSync(SOURCES, { cwd: ROOT });
	const built = new Set(globSync('dist/**/*.{js,json,svg,map}', { cwd: ROOT }));
	const settings = Math.max(...SETTINGS.map(modified));
	return (
		sources.every((source) => {
			const output = join('dist', source.replace(/\.ts$/, '.js'));
			if (!built.delete(output) || modified(source) > modified(output)) return false;
			// What is copied keeps its time.
			return !source.endsWith('.ts') || settings <= modified(output);
		}) && [...built].every(isMade)
	);
}

/** Whether the build makes the file though no source has its name. */
function isMade(file: string): boolean {
	return file.startsWith(PREVIEWS) || (MEASURES_COVERAGE && file.endsWith('.map'));
}

function modified(file: string): number {
	// Without the fractions of a millisecond, which a copy loses.
	return statSync(join(ROOT, file)).mtime.getTime();
}
