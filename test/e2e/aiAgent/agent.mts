import assert from 'node:assert/strict';

import * as z from 'zod';

import type { Execution, Item } from '../../../host/api/execution.mts';
import type { CredentialRef, Workflow } from '../../../host/api/workflow.mts';
import { ACTION } from '../../../host/n8n/names.mts';
import type { Turn } from '../../support/scriptedModel/script.mts';
import { startScriptedModel, type ScriptedModel } from '../../support/scriptedModel/server.mts';
import { node, start, START, withCredential, workflow } from '../../support/workflows.mts';
import type { E2eServers } from '../testEnvironment.mts';

/** The name of the agent's node. */
export const AGENT = 'AI Agent';
const MODEL = 'OpenAI Chat Model';
const LANGCHAIN = '@n8n/n8n-nodes-langchain';

export type Node = Workflow['nodes'][number];

/** The name that the model sees, of a tool whose name has only letters, digits and spaces (n8n 2.0, 2.41). */
export const toolName = (nodeName: string) => nodeName.replaceAll(' ', '_');

/** The action node as a tool. */
export const aiTool = (name: string, parameters: Item, credential: CredentialRef): Node =>
	withCredential(node(name, `${ACTION}Tool`, 1, parameters), credential);

const versions = z.object({
	version: z.union([z.number(), z.array(z.number())]),
	defaultVersion: z.number().optional(),
});

/** A node of n8n's LangChain package, in the version that the editor adds. */
export async function newLangchainNode(
	{ catalogue }: E2eServers,
	name: string,
	type: string,
	parameters: Item = {},
): Promise<Node> {
	const fullType = `${LANGCHAIN}.${type}`;
	const found = (await catalogue.nodeTypes()).filter((each) => each.name === fullType);
	assert.ok(found.length > 0, `n8n has no ${fullType}.`);
	const known = found.map((each) => versions.parse(each));
	const newest = Math.max(...known.flatMap(({ version }) => version));
	return node(name, fullType, known[0]?.defaultVersion ?? newest, parameters);
}

/** Connects a tool or a model to an agent, or a tool to a human review step. */
export const connection = (from: string, to: string, type: 'ai_tool' | 'ai_languageModel') => ({
	[from]: { [type]: [[{ node: to, type, index: 0 }]] },
});

/** An agent with its model, in the versions that the editor adds. */
export interface AgentParts {
	nodes: Node[];
	connections: Record<string, object>;
	model: ScriptedModel;
}

/**
 * Starts a model, and gives an agent that uses it.
 *
 * @param name of the model's credential
 * @param modelParameters settings of n8n's model node that are not its defaults
 */
export async function startAgent(
	servers: E2eServers,
	name: string,
	script: Turn[],
	modelParameters?: Item,
): Promise<AgentParts> {
	const model = await servers.cleanup.use(startScriptedModel(script));
	const openAi = await servers.editor.saveCredential('openAiApi', name, {
		apiKey: 'test-key',
		url: model.url,
	});
	const agent = await newLangchainNode(servers, AGENT, 'agent', {
		promptType: 'define',
		text: 'Follow the script.',
	});
	const chatModel = await newLangchainNode(servers, MODEL, 'lmChatOpenAi', modelParameters);
	return {
		nodes: [agent, withCredential(chatModel, openAi)],
		connections: connection(MODEL, AGENT, 'ai_languageModel'),
		model,
	};
}

/** Runs an agent with its tools to the end. @throws AssertionError when the execution fails */
export async function runAgent(
	{ editor }: E2eServers,
	name: string,
	{ nodes, connections }: AgentParts,
	tools: Node[],
): Promise<Execution> {
	const definition = workflow(name, [start(), ...nodes, ...tools], [[START, AGENT]]);
	const toAgent = tools.flatMap(({ name: tool }) =>
		Object.entries(connection(tool, AGENT, 'ai_tool')),
	);
	const { id } = await editor.createWorkflow({
		...definition,
		connections: { ...definition.connections, ...connections, ...Object.fromEntries(toAgent) },
	});
	const ended = await editor.run(id, START);
	assert.equal(ended.status, 'success', ended.error);
	return ended;
}
