import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from '@jest/globals';
import { root } from '../../../test/support/package.mts';
import { CHECKS } from '../../src/verify/checks.mts';
import { findingLine, summary } from '../../src/verify/report/terminal.mts';
import { createSandbox } from '../../index.mts';
import { verifyAt } from './support/measure.mts';

const page = await readFile(join(root, 'docs/check-your-provider.md'), 'utf8');

/** What the page lets a reader start. */
const [, assumeFile = ''] = /npm run sandbox -- --assume-file (\S+)/.exec(page) ?? [];

it('the page shows what verify prints at the sandbox that it starts', async () => {
	const sandbox = await createSandbox({ port: 0, assumeFile: join(root, assumeFile) });
	const levels = ['address', 'read'] as const;
	const result = await verifyAt(sandbox.url, { token: sandbox.token, levels });
	await sandbox.close();
	const keyWidth = Math.max(...CHECKS.map(({ key }) => key.length));
	const lines = result.findings
		.filter(({ outcome }) => outcome !== 'as assumed')
		.map((finding) => findingLine(finding, keyWidth));
	const about = { provider: '', at: '', version: '', levels };
	const printed = stripVTControlCharacters([...lines, summary({ ...about, ...result })].join('\n'));
	const [, shown] = /```text\n([^]*?)\n```/.exec(page) ?? [];
	expect(shown).toBe(printed);
});
