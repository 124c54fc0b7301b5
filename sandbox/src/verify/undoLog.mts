import type { Undo } from './undo.mts';

/**
 * What was changed and is not yet restored. It is written down, so that the next start restores it if
 * this process is killed.
 */
export interface UndoLog {
	/** @throws {Stop} when a change could not be restored, or one of another account waits for it */
	requireNothingLeft(): void;
	/**
	 * Writes a change down, in place of an earlier one of the same thing, and prints the command that
	 * takes it back. Call it before the change is sent.
	 *
	 * @throws {Stop} when it cannot be written, and as `requireNothingLeft`
	 */
	add(undo: Undo): Promise<void>;
	/** Removes what was written down, because the service has refused the change. */
	remove(undo: Undo): Promise<void>;
	/**
	 * Takes back what is written down, the newest first.
	 *
	 * @returns whether nothing is left
	 */
	undoAll(): Promise<boolean>;
	/** Tells at the end which records remain, because no request deletes them, and forgets them. */
	tellWhatRemains(): Promise<void>;
}
