import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { npmPack, ROOT } from './npmPack.mts';

/** The folder of the community packages in a user folder. */
export const packagesFolder = (userFolder: string): string =>
	join(userFolder, '.n8n', 'nodes', 'node_modules');

/**
 * Copies the built package to where n8n looks for community packages when it starts: exactly the
 * files that `npm pack` would ship, in place of an earlier copy.
 *
 * @param userFolder n8n's user folder, which contains `.n8n`
 * @throws Error when the package cannot be built
 */
export async function installPackage(userFolder: string): Promise<void> {
	const { name, files } = await npmPack('--dry-run');
	const target = join(packagesFolder(userFolder), name);
	await rm(target, { recursive: true, force: true });
	for (const { path } of files) await cp(join(ROOT, path), join(target, path));
}
