import { readFile } from 'node:fs/promises';

import { parse } from 'yaml';

/** Reads a file of contract/. */
export const readContractFile = async (name: string): Promise<unknown> =>
	parse(await readFile(new URL(`../../../contract/${name}`, import.meta.url), 'utf8'));
