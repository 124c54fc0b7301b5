import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for a file that another process holds (sqlite.org/rescode.html). */
const BUSY = 5;

export interface HeldFile {
	close: () => void;
}

/**
 * Holds a file, so that two commands do not do the same work at the same moment. Makes the file, which
 * stays empty. The lock is SQLite's, because Node.js has none. The system ends it with the process.
 *
 * @returns undefined when another process holds the file
 * @throws Error of Node when the file cannot be made or written to
 */
export function holdFile(file: string): HeldFile | undefined {
	// SQLite would take a file that may only be read, and then hold nothing.
	closeSync(openSync(file, 'a'));
	const database = new DatabaseSync(file, { timeout: 0 });
	try {
		// In memory, so that there is no second file.
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
	} catch (error) {
		database.close();
		if ((error as { errcode?: number }).errcode === BUSY) return undefined;
		throw error;
	}
	return { close: () => database.close() };
}
