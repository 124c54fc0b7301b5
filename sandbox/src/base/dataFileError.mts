/** The data file cannot be used. The message says why, and what to do. */
export class DataFileError extends Error {}

/**
 * Writes to the log that something failed.
 *
 * @param what a sentence without its end: "The sandbox failed"
 */
export function logFailure(what: string, error: unknown): void {
	console.error(`${what}:`, error instanceof DataFileError ? error.message : error);
}
