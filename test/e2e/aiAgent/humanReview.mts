import assert from 'node:assert/strict';

import type { Chat, Question } from '../../support/chat.mts';
import type { Checks } from '../../support/checks.mts';
import { operationNamed } from '../../support/n8n/operations.mts';
import { startAccount, type Account } from '../account.mts';
import type { E2eServers } from '../testEnvironment.mts';
import { toolName, type AgentServers } from './agent.mts';
import { operationTools, type OperationTool } from './operationTools.mts';
import { publishReviewedAgent, reviewedUse } from './reviewedAgent.mts';
import { severalUses } from './severalUses.mts';

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
	const account = await startAccount(checks, servers, 'Alice, human review');
	const tools = await operationTools(servers, REVIEWED);
	await Promise.all([
		...tools.map(async (tool) => await decisions(checks, servers, account, tool)),
		severalUses(checks, servers),
	]);
}

/** Checks one operation, in three conversations one after the other. */
async function decisions(
	checks: Checks,
	servers: AgentServers,
	{ service, alice }: Account,
	tool: OperationTool,
): Promise<void> {
	const { check } = checks;
	const { name: operation, request, output } = tool.operation;
	const use = [reviewedUse(tool, tool.args)];
	await using agent = await publishReviewedAgent(checks, servers, {
		name: `Scripted model, review of ${operation}`,
		tool,
		alice,
		script: [use, 'I stop.', use, 'I stop.', use, 'Done.'],
	});

	const sent = async () =>
		(await service.control.requests())
			.filter(({ path }) => path === request.path)
			.map(({ body }) => body);

	/** @returns what the model reads after the decision */
	const decide = async (
		decision: (question: Question, chat: Chat) => Promise<void> | void,
	): Promise<string> => {
		using chat = await agent.chat();
		const question = await chat.question();
		assert.equal(question.text, `${toolName(tool.name)}: ${JSON.stringify(tool.args)}`);
		assert.deepEqual(await sent(), []);
		await decision(question, chat);
		return (await agent.toolAnswers(chat.executionId)).at(-1) ?? '';
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
			assert.match(await decide((_question, { write }) => write('Not today')), /Not today/);
			assert.deepEqual(await sent(), []);
		},
	);

	await check(`${operation} is sent once after a person approves it`, async () => {
		const answer = await decide(async ({ click }) => await click('Approve'));
		assert.deepEqual(await sent(), [request.body]);
		assert.partialDeepStrictEqual(JSON.parse(answer), [output]);
	});
}
