import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kill, pid } from 'node:process';

import { InvalidInput } from '../base/invalidInput.mts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Holds a file that has the ID of this process, so that a second run does not restore what this one is
 * changing. The file of a process that has been killed is taken over.
 *
 * @returns the function that gives it up
 * @throws {InvalidInput} when another process holds it
 */
export async function holdLock(path: string): Promise<() => Promise<void>> {
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	} catch {
		return notHeld;
	}
	for (;;) {
		try {
			await writeFile(path, String(pid), { flag: 'wx', mode: 0o600 });
			// A file that cannot be removed is taken over by the next run.
			return () => rm(path, { force: true }).catch(() => undefined);
		} catch (error) {
			if (codeOf(error) !== 'EEXIST') return notHeld;
		}
		const holder = await readFile(path, 'utf8').catch(() => '');
		if (isRunning(Number(holder))) {
			throw new InvalidInput(
				`Another run (process ${holder}) is checking this service. Let it end first. If there is none, remove ${path}.`,
			);
		}
		await rm(path, { force: true });
	}
}

/** Where nothing can be written down, nothing is changed. Reading needs no lock. */
const notHeld = (): Promise<void> => Promise.resolve();

function isRunning(holder: number): boolean {
	try {
		kill(holder, 0);
		return true;
	} catch (error) {
		// Another user's process, or a file that its process has not written yet.
		return codeOf(error) !== 'ESRCH';
	}
}
