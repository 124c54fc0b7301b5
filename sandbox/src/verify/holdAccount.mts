import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { holdFile, type HeldFile } from '../base/holdFile.mts';
import { InvalidInput } from '../base/invalidInput.mts';

/**
 * Holds a file, so that a second run does not restore what this one is changing.
 *
 * @returns undefined where no file can be made: nothing is changed there, because nothing could be
 * written down before
 * @throws {InvalidInput} when another run holds it
 */
export async function holdAccount(path: string): Promise<HeldFile | undefined> {
	let held: HeldFile | undefined;
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		held = holdFile(path);
	} catch {
		return undefined;
	}
	if (held) return held;
	throw new InvalidInput('Another run is checking this service. Let it end first.');
}
