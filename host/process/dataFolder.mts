import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { holdFile, type HeldFile } from './holdFile.mts';

const LOCK = '.lock';

/**
 * Makes a folder for data, checks that it and what it has can be written to, and keeps other commands
 * out of it until it is closed. A server that outlives a killed command does not keep them out.
 *
 * @param contents paths in the folder, of what may be there from an earlier start
 * @throws Error that says what to do
 */
export async function openDataFolder(folder: string, contents: string[]): Promise<HeldFile> {
	try {
		await mkdir(folder, { recursive: true });
	} catch (error) {
		throw notWritable(folder, folder, error);
	}
	for (const path of [folder, ...[LOCK, ...contents].map((name) => join(folder, name))]) {
		await access(path, constants.W_OK).catch((error: unknown) => {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
				throw notWritable(folder, path, error);
		});
	}
	const lock = holdFile(join(folder, LOCK));
	if (lock !== undefined) return lock;
	throw new Error(
		`Another npm start is running with the data in ${folder}. Stop that one, or use another folder: npm start -- --data FOLDER`,
	);
}

/**
 * Explains why a path cannot be written to.
 *
 * @param folder the folder for data
 * @param path the folder, or something in it
 * @param cause what Node threw
 */
export function notWritable(folder: string, path: string, cause: unknown): Error {
	const { code, message } = cause as NodeJS.ErrnoException;
	if (code === 'EROFS') {
		return new Error(
			`${path} cannot be written to, because its disk is read-only. Use another folder: npm start -- --data FOLDER`,
		);
	}
	if (path === folder && (code === 'EEXIST' || code === 'ENOTDIR')) {
		return new Error(`${folder} is a file. Name a folder: npm start -- --data FOLDER`);
	}
	if (code !== 'EACCES' && code !== 'EPERM') return new Error(message, { cause });
	return new Error(
		`${path} may not be written to. Another user may have made it, for instance with sudo.\n` +
			`Make the folder yours, and run the same command again: sudo chown -R "$(id -un)" ${quoted(folder)}`,
	);
}

/** A path as one types it in a shell. */
export function quoted(path: string): string {
	return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
