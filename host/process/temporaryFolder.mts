import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Cleanup } from './cleanup.mts';

/** Makes an empty folder and removes it at the end. @param name what its name begins with */
export async function temporaryFolder(name: string, cleanup: Cleanup): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), `${name}-`));
	await cleanup.defer(async () => await rm(folder, { recursive: true, force: true }));
	return folder;
}
