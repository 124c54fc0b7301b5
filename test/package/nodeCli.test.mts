import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from '@jest/globals';
import { execa } from 'execa';
import { z } from 'zod';
import { root } from '../support/package.mts';
import { onlyInFull } from '../support/sample.mts';

// n8n's own command for packages of nodes. `npm run lint` runs its linter.

const pins = z.object({
	dependencies: z.record(z.string(), z.string()).optional(),
	devDependencies: z.record(z.string(), z.string()).optional(),
});
const readPins = (file: string) => pins.parse(JSON.parse(readFileSync(file, 'utf8')));

onlyInFull(it)('says that the package may be verified', async () => {
	// It ends with 0 even if not.
	const { all } = await execa('n8n-node', ['cloud-support'], {
		cwd: root,
		all: true,
		preferLocal: true,
	});
	const said = stripVTControlCharacters(all);
	expect(said).toMatch(/Strict mode: enabled[^]*ESLint config: using default config/);
	expect(said).toContain('Status: eligible');
	expect(said).not.toMatch(/not eligible/i);
});

it('lints with the versions that this repository lints with', () => {
	const command = createRequire(join(root, 'package.json')).resolve('@n8n/node-cli/eslint');
	const [folder = ''] = command.split('/dist/');
	const { dependencies: theirs = {} } = readPins(join(folder, 'package.json'));
	const { devDependencies: ours = {} } = readPins(join(root, 'package.json'));
	for (const name of ['eslint', '@n8n/eslint-plugin-community-nodes']) {
		expect([name, ours[name]]).toEqual([name, theirs[name]]);
	}
});
