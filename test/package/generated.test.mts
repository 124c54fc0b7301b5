import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lint } from '@redocly/openapi-core';
import { parse } from 'yaml';
import { generate } from '../../scripts/generate/generate.mts';
import { root } from '../support/package.mts';
import { PREVIEWS } from '../support/parity/previews.mts';
import { onlyInFull } from '../support/sample.mts';

const OPENAPI = 'contract/openapi.yaml';
const ASSUMPTIONS = 'contract/assumptions.yaml';
const WIRE_TYPES = 'nodes/VoiceAssistantCalling/fields/wireTypes.ts';
const README = 'README.md';
const STOP = 'nodes/VoiceAssistantCalling/resources/campaign/stop.operation.ts';
const EXAMPLE = 'examples/add-lead-and-start-campaign.md';
const REFERENCE = 'docs/reference.md';
const TYPES = 'contract/generated/service.d.ts';

/** What the changes of the tests make stale. */
const STALE = [
	WIRE_TYPES,
	'nodes/shared/fields/limits.ts',
	'nodes/shared/records/recordShapes.ts',
	README,
	'examples/README.md',
	'docs/gallery.md',
	REFERENCE,
];

/** What the generator reads. */
const COPIED = [
	'contract',
	'credentials',
	'docs',
	'examples',
	'host/n8n/examplePages.mts',
	'host/n8n/names.mts',
	'nodes',
	'package.json',
	README,
	'scripts',
];

const read = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'));

/** Every key that an `x-assumed` names, at any depth. */
function assumedKeys(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
		name === 'x-assumed' ? [inner].flat().map(String) : assumedKeys(inner),
	);
}

describe('what is generated', () => {
	it('is fresh', async () => {
		expect(await generate(root, true)).toEqual([]);
	});

	onlyInFull(describe)('after a change', () => {
		let copy: string;
		beforeAll(() => {
			copy = mkdtempSync(join(tmpdir(), 'generated-'));
			for (const path of COPIED) {
				const filter = (source: string) => !source.endsWith('.png');
				cpSync(join(root, path), join(copy, path), { recursive: true, filter });
			}
			symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
			// Before any test, because a process loads the nodes once.
			edit(STOP, "name: 'Stop'", "name: 'Halt'");
		});
		afterAll(() => rmSync(copy, { recursive: true }));

		const readText = (path: string): string => readFileSync(join(copy, path), 'utf8');
		const edit = (path: string, old: string, text: string): void =>
			writeFileSync(join(copy, path), readText(path).replaceAll(old, text));

		const run = (...command: string[]) => {
			const options = { cwd: copy, encoding: 'utf8' } as const;
			const { status, stderr } = spawnSync(process.execPath, command, options);
			return { status, stderr };
		};
		const runCheck = () => run('scripts/generate.mts', '--check');

		it.each([
			['scripts/generate.mts', '--check'],
			['scripts/writeContractTypes.mts'],
			['scripts/writePreviews.mts'],
		])(
			'a mistake in the YAML of the contract is one line that names its place: %s',
			(...command) => {
				const contract = readText(OPENAPI);
				edit(OPENAPI, '\npaths:\n', '\npaths: {}\npaths:\n');
				const line = readText(OPENAPI).split('\n').indexOf('paths:') + 1;
				const result = run(...command);
				writeFileSync(join(copy, OPENAPI), contract);
				const stderr = `${OPENAPI}:${line}:1: Map keys must be unique\n`;
				expect(result).toEqual({ status: 1, stderr });
			},
		);

		it('each stale or missing file is named by the check, and mended', async () => {
			edit(OPENAPI, 'sms_sid', 'provider_id');
			edit(OPENAPI, 'allow_dupplicate', 'allow_duplicate');
			edit(EXAMPLE, 'summary: ', 'summary: Each day, ');
			rmSync(join(copy, REFERENCE));
			const named = STALE.map((path) => `${path} is stale: run npm run generate\n`);
			expect(runCheck()).toEqual({ status: 1, stderr: named.join('') });
			expect(await generate(copy, false)).toEqual(STALE);
			expect(readText(WIRE_TYPES)).toContain("'allow_duplicate'");
			expect(readText(README)).toContain('| Halt | Make no further calls');
			expect(await generate(copy, true)).toEqual([]);
		});

		it('the output previews are those of the contract', () => {
			edit(OPENAPI, 'sms_sid', 'provider_id');
			expect(run('scripts/writePreviews.mts')).toEqual({ status: 0, stderr: '' });
			expect(readText(`${PREVIEWS}/sms/send.json`)).toContain('provider_id');
		});

		it('the types are written again only if the contract is newer', () => {
			const saveContract = (time: number) => utimesSync(join(copy, OPENAPI), time, time);
			const written = 2_000_000_000;
			writeFileSync(join(copy, TYPES), '');
			utimesSync(join(copy, TYPES), written, written);
			saveContract(written - 1);
			expect(run('scripts/writeContractTypes.mts')).toEqual({ status: 0, stderr: '' });
			expect(readText(TYPES)).toBe('');
			saveContract(written + 1);
			expect(run('scripts/writeContractTypes.mts')).toEqual({ status: 0, stderr: '' });
			expect(readText(TYPES)).toContain('LeadCreate');
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

	it('marks what it assumes, and says for each mark what, why and who shows it', () => {
		const assumptions = read(ASSUMPTIONS);
		const entry = {
			open: expect.stringMatching(/\S/),
			assumed: expect.stringMatching(/\S/),
			why: expect.stringMatching(/\S/),
			source: expect.stringMatching(/^(documented|assumed)$/),
		};
		const keys = [...new Set(assumedKeys(read(OPENAPI)))];
		expect(keys.length).toBeGreaterThan(0);
		expect(assumptions).toEqual(
			Object.fromEntries(keys.map((key) => [key, expect.objectContaining(entry)])),
		);
	});
});
