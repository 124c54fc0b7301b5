import type { Run } from './run.mts';

/** Measures, and restores what was changed right after it, whatever happened. */
export async function restoring<Seen>(
	{ undoLog }: Run,
	measure: () => Promise<Seen>,
): Promise<Seen> {
	try {
		return await measure();
	} finally {
		await undoLog.undoAll();
	}
}
