import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { root } from '../support/package.mts';

// Rules that need types are off, because the files of the snippets do not exist.
const eslint = new ESLint({ cwd: root, overrideConfig: [tseslint.configs.disableTypeChecked] });

/** The rules that refuse a snippet in a file of the repository. */
async function refusals(path: string, code: string): Promise<string[]> {
	const [result] = await eslint.lintText(`${code}\n`, { filePath: path });
	if (result === undefined) throw new Error(`${path} is not linted`);
	return result.messages.map(({ ruleId, message }) => ruleId ?? message);
}

const NODE = 'nodes/VoiceAssistantCalling/transport/snippet.ts';
const TRIGGER = 'nodes/VoiceAssistantCallingTrigger/snippet.ts';
const SHARED = 'nodes/shared/client/snippet.ts';
const CREDENTIAL = 'credentials/snippet.ts';
const SANDBOX = 'sandbox/src/http/snippet.mts';
const DOMAIN = 'sandbox/src/domain/snippet.mts';
const RUNTIME = 'sandbox/src/runtime/snippet.mts';
const CONTRACT = 'contract/snippet.mts';
const SCRIPT = 'scripts/snippet.mts';
const TEST = 'test/nodes/snippet.test.mts';

const IMPORT = '@typescript-eslint/no-restricted-imports';
const SYNTAX = 'no-restricted-syntax';
const GLOBAL = 'no-restricted-globals';
const PROPERTY = 'no-restricted-properties';

describe('who may import whom', () => {
	it.each([
		[NODE, "export { sleep } from 'n8n-workflow';"],
		[NODE, "export { createHmac } from 'node:crypto';"],
		[NODE, "export { ids } from '../../shared/client/ids';"],
		[NODE, "export { isEmpty } from '../fields/toWireTypes';"],
		[CREDENTIAL, "export { checkedToken } from '../nodes/shared/client/credential';"],
		[NODE, "export type { components } from '../../../contract/generated/service';"],
		[SANDBOX, "export { operations } from '../../../contract/operations.mts';"],
		[SANDBOX, "export { default } from 'fastify';"],
		[SCRIPT, "export { createSandbox } from '../sandbox/index.mts';"],
		[TEST, "export { ids } from '../../nodes/shared/client/ids.ts';"],
		[TEST, "export { createSandbox } from '../../sandbox/index.mts';"],
	])('%s may: %s', async (path, code) => {
		expect(await refusals(path, code)).toEqual([]);
	});

	it.each([
		[NODE, "export { default } from 'fastify';", IMPORT],
		[NODE, "export { readFile } from 'node:fs/promises';", IMPORT],
		[NODE, "export { createSandbox } from '../../../sandbox/index.mts';", IMPORT],
		[NODE, "export { root } from '../../../test/support/package.mts';", IMPORT],
		[NODE, "export { values } from '../../../contract/generated/service';", IMPORT],
		[NODE, "export type { Contract } from '../../../contract/reading';", IMPORT],
		[NODE, "export const later = import('fastify');", SYNTAX],
		[NODE, "export { token } from '../../VoiceAssistantCallingTrigger/token';", IMPORT],
		[NODE, "export type { Event } from '../../VoiceAssistantCallingTrigger/events';", IMPORT],
		[NODE, "export * from '../../../nodes/VoiceAssistantCallingTrigger/events';", IMPORT],
		[TRIGGER, "export { isEmpty } from '../VoiceAssistantCalling/fields/toWireTypes';", IMPORT],
		[SHARED, "export { isEmpty } from '../../VoiceAssistantCalling/fields/toWireTypes';", IMPORT],
		[
			CREDENTIAL,
			"export { execute } from '../nodes/VoiceAssistantCalling/transport/execute';",
			IMPORT,
		],
		[CREDENTIAL, "export { createSandbox } from '../sandbox/index.mts';", IMPORT],
		[SANDBOX, "export { ids } from '../../../nodes/shared/client/ids.ts';", IMPORT],
		[SANDBOX, "export type { Ids } from '../../../nodes/shared/client/ids.ts';", IMPORT],
		[SANDBOX, "export { root } from '../../../test/support/package.mts';", IMPORT],
		[SANDBOX, "export { n8n } from '../../../host/process/server.mts';", IMPORT],
		[SANDBOX, "export { sleep } from 'n8n-workflow';", IMPORT],
		[SANDBOX, "export const later = import('../../../nodes/shared/client/ids.ts');", SYNTAX],
		[CONTRACT, "export { createSandbox } from '../sandbox/index.mts';", IMPORT],
		[SCRIPT, "export { ids } from '../nodes/shared/client/ids.ts';", IMPORT],
		[TEST, "export { ids } from '../../dist/nodes/shared/ids.js';", IMPORT],
	])('%s may not: %s', async (path, code, rule) => {
		expect(await refusals(path, code)).toContain(rule);
	});
});

describe('the layers of the sandbox', () => {
	it.each([
		['sandbox/src/base/snippet.mts', "export { Store } from '../store/store.mts';"],
		['sandbox/src/store/snippet.mts', "export { toE164 } from '../domain/phone.mts';"],
		['sandbox/src/domain/lead/snippet.mts', "export * from '../../simulation/callLeads.mts';"],
		['sandbox/src/simulation/snippet.mts', "export { send } from '../outbound/send.mts';"],
		['sandbox/src/outbound/snippet.mts', "export { Clock } from '../runtime/clock.mts';"],
		[RUNTIME, "export { Journal } from '../http/journal.mts';"],
		[SANDBOX, "export { inputs } from '../control/inputs.mts';"],
	])('%s may not: %s', async (path, code) => {
		expect(await refusals(path, code)).toEqual([IMPORT]);
	});

	it('may use lower layers', async () => {
		const code = "export { toE164 } from '../domain/phone.mts';";
		expect(await refusals(SANDBOX, code)).toEqual([]);
	});
});

describe('files that import each other', () => {
	it.each([
		['sandbox/src/store/table.mts', "export { Store } from './store.mts';"],
		['nodes/shared/client/failure.ts', "export { requestWithRetry } from './retry';"],
		['test/support/sandbox/testService.mts', "export * from './unchangedService.mts';"],
	])('are refused: %s with %s', async (path, code) => {
		expect(await refusals(path, code)).toContain('import-x/no-cycle');
	});
});

describe('time and chance in the sandbox', () => {
	const uses = [
		['export const now = Date.now();', PROPERTY],
		['export const now = new Date();', SYNTAX],
		['export const now = Date();', SYNTAX],
		['export const chance = Math.random();', PROPERTY],
		['setTimeout(() => undefined, 1);', GLOBAL],
		['setInterval(() => undefined, 1);', GLOBAL],
		["export { setTimeout } from 'node:timers/promises';", IMPORT],
		['export const soon = AbortSignal.timeout(1);', PROPERTY],
	] as const;

	it.each(uses)('the domain refuses: %s', async (code, rule) => {
		expect(await refusals(DOMAIN, code)).toEqual([rule]);
	});

	it.each(uses.map(([code]) => code))('the runtime may: %s', async (code) => {
		expect(await refusals(RUNTIME, code)).toEqual([]);
	});

	it('the domain may make a date of a given time', async () => {
		expect(await refusals(DOMAIN, 'export const at = new Date(0);')).toEqual([]);
	});
});

describe('forbidden everywhere', () => {
	it.each([NODE, SANDBOX, SCRIPT, TEST])('%s may not switch a rule off', async (path) => {
		const [message] = await refusals(path, '/* eslint-disable */');
		expect(message).toMatch(/has no effect/);
	});

	it.each([NODE, SANDBOX, SCRIPT, TEST])('%s may not leave the type system', async (path) => {
		expect(await refusals(path, 'export const number = 1 as unknown as string;')).toContain(SYNTAX);
		expect(await refusals(path, 'export const anything = (value: any) => value;')).toContain(
			'@typescript-eslint/no-explicit-any',
		);
		expect(await refusals(path, '// @ts-ignore\nexport const number: string = 1;')).toContain(
			'@typescript-eslint/ban-ts-comment',
		);
	});

	it.each([
		["it.skip('works', () => undefined);", PROPERTY],
		["describe.only('works', () => undefined);", PROPERTY],
		['setTimeout(() => undefined, 1000);', GLOBAL],
		["export { setTimeout } from 'node:timers/promises';", IMPORT],
	])('a test may not: %s', async (code, rule) => {
		expect(await refusals(TEST, code)).toContain(rule);
	});
});
