import { expect, it } from '@jest/globals';
import { eslint } from '../support/eslint.mts';
import { sampled } from '../support/sample.mts';

/** The rules that refuse a snippet in a file of the repository. */
async function refusals(path: string, code: string): Promise<string[]> {
	const [result] = await eslint.lintText(`${code}\n`, { filePath: path });
	if (result === undefined) throw new Error(`${path} is not linted`);
	return result.messages.map(({ ruleId, message }) => ruleId ?? message);
}

const NODE = 'nodes/VoiceAssistantCalling/transport/snippet.ts';
const SHARED = 'nodes/shared/client/snippet.ts';
const CREDENTIAL = 'credentials/snippet.ts';
const SANDBOX = 'sandbox/src/http/snippet.mts';
const DOMAIN = 'sandbox/src/domain/snippet.mts';
const SCRIPT = 'scripts/snippet.mts';
const TEST = 'test/nodes/snippet.test.mts';

const IMPORT = '@typescript-eslint/no-restricted-imports';
const SYNTAX = 'no-restricted-syntax';
const GLOBAL = 'no-restricted-globals';
const PROPERTY = 'no-restricted-properties';

/** ESLint's message about a comment that switches rules off. */
const NO_SWITCH =
	"'/* eslint-disable */' has no effect because you have 'noInlineConfig' setting in your config.";

/** One snippet for each restriction of eslint.tools.config.mjs. */
const REFUSED: Array<[path: string, code: string, rule: string]> = [
	// Who may import whom.
	[NODE, "export { default } from 'fastify';", IMPORT],
	[NODE, "export { readFile } from 'node:fs/promises';", IMPORT],
	[NODE, "export { createSandbox } from '../../../sandbox/index.mts';", IMPORT],
	[NODE, "export type { components } from '../../../contract/generated/service';", IMPORT],
	[NODE, "export const later = import('fastify');", SYNTAX],
	[NODE, "export type { Event } from '../../VoiceAssistantCallingTrigger/events';", IMPORT],
	[SHARED, "export { isEmpty } from '../../VoiceAssistantCalling/fields/toWireTypes';", IMPORT],
	[
		CREDENTIAL,
		"export { execute } from '../nodes/VoiceAssistantCalling/transport/execute';",
		IMPORT,
	],
	[SANDBOX, "export { ids } from '../../../nodes/shared/values/ids.ts';", IMPORT],
	[SANDBOX, "export { sleep } from 'n8n-workflow';", IMPORT],
	[SANDBOX, "export const later = import('../../../nodes/shared/values/ids.ts');", SYNTAX],
	['contract/snippet.mts', "export { createSandbox } from '../sandbox/index.mts';", IMPORT],
	[SCRIPT, "export { ids } from '../nodes/shared/values/ids.ts';", IMPORT],
	[TEST, "export { ids } from '../../dist/nodes/shared/ids.js';", IMPORT],
	// The layers of the nodes.
	['nodes/shared/values/snippet.ts', "export { paginate } from '../client/pages';", IMPORT],
	[
		'nodes/shared/records/snippet.ts',
		"export type { CallOutcome } from '../calls/outcome';",
		IMPORT,
	],
	[
		'nodes/VoiceAssistantCalling/fields/snippet.ts',
		"export type { Operation } from '../resources/operation';",
		IMPORT,
	],
	[
		'nodes/VoiceAssistantCalling/resources/lead/snippet.ts',
		"export { Run } from '../../transport/run';",
		IMPORT,
	],
	// The layers of the sandbox, and files that import each other.
	['sandbox/src/base/snippet.mts', "export { Store } from '../store/store.mts';", IMPORT],
	['sandbox/src/simulation/snippet.mts', "export { send } from '../outbound/send.mts';", IMPORT],
	['sandbox/src/runtime/snippet.mts', "export { Journal } from '../http/journal.mts';", IMPORT],
	['sandbox/src/store/table.mts', "export { Store } from './store.mts';", 'import-x/no-cycle'],
	['nodes/shared/client/failedRequest.ts', "export * from './retry';", 'import-x/no-cycle'],
	// Time and chance in the sandbox.
	[DOMAIN, 'export const now = Date.now();', PROPERTY],
	[DOMAIN, 'export const now = new Date();', SYNTAX],
	[DOMAIN, 'export const now = Date();', SYNTAX],
	[DOMAIN, 'export const chance = Math.random();', PROPERTY],
	[DOMAIN, 'setTimeout(() => undefined, 1);', GLOBAL],
	[DOMAIN, "export { setTimeout } from 'node:timers/promises';", IMPORT],
	[DOMAIN, 'export const soon = AbortSignal.timeout(1);', PROPERTY],
	// Forbidden in tests.
	[TEST, "it.skip('works', () => undefined);", PROPERTY],
	[TEST, 'setTimeout(() => undefined, 1000);', GLOBAL],
	[TEST, "export { setTimeout } from 'node:timers/promises';", IMPORT],
	// Forbidden everywhere. no-restricted-syntax does not add up, so each use of it is tried.
	...[NODE, SANDBOX, DOMAIN, SCRIPT, TEST].map((path): (typeof REFUSED)[number] => [
		path,
		'export const number = 1 as unknown as string;',
		SYNTAX,
	]),
	[SCRIPT, 'export const world = 1;', 'id-denylist'],
	[SCRIPT, '/* eslint-disable */', NO_SWITCH],
];

// That they allow what they should is shown by lint itself.
it.each(sampled(REFUSED, REFUSED.length))(
	'in %s our own lint rules refuse: %s',
	async (path, code, rule) => {
		expect(await refusals(path, code)).toContain(rule);
	},
);
