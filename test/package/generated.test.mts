import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createConfig, lint } from '@redocly/openapi-core';
import { parse } from 'yaml';
import { root } from '../support/package.mts';

const OPENAPI = 'contract/openapi.yaml';
const ASSUMPTIONS = 'contract/assumptions.yaml';
const TYPES = 'contract/generated/service.d.ts';
const WIRE_TYPES = 'nodes/VoiceAssistantCalling/fields/wireTypes.ts';
const README = 'README.md';
const GALLERY = 'docs/gallery.md';
const REFERENCE = 'docs/reference.md';
const ASSUMED = 'docs/assumptions.md';
const CAMPAIGN = 'nodes/VoiceAssistantCalling/resources/campaign/index.ts';
const EXAMPLE = 'examples/add-lead-and-start-campaign.md';
const PREVIEWS = 'nodes/VoiceAssistantCalling/__schema__/v1.0.0';

/** What the generator reads. */
const COPIED = [
	'contract',
	'credentials',
	'docs',
	'examples',
	'host/n8n/examplePages.mts',
	'nodes',
	'package.json',
	README,
	'scripts',
];

function generate(folder: string, ...options: string[]): { status: number | null; said: string[] } {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(folder, 'scripts/generate.mts'), ...options],
		{ encoding: 'utf8' },
	);
	return { status, said: (stdout + stderr).split('\n').filter((line) => line !== '') };
}

const read = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'));

/** Every key that an `x-assumed` names, at any depth. */
function assumedKeys(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
		name === 'x-assumed' ? [inner].flat().map(String) : assumedKeys(inner),
	);
}

describe('what is generated', () => {
	it('is fresh', () => {
		expect(generate(root, '--check')).toEqual({ status: 0, said: [] });
	});

	describe('after a change', () => {
		let copy: string;

		const edit = (path: string, old: string, text: string): void => {
			const file = join(copy, path);
			writeFileSync(file, readFileSync(file, 'utf8').replaceAll(old, text));
		};

		beforeEach(() => {
			copy = mkdtempSync(join(tmpdir(), 'generated-'));
			for (const path of COPIED) {
				cpSync(join(root, path), join(copy, path), { recursive: true });
			}
			symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

			edit(OPENAPI, 'sms_sid', 'provider_id');
			edit(OPENAPI, 'allow_dupplicate', 'allow_duplicate');
			edit(CAMPAIGN, "name: 'Stop'", "name: 'Halt'");
			edit(ASSUMPTIONS, 'open: Rate limits', 'open: Limits');
			edit(EXAMPLE, 'summary: ', 'summary: Each day, ');
			rmSync(join(copy, PREVIEWS, 'call/getAll.json'));
			writeFileSync(join(copy, PREVIEWS, 'lead/delete.json'), '{}\n');
		});
		afterEach(() => {
			rmSync(copy, { recursive: true });
		});

		const stale = [
			README,
			TYPES,
			ASSUMED,
			GALLERY,
			REFERENCE,
			`${PREVIEWS}/call/getAll.json`,
			`${PREVIEWS}/lead/delete.json`,
			`${PREVIEWS}/sms/send.json`,
			WIRE_TYPES,
		];

		it('the check names each stale, missing and left-over file, and mends none', () => {
			const named = stale.map((path) => `${path} is stale: run npm run generate`);
			expect(generate(copy, '--check')).toEqual({ status: 1, said: named });
			expect(generate(copy, '--check')).toEqual({ status: 1, said: named });
		});

		it('generating mends all of them', () => {
			expect(generate(copy)).toEqual({ status: 0, said: stale });
			expect(readFileSync(join(copy, PREVIEWS, 'sms/send.json'), 'utf8')).toContain('provider_id');
			expect(readFileSync(join(copy, WIRE_TYPES), 'utf8')).toContain("'allow_duplicate'");
			expect(readFileSync(join(copy, README), 'utf8')).toContain(
				'|  | Halt | Make no further calls',
			);
			expect(generate(copy, '--check')).toEqual({ status: 0, said: [] });
		});

		it('a README without a place for a table is refused', () => {
			edit(README, '<!-- end of triggers -->', '');
			const { status, said } = generate(copy, '--check');
			expect(status).toBe(1);
			expect(said.join('\n')).toContain('The page has no place for triggers');
		});

		it.each([
			['without front matter', '---', '', 'has no front matter'],
			['with a misspelt use case', 'useCase: Call', 'useCase: Phone', 'useCase'],
			['with a field that the gallery does not know', 'needs:', 'wants:', 'wants'],
		])('the page of an example %s is refused', (_, old, text, reason) => {
			edit(EXAMPLE, old, text);
			const { status, said } = generate(copy, '--check');
			expect(status).toBe(1);
			expect(said.join('\n')).toContain(EXAMPLE);
			expect(said.join('\n')).toContain(reason);
		});

		it('the page of an example without its workflow is refused', () => {
			rmSync(join(copy, EXAMPLE.replace('.md', '.json')));
			const { status, said } = generate(copy, '--check');
			expect(status).toBe(1);
			expect(said.join('\n')).toContain(`${EXAMPLE} has no workflow beside it`);
		});

		it('a name with two types has no place in the table of wire types', () => {
			edit(OPENAPI, 'endpoint_type: {', 'timeout: {');
			const { status, said } = generate(copy, '--check');
			expect(status).toBe(1);
			expect(said.join('\n')).toContain('timeout is string and integer in the contract');
		});
	});
});

describe('the contract', () => {
	it('is valid OpenAPI, with examples that fit their schemas', async () => {
		const config = await createConfig({
			rules: {
				struct: 'error',
				'no-unresolved-refs': 'error',
				'no-unused-components': 'error',
				'no-invalid-media-type-examples': 'error',
				'no-invalid-parameter-examples': 'error',
				'no-invalid-schema-examples': 'error',
				'operation-operationId-unique': 'error',
				'operation-tag-defined': 'error',
				'path-parameters-defined': 'error',
				'security-defined': 'error',
			},
		});
		const problems = await lint({ ref: join(root, OPENAPI), config });
		expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
	});

	it('marks what it assumes, and says for each mark what, why and how to change it', () => {
		const assumptions = read(ASSUMPTIONS);
		const entry = {
			open: expect.stringMatching(/\S/),
			assumed: expect.stringMatching(/\S/),
			why: expect.stringMatching(/\S/),
			override: expect.stringMatching(/\S/),
		};
		const keys = [...new Set(assumedKeys(read(OPENAPI)))];
		expect(keys.length).toBeGreaterThan(0);
		expect(assumptions).toEqual(
			Object.fromEntries(keys.map((key) => [key, expect.objectContaining(entry)])),
		);
	});
});
