import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/package.mts';

/** What .gitignore names, the .git folder, and images. */
const isNotOurText = (path: string): boolean =>
	path
		.split('/')
		.some((name) => /^(\.git|\.data|node_modules|dist|coverage)$|\.(log|tgz|png)$/.test(name));

/** Lines that are true for one machine only. The images of Node.js and n8n have a user `node`. */
const MACHINE_LINES = [
	/(^|[\s"'`=:(])\/(work|home(?!\/node\/)|root|Users|tmp|mnt|farm)\/\w/,
	/\b[A-Z]:\\\w/,
	/\bregistry\.(npmjs|yarnpkg)\b|https?:\/\/[^/\s]*registry/,
	/"resolved": "https?:/,
];

describe('the repository', () => {
	it('speaks of no machine: no absolute path, no package registry', () => {
		const files = globSync(['**/*', '**/.*', '.*/**/*'], {
			cwd: root,
			exclude: isNotOurText,
		}).filter((path) => !isNotOurText(path) && statSync(join(root, path)).isFile());
		expect(files).toEqual(expect.arrayContaining(['package-lock.json', '.ci/run', '.npmrc']));
		const found = files.flatMap((file) =>
			readFileSync(join(root, file), 'utf8')
				.split('\n')
				.flatMap((line, index) =>
					MACHINE_LINES.some((pattern) => pattern.test(line))
						? [`${file}:${index + 1}: ${line.trim()}`]
						: [],
				),
		);
		expect(found).toEqual([]);
	});
});
