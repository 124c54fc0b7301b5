import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { CredentialRef, Workflow } from '../../../host/api/workflow.mts';
import { waitFor } from '../../../host/process/wait.mts';
import { openChat, type Chat } from '../../support/chat.mts';
import type { Checks } from '../../support/checks.mts';
import type { ToolCall, Turn } from '../../support/scriptedModel/script.mts';
import { workflow } from '../../support/workflows.mts';
import {
	AGENT,
	aiTool,
	connection,
	newLangchainNode,
	startAgent,
	toolName,
	type AgentParts,
	type AgentServers,
	type Node,
} from './agent.mts';
import type { OperationTool } from './operationTools.mts';

const CHAT = 'When chat message received';
const REVIEW = 'Ask in the chat';
const LIMIT_MS = 60_000;

/**
 * A published chat with an agent, which may use one tool after somebody approved in the same chat.
 * Its disposal unpublishes the workflow.
 */
export interface ReviewedAgent extends AsyncDisposable {
	workflowId: string;
	/** Writes the first message of a new conversation. */
	chat: () => Promise<Chat>;
	/** Waits until the agent has ended. @returns what the tool has answered, as the model reads it */
	toolAnswers: (executionId: string) => Promise<string[]>;
}

/** How a model uses a tool behind a human review step, which adds parameters of its own. */
export const reviewedUse = ({ name }: OperationTool, args: OperationTool['args']): ToolCall => ({
	tool: toolName(name),
	args: { toolParameters: args, hitlParameters: {} },
});

/**
 * Publishes the chat.
 *
 * @param name of the model's credential
 */
export async function publishReviewedAgent(
	checks: Checks,
	servers: AgentServers,
	{
		name,
		tool,
		alice,
		script,
	}: { name: string; tool: OperationTool; alice: CredentialRef; script: Turn[] },
): Promise<ReviewedAgent> {
	const { editor, url } = servers;
	const agent = await startAgent(checks, servers, { name, script });
	const webhookId = randomUUID();
	const { id: workflowId } = await editor.createWorkflow(
		await reviewWorkflow(servers, agent, aiTool(tool.name, tool.parameters, alice), webhookId),
	);
	await editor.publish(workflowId);
	return {
		workflowId,
		chat: async () => await openChat(url, webhookId),
		async toolAnswers(executionId) {
			const ended = await waitFor('the agent to end', LIMIT_MS, async () =>
				editor.execution(executionId),
			);
			assert.equal(ended.status, 'success', ended.error);
			return agent.model.requests.at(-1)?.toolAnswers ?? [];
		},
		[Symbol.asyncDispose]: async () => await editor.unpublish(workflowId),
	};
}

/** The workflow, with n8n's *human review step* between the agent and the tool. */
async function reviewWorkflow(
	servers: AgentServers,
	agent: AgentParts,
	tool: Node,
	webhookId: string,
): Promise<Workflow> {
	const trigger = await newLangchainNode(servers, CHAT, 'chatTrigger', {
		public: true,
		options: { responseMode: 'responseNodes' },
	});
	const review = await newLangchainNode(servers, REVIEW, 'chatHitlTool', {
		message: '={{ $tool.name }}: {{ $tool.parameters.toJsonString() }}',
		approvalOptions: { values: { approvalType: 'double' } },
	});
	const nodes = [
		{ ...trigger, webhookId },
		{ ...review, webhookId: randomUUID() },
		tool,
		...agent.nodes,
	];
	const definition = workflow(`Review of ${tool.name}`, nodes, [[CHAT, AGENT]]);
	const connections = {
		...definition.connections,
		...agent.connections,
		...connection(tool.name, REVIEW, 'ai_tool'),
		...connection(REVIEW, AGENT, 'ai_tool'),
	};
	return { ...definition, connections };
}
