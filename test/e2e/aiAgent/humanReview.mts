import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import type { Workflow } from '../../../host/api/workflow.mts';
import { waitFor } from '../../../host/process/wait.mts';
import { openChat, openLink, type Chat, type Question } from '../../support/chat.mts';
import { operationNamed, outputDifferences } from '../../support/n8n/operations.mts';
import type { ToolCall } from '../../support/scriptedModel/script.mts';
import { workflow } from '../../support/workflows.mts';
import { startOwnService, type E2eEnvironment, type E2eServers } from '../testEnvironment.mts';
import { waitingLinks } from '../waitingLinks.mts';
import {
	AGENT,
	aiTool,
	connection,
	newLangchainNode,
	startAgent,
	toolName,
	type AgentParts,
	type Node,
} from './agent.mts';
import { operationTools } from './operationTools.mts';

const CHAT = 'When chat message received';
const REVIEW = 'Ask in the chat';
const LIMIT_MS = 60_000;

const SMS = operationNamed('sms: send');
const TEXTS = ['The first text', 'The second text'];

/**
 * n8n's *human review step* between the agent and *SMS → Send*, which asks in n8n's own chat. The gallery
 * has it before *Lead → Create* and *Campaign → Start*.
 */
export async function humanReview(environment: E2eEnvironment): Promise<void> {
	const { check, editor, host, url } = environment;
	// n8n 2.0 has no such step.
	if (host === 'oldest') return;
	const { control, aliceRef } = await startOwnService(environment, 'human review');
	const [tool] = await operationTools(environment, [SMS]);
	assert.ok(tool);
	/** How a model uses a tool behind the step, which adds parameters of its own. */
	const use = (changed: object = {}): ToolCall => ({
		tool: toolName(tool.name),
		args: { toolParameters: { ...tool.args, ...changed }, hitlParameters: {} },
	});
	const once = [use()];
	const twice = TEXTS.map((body) => use({ body }));
	const agent = await startAgent(environment, 'Scripted model, human review', [
		...[once, 'I stop.', once, 'I stop.', once, 'Done.'],
		...[twice, once, 'I stop.', 'I stop.', twice, 'Done.'],
	]);
	const webhookId = randomUUID();
	const { id: workflowId } = await editor.createWorkflow(
		await reviewWorkflow(
			environment,
			agent,
			aiTool(tool.name, tool.parameters, aliceRef),
			webhookId,
		),
	);
	await editor.publish(workflowId);

	const sent = async () => (await control.requests()).map(({ body }) => body);
	const links = async (executionId: string) =>
		await waitingLinks(editor, workflowId, executionId, 'webhook-waiting');
	/** Waits until the agent has ended. @returns what the tool has answered, as the model reads it */
	const toolAnswers = async ({ executionId }: Chat): Promise<string[]> => {
		const ended = await waitFor('the agent to end', LIMIT_MS, async () =>
			editor.execution(executionId),
		);
		assert.equal(ended.status, 'success', ended.error);
		return agent.model.requests.at(-1)?.toolAnswers ?? [];
	};
	/** @returns what the model reads after the decision */
	const decide = async (
		decision: (question: Question, chat: Chat) => Promise<void> | void,
	): Promise<string> => {
		using chat = await openChat(url, webhookId);
		const question = await chat.question();
		assert.equal(question.text, `${toolName(tool.name)}: ${JSON.stringify(tool.args)}`);
		assert.deepEqual(await sent(), []);
		await decision(question, chat);
		return (await toolAnswers(chat)).at(-1) ?? '';
	};

	await check('nothing is sent when a person declines it, and the agent is told', async () => {
		assert.match(await decide(async ({ click }) => await click('Decline')), /rejected/);
		assert.deepEqual(await sent(), []);
	});

	await check('nothing is sent when a person answers in words; the agent reads them', async () => {
		assert.match(await decide((_question, { write }) => write('Not today')), /Not today/);
		assert.deepEqual(await sent(), []);
	});

	await check('an SMS is sent once after a person approves it', async () => {
		const answer = await decide(async ({ click }) => await click('Approve'));
		const [request, ...others] = await control.requests();
		assert.deepEqual([request?.body, others], [SMS.request.body, []]);
		assert.ok(request);
		const [item] = z.tuple([z.record(z.unknown())]).parse(JSON.parse(answer));
		assert.deepEqual(outputDifferences(SMS, await control.responseTo(request), item), []);
	});

	// Several uses of a tool in one turn: see docs/agents.md.
	await check("n8n 2.41's chat does not ask about two uses in one turn; none is sent", async () => {
		const before = await sent();
		using silent = await openChat(url, webhookId);
		await links(silent.executionId);
		// n8n looks after each chat at the same interval. When it asks in a later one, it has looked
		// after this one too.
		using later = await openChat(url, webhookId);
		const { click } = await later.question();
		assert.deepEqual(silent.received, []);
		await click('Decline');
		await toolAnswers(later);
		silent.write('Not today');
		await toolAnswers(silent);
		assert.deepEqual(await sent(), before);
	});

	await check('n8n 2.41 sends the first of two uses after an approval, and no other', async () => {
		const before = await sent();
		using chat = await openChat(url, webhookId);
		// Apps such as Slack show this link.
		const approve = (await links(chat.executionId)).find((link) => /approved=true/.test(link));
		assert.ok(approve, 'The execution has no link to approve.');
		assert.deepEqual(await sent(), before);
		await openLink(approve);
		const answers = await toolAnswers(chat);
		assert.deepEqual(await sent(), [...before, { ...SMS.request.body, body: TEXTS[0] }]);
		assert.partialDeepStrictEqual(
			answers.map((answer): unknown => JSON.parse(answer)),
			[[{ to: SMS.request.body?.to, body: TEXTS[0], status: 'sent' }]],
		);
		assert.equal(answers.length, 1);
	});
	await editor.unpublish(workflowId);
}

/** A chat with an agent, which may use the tool after somebody approved in the same chat. */
async function reviewWorkflow(
	servers: E2eServers,
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
