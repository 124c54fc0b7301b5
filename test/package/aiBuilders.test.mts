import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
	generateWorkflowCode,
	orchestrateGeneration,
	parseWorkflowCode,
	type WorkflowJSON,
} from '@n8n/workflow-sdk';
import ts from 'typescript';
import { PACKAGE } from '../../host/n8n/names.mts';
import { packageNodeTypes } from '../support/n8n/package.mts';
import { filesMatching, root } from '../support/package.mts';

// n8n's assistant and its MCP server show nodes as TypeScript, and workflows as code (n8n 2.41).

// In the repository, so that TypeScript finds n8n's package.
const folder = mkdtempSync(join(root, 'node_modules/.ai-builders-'));
afterAll(() => rmSync(folder, { recursive: true }));

await orchestrateGeneration({
	nodes: [...packageNodeTypes.values()].map(({ description }) => ({
		...description,
		name: `${PACKAGE}.${description.name}`,
	})) as never,
	outputDir: folder,
});

/** What an AI builder reads, by file. */
const generated = filesMatching(`${folder.slice(root.length + 1)}/**/*.ts`).map((file) => ({
	file: file.replace(/^.*resource_/, ''),
	text: readFileSync(join(root, file), 'utf8'),
}));

/** The patterns that builders are told to follow, out of the comments, with the files that have them. */
const patterns = new Map<string, { code: string; files: string[] }>();
for (const { file, text } of generated) {
	const lines = text.replaceAll(/^ *\* ?/gm, '');
	for (const [, title = '', code = ''] of lines.matchAll(
		/<pattern title="(.+)">\n(.+?)<\/pattern>/gs,
	)) {
		const files = patterns.get(title)?.files ?? [];
		patterns.set(title, { code, files: [...files, file] });
	}
}

const examples = filesMatching('examples/*.json').map((file) => ({
	name: basename(file, '.json'),
	workflow: JSON.parse(readFileSync(join(root, file), 'utf8')) as WorkflowJSON,
}));

/** What the generated types leave to n8n. */
const AMBIENT = `
import type * as sdk from '@n8n/workflow-sdk';
declare global {
	type CredentialReference = sdk.CredentialReference | sdk.NewCredentialValue;
	type Expression<_Value> = string;
	type IDataObject = { [name: string]: unknown };
	type Items<Item> = Item[];
	type NodeConfig<Parameters> = sdk.NodeConfig<Parameters>;
}`;

/**
 * What the code of a workflow uses. Nodes of this package must fit their types. What the functions give is
 * `any`: the SDK's own types of a chain do not take the generated ones, and only the inputs are looked at.
 */
const PRELUDE = `
import * as sdk from '@n8n/workflow-sdk';
import type { AllNodeTypes, VoiceAssistantCallingNode } from './index';
const { expr, languageModel, memory, merge, newCredential, nextBatch, splitInBatches, sticky, workflow } = sdk;
type AsTool<Node> = Node extends { type: string } ? Omit<Node, 'type'> & { type: \`\${Node['type']}Tool\` } : never;
type Own<Node> = Node extends unknown ? Omit<Node, 'isTrigger'> : never;
type Foreign<Input> = Input & { type: \`n8n-nodes-base.\${string}\` | \`@n8n/\${string}\` };
declare function node(input: VoiceAssistantCallingNode): any;
declare function node(input: Foreign<Parameters<typeof sdk.node>[0]>): any;
declare function trigger(input: Own<AllNodeTypes>): any;
declare function trigger(input: Foreign<Parameters<typeof sdk.trigger>[0]>): any;
declare function tool(input: AsTool<VoiceAssistantCallingNode>): any;
declare function tool(input: Foreign<Parameters<typeof sdk.tool>[0]>): any;
`;

/** Compiles code that uses the types. @returns what TypeScript finds wrong, with the names of the texts */
function compile(code: Map<string, string>): string[] {
	const all = new Map([...code, ['ambient', AMBIENT]]);
	const texts = new Map([...all].map(([name, text]) => [toFile(name), text]));
	const options: ts.CompilerOptions = {
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler,
		noEmit: true,
		skipLibCheck: true,
		strict: true,
		target: ts.ScriptTarget.ES2022,
		types: [],
	};
	const disk = ts.createCompilerHost(options);
	const host: ts.CompilerHost = {
		...disk,
		fileExists: (file) => texts.has(file) || disk.fileExists(file),
		readFile: (file) => texts.get(file) ?? disk.readFile(file),
		getSourceFile(file, version) {
			const text = texts.get(file);
			if (text === undefined) return disk.getSourceFile(file, version);
			return ts.createSourceFile(file, text, version);
		},
	};
	const program = ts.createProgram([...texts.keys()], options, host);
	return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
		const message = ts.flattenDiagnosticMessageText(messageText, '\n');
		return `${basename(file?.fileName ?? '')}: ${message}`;
	});
}

const toFile = (name: string) => join(folder, `${name}.ts`);

/** What is wrong, the parameters of *Lead → Create*, and what the message names. */
const WRONG: Array<[what: string, parameters: string, expectedText: string]> = [
	['a field that there is not', "phoneNumber: '+14155550123', colour: 'blue'", 'colour'],
	['a wrong choice', "phoneNumber: '+14155550123', variablesMode: 'yaml'", 'yaml'],
	['a missing field', "customerName: 'Ada'", 'phoneNumber'],
];

// Together, because TypeScript reads the types again for each program.
const found = compile(
	new Map([
		...examples.map(
			({ name, workflow }) => [name, PRELUDE + generateWorkflowCode(workflow)] as const,
		),
		...[...patterns].map(([title, { code }]) => [title, PRELUDE + code] as const),
		...WRONG.map(([what, parameters]) => {
			const code = `node({ type: '${PACKAGE}.voiceAssistantCalling', version: 1, config: { parameters: { resource: 'lead', operation: 'create', ${parameters} } } });`;
			return [`wrong ${what}`, PRELUDE + code] as const;
		}),
	]),
);

describe('AI builders', () => {
	it('read types without marks of HTML', () => {
		expect(generated.length).toBeGreaterThan(20);
		// n8n adds Poll Times, whose text has a list.
		const lines = generated.flatMap(({ text }) => text.split('\n'));
		const ours = lines.filter((line) => !line.includes('Use custom cron expression'));
		expect(
			ours.filter((line) => /&(?:amp|gt|lt|quot);|<\/|<br/.test(line.replace(/<\/patterns?>/, ''))),
		).toEqual([]);
	});

	it('read what costs money', () => {
		const costly = generated.filter(({ text }) => text.includes('money')).map(({ file }) => file);
		expect(costly.sort()).toEqual(
			expect.arrayContaining([
				'campaign/operation_start.ts',
				'custom_api_call/operation_send_request.ts',
				'lead/operation_create.ts',
				'lead/operation_update.ts',
				'sms/operation_send.ts',
			]),
		);
	});

	it.each(examples)('get the same nodes back from the code of $name', ({ workflow }) => {
		const { nodes } = parseWorkflowCode(generateWorkflowCode(workflow));
		const shown = (all: WorkflowJSON['nodes']) =>
			all.map(({ name, type, parameters }) => ({ name, type, parameters }));
		expect(shown(nodes)).toEqual(expect.arrayContaining(shown(workflow.nodes)));
	});

	it('read patterns where they need them, which are workflows', () => {
		const shown = [...patterns].map(([title, { code, files }]) => {
			const { nodes } = parseWorkflowCode(code);
			return { title, files: files.sort(), nodes: nodes.map(({ name }) => name) };
		});
		expect(shown).toEqual([
			{
				title: 'When a call completes, thank those who answered by SMS',
				files: ['call/operation_get_all.ts', 'sms/operation_send.ts'],
				nodes: ['When a call completes', 'Thank by SMS'],
			},
			{
				title: 'Add people to a campaign, then start it, which calls them',
				files: ['campaign/operation_start.ts', 'lead/operation_create.ts'],
				nodes: ['Start', 'Add lead', 'Only new leads', 'Start campaign'],
			},
		]);
	});

	it('write workflows that fit the types: the code of every example and pattern compiles', () => {
		expect(found.filter((line) => !line.startsWith('wrong '))).toEqual([]);
	});

	it.each(WRONG)('are told %s', (what, _, expectedText) => {
		const lines = found.filter((line) => line.startsWith(`wrong ${what}.ts`));
		expect(lines.join('\n')).toContain(expectedText);
	});
});
