import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/package.mts';

/** What .gitignore names, the .git folder, and images. */
const isNotOurText = (path: string): boolean =>
	path
		.split('/')
		.some((name) => /^(\.git|\.data|node_modules|dist|coverage)$|\.(log|tgz|png)$/.test(name));

/** Addresses of a package registry. They depend on the machine; `.npmrc` keeps them out of the lock files. */
const REGISTRY_LINES = [
	/\bregistry\.(npmjs|yarnpkg)\b|https?:\/\/[^/\s]*registry/,
	/"resolved": "https?:/,
];

describe('the repository', () => {
	it('names no package registry', () => {
		const files = globSync(['**/*', '**/.*', '.*/**/*'], {
			cwd: root,
			exclude: isNotOurText,
		}).filter((path) => !isNotOurText(path) && statSync(join(root, path)).isFile());
		expect(files).toEqual(expect.arrayContaining(['package-lock.json', '.ci/run', '.npmrc']));
		const found = files.flatMap((file) =>
			readFileSync(join(root, file), 'utf8')
				.split('\n')
				.flatMap((line, index) =>
					REGISTRY_LINES.some((pattern) => pattern.test(line))
						? [`${file}:${index + 1}: ${line.trim()}`]
						: [],
				),
		);
		expect(found).toEqual([]);
	});
});
