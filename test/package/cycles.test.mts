import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { filesMatching, root } from '../support/package.mts';

const FILES = filesMatching('nodes/**/*.ts', 'credentials/**/*.ts');

/** The shipped files that a file imports, for types too. */
function importedBy(file: string): string[] {
	const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
	return importedFiles.flatMap(({ fileName }) => {
		const path = join(file, '..', fileName);
		return FILES.filter((each) => each === `${path}.ts` || each === `${path}/index.ts`);
	});
}

const imports = new Map(FILES.map((file) => [file, importedBy(file)]));

/** Everything that a file imports, also through others. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
	for (const each of imports.get(file) ?? []) {
		if (reached.has(each)) continue;
		reached.add(each);
		reachedFrom(each, reached);
	}
	return reached;
}

// Lint finds only circles of values.
it('no shipped file imports itself through others, for types neither', () => {
	expect([...reachedFrom('nodes/VoiceAssistantCalling/transport/run.ts')]).toContain(
		'nodes/VoiceAssistantCalling/transport/accounts.ts',
	);
	expect(FILES.filter((file) => reachedFrom(file).has(file))).toEqual([]);
});
