import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { CredentialRef, Workflow } from '../../../host/api/workflow.mts';
import { saveCredential } from '../../../host/n8n/provision.mts';
import { waitFor } from '../../../host/process/wait.mts';
import type { Checks } from '../../support/checks.mts';
import { operationNamed } from '../../support/n8n/operations.mts';
import { ALICE } from '../../support/sandbox/seed.mts';
import { startService, type Service } from '../../support/sandbox/service.mts';
import type { Turn } from '../../support/scriptedModel/script.mts';
import { workflow } from '../../support/workflows.mts';
import { seed } from '../seed.mts';
import type { E2eServers } from '../testEnvironment.mts';
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
import { chatUntilQuestion, type Chat } from './chat.mts';
import { operationTools, type OperationTool } from './operationTools.mts';

const CHAT = 'When chat message received';
const REVIEW = 'Ask in the chat';
const LIMIT_MS = 60_000;

/** The operations that cost money, in a running campaign also *Lead → Create*. */
const REVIEWED = ['campaign: start', 'sms: send', 'lead: create'].map(operationNamed);

/** n8n's *human review step* between the agent and a tool, which asks in n8n's own chat. */
export async function humanReview(
	checks: Checks,
	{ host, ...servers }: AgentServers & Pick<E2eServers, 'host'>,
): Promise<void> {
	if (host === 'oldest') {
		await checks.check('n8n 2.0 has no human review step, as the docs say', async () => {
			const types = await servers.catalogue.nodeTypes();
			assert.deepEqual(
				types.filter(({ name }) => name.endsWith('HitlTool')),
				[],
			);
		});
		return;
	}
	const service = await checks.cleanup.use(startService({ seed: seed() }));
	const alice = await saveCredential(servers.editor, 'Alice, human review', {
		url: service.url,
		token: ALICE,
	});
	const tools = await operationTools(servers, REVIEWED);
	await Promise.all(
		tools.map(async (tool) => await reviewed(checks, servers, tool, service, alice)),
	);
}

/** Checks one operation, in three conversations one after the other. */
async function reviewed(
	checks: Checks,
	servers: AgentServers,
	{ operation: { name: operation, request, output }, name, parameters, args }: OperationTool,
	service: Service,
	alice: CredentialRef,
): Promise<void> {
	const { check } = checks;
	const { editor, url } = servers;
	const use: Turn = [{ tool: toolName(name), args: { toolParameters: args, hitlParameters: {} } }];
	const agent = await startAgent(checks, servers, {
		name: `Scripted model, review of ${operation}`,
		script: [use, 'I stop.', use, 'I stop.', use, 'Done.'],
	});
	const webhookId = randomUUID();
	const { id } = await editor.createWorkflow(
		await reviewWorkflow(servers, agent, aiTool(name, parameters, alice), webhookId),
	);
	await editor.publish(id);

	const sent = async () =>
		(await service.control.requests())
			.filter(({ path }) => path === request.path)
			.map(({ body }) => body);

	/** @returns what the model reads after the decision */
	const decide = async (decision: (chat: Chat) => Promise<void> | void): Promise<string> => {
		const chat = await chatUntilQuestion(url, webhookId);
		assert.equal(chat.question, `${toolName(name)}: ${JSON.stringify(args)}`);
		assert.deepEqual(await sent(), []);
		await decision(chat);
		const ended = await waitFor('the agent to end', LIMIT_MS, async () =>
			editor.execution(chat.executionId),
		);
		assert.equal(ended.status, 'success', ended.error);
		return agent.model.requests.at(-1)?.toolAnswers.at(-1) ?? '';
	};

	await check(
		`${operation} is not sent when a person declines it, and the agent is told`,
		async () => {
			assert.match(await decide(async ({ click }) => await click('Decline')), /rejected/);
			assert.deepEqual(await sent(), []);
		},
	);

	await check(
		`${operation} is not sent when a person answers in words, which the agent reads`,
		async () => {
			assert.match(await decide(({ write }) => write('Not today')), /Not today/);
			assert.deepEqual(await sent(), []);
		},
	);

	await check(`${operation} is sent once after a person approves it`, async () => {
		const answer = await decide(async ({ click }) => await click('Approve'));
		assert.deepEqual(await sent(), [request.body]);
		assert.partialDeepStrictEqual(JSON.parse(answer), [output]);
	});

	await editor.unpublish(id);
}

/** A chat with the agent, which may use the tool after somebody approved in the same chat. */
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
