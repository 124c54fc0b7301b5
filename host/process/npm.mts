import { dirname, join } from 'node:path';

import { runInstaller, type InstallerRun } from './runInstaller.mts';

/**
 * Finds the program of the npm that runs this script, as a file for Node.
 *
 * @throws Error when no npm runs it
 */
export function npmCli(): string {
	const { npm_execpath: running } = process.env;
	if (running === undefined) throw new Error('Run this with npm run.');
	// npx is another file in the same folder.
	return join(dirname(running), 'npm-cli.js');
}

/**
 * Runs npm, the one that runs this script, on this Node.
 *
 * @throws Error as {@link runInstaller} does
 */
export const runNpm = async (run: InstallerRun) =>
	await runInstaller(process.execPath, { ...run, args: [npmCli(), ...run.args] });
