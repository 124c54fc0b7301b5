import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { filesMatching, root } from '../support/package.mts';

// What n8n 3.0 removes (n8n's page "n8n 3.0 breaking changes", November 2026). Our page about it names the rest.

const SETTINGS =
	/OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS|N8N_DB_PING_TIMEOUT|N8N_MIGRATE_FS_STORAGE_PATH|N8N_DEFAULT_BINARY_DATA_MODE\W{1,4}default/;
const NODES =
	/^n8n-nodes-base\.(function|functionItem|itemLists|aiTransform)$|^@n8n\/n8n-nodes-langchain\.code$/;
const HELPERS = /\$getPairedItem|\$evaluateExpression/;

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const ABOUT_IT = ['docs/n8n-3.md', 'test/package/n8n3.test.mts'];
const files = filesMatching(
	'*.{md,yaml}',
	'{docs,host,test,scripts,.github}/**/*.{md,mts,yml}',
	'sandbox/*.md',
).filter((file) => !ABOUT_IT.includes(file));

it('nothing needs a setting that n8n 3.0 removes', () => {
	expect(files.length).toBeGreaterThan(100);
	expect(files.filter((file) => SETTINGS.test(read(file)))).toEqual([]);
	const named = new Set(read('docs/n8n-3.md').match(new RegExp(SETTINGS, 'g')));
	expect([...named].sort()).toEqual([
		'N8N_DEFAULT_BINARY_DATA_MODE=default',
		'OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS',
	]);
});

const workflow = z.object({
	nodes: z.array(z.object({ type: z.string(), typeVersion: z.number(), parameters: z.unknown() })),
});

describe.each(filesMatching('examples/*.json'))('%s', (file) => {
	const { nodes } = workflow.parse(JSON.parse(read(file)));

	it('has no node, version or mode that n8n 3.0 removes', () => {
		const removed = nodes.filter(
			({ type, typeVersion, parameters }) =>
				NODES.test(type) ||
				(type.endsWith('.agent') && typeVersion < 2) ||
				(type.endsWith('.executeWorkflow') && JSON.stringify(parameters).includes('"mode":"each"')),
		);
		expect(removed).toEqual([]);
	});

	it('uses no helper that n8n 3.0 removes', () => {
		expect(read(file)).not.toMatch(HELPERS);
	});
});
