import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Report } from '../../src/verify/report/report.mts';
import { summary } from '../../src/verify/report/terminal.mts';
import { writeReports } from '../../src/verify/report/writeReports.mts';
import { exitStatus, type KeyFinding } from '../../src/verify/verify.mts';
import { folderPerTest } from '../support/process.mts';

const folder = folderPerTest();

const about = { provider: 'voice.example', at: '2026-03-02T09:00:00.000Z', version: '1.0.0' };

const findings: KeyFinding[] = [
	{
		key: 'id-form',
		level: 'read',
		outcome: 'as assumed',
		expected: 'IDs are numbers',
		seen: 'IDs are numbers',
		certainty: 'certain',
	},
	{
		key: 'call-order',
		level: 'read',
		outcome: 'differs',
		expected: 'newest first',
		seen: 'oldest first',
		certainty: 'likely',
		value: 'oldest-first',
		advice: 'A "<reason>" | more & more.',
	},
	{
		key: 'page-envelope',
		level: 'read',
		outcome: 'other form',
		expected: 'flat',
		seen: 'meta',
		certainty: 'certain',
		value: 'meta',
		advice: 'The nodes read both forms.',
	},
	{
		key: 'webhook-response',
		level: 'read',
		outcome: 'not checked',
		expected: '`status`',
		seen: 'No call has an answer of a webhook.',
	},
];

const report: Report = { ...about, levels: ['address', 'read'], requests: 17, findings };

const read = (name: string): Promise<string> => readFile(join(folder(), 'new', name), 'utf8');

describe('the reports', () => {
	it('are four files', async () => {
		await mkdir(join(folder(), 'new'));
		await writeReports(report, join(folder(), 'new'));
		expect((await readdir(join(folder(), 'new'))).sort()).toEqual([
			'junit.xml',
			'provider.yaml',
			'report.json',
			'report.md',
		]);
		expect(JSON.parse(await read('report.json'))).toEqual(report);
		expect(await read('provider.yaml')).toBe(
			`# How voice.example differs from contract/assumptions.yaml, measured 2026-03-02
# with version 1.0.0. Start the sandbox like it: --assume-file provider.yaml
call-order: oldest-first
page-envelope: meta
`,
		);
		expect(await read('report.md')).toBe(`# voice.example

2026-03-02, version 1.0.0, levels address, read, 17 requests: 1 as assumed, 1 in another form, 1 differ, 1 not checked.

## Differs

| Assumption | Assumed | Seen | How sure |
|---|---|---|---|
| call-order | newest first | oldest first | likely |

- **call-order**: A "<reason>" | more & more.

## In another form, which the nodes read

| Assumption | Assumed | Seen | How sure |
|---|---|---|---|
| page-envelope | flat | meta | certain |

- **page-envelope**: The nodes read both forms.

## Not checked

| Assumption | Why |
|---|---|
| webhook-response | No call has an answer of a webhook. |

## As assumed

| Assumption | Seen | How sure |
|---|---|---|
| id-form | IDs are numbers | certain |
`);
		expect(await read('junit.xml')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="voice.example" timestamp="2026-03-02T09:00:00.000Z">
	<testsuite name="address" tests="0" failures="0" errors="0" skipped="0">
	</testsuite>
	<testsuite name="read" tests="4" failures="1" errors="0" skipped="1">
		<testcase classname="read" name="id-form" />
		<testcase classname="read" name="call-order"><failure message="oldest first (expected: newest first)">A &quot;&lt;reason&gt;&quot; | more &amp; more.</failure></testcase>
		<testcase classname="read" name="page-envelope" />
		<testcase classname="read" name="webhook-response"><skipped message="No call has an answer of a webhook." /></testcase>
	</testsuite>
	<testsuite name="run" tests="1" errors="0">
		<testcase classname="run" name="to the end"></testcase>
	</testsuite>
</testsuites>
`);
	});

	it('show a check that failed as an error', async () => {
		const failed: KeyFinding[] = [
			{
				key: 'id-form',
				level: 'read',
				outcome: 'not checked',
				expected: '',
				seen: 'No.',
				failed: true,
			},
		];
		await writeReports({ ...report, findings: failed }, folder());
		expect(await readFile(join(folder(), 'junit.xml'), 'utf8')).toContain(
			'tests="1" failures="0" errors="1" skipped="0">\n\t\t<testcase classname="read" name="id-form"><error message="No." /></testcase>',
		);
	});

	it('say why a run ended early', async () => {
		const stopped = 'The service fails -- now.';
		await mkdir(join(folder(), 'new'));
		await writeReports({ ...report, stopped }, join(folder(), 'new'));
		expect(await read('report.md')).toContain(`\n**Stopped.** ${stopped}\n`);
		expect(await read('junit.xml')).toContain(`	<testsuite name="run" tests="1" errors="1">
		<testcase classname="run" name="to the end"><error message="${stopped}" /></testcase>
`);
		expect(summary({ ...report, stopped })).toContain(`\n${stopped}\n`);
	});
});

it('the exit status: 0 as assumed, 1 differs, 2 could not check', () => {
	const [assumed, differing, otherForm, unchecked] = findings as [
		KeyFinding,
		KeyFinding,
		KeyFinding,
		KeyFinding,
	];
	const failed = { ...unchecked, failed: true } as KeyFinding;
	expect(exitStatus({ findings: [assumed, otherForm, unchecked] })).toBe(0);
	expect(exitStatus({ findings: [assumed, differing, failed] })).toBe(1);
	expect(exitStatus({ findings: [assumed, failed] })).toBe(2);
	expect(exitStatus({ findings: [assumed, differing], stopped: 'It ended.' })).toBe(2);
});
