import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { Item } from '../../../host/api/execution.mts';
import type { CredentialRef, Workflow } from '../../../host/api/workflow.mts';
import { saveCredential } from '../../../host/n8n/provision.mts';
import { waitFor } from '../../../host/process/wait.mts';
import type { Checks } from '../../support/checks.mts';
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

const CHAT = 'When chat message received';
const REVIEW = 'Ask in the chat';
const LIMIT_MS = 60_000;

/** An operation behind a human review step: its node, what the model fills in, and its request. */
interface ReviewedOperation {
	operation: string;
	node: string;
	parameters: Item;
	args: Item;
	path: string;
	body: Item;
	/** of the record that the service gives back */
	status: string;
}

const OPERATIONS: ReviewedOperation[] = [
	{
		operation: 'campaign: start',
		node: 'Start campaign with paid calls in Voice Assistant Calling',
		parameters: {
			resource: 'campaign',
			operation: 'start',
			campaignId: "={{ $fromAI('campaign', 'ID of the campaign', 'string') }}",
		},
		args: { campaign: '1' },
		path: '/api/user/campaigns/update-status',
		body: { campaign_id: 1, action: 'start' },
		status: 'in-progress',
	},
	{
		operation: 'sms: send',
		node: 'Send paid SMS in Voice Assistant Calling',
		parameters: {
			resource: 'sms',
			operation: 'send',
			phoneNumberId: '1',
			to: "={{ $fromAI('to', 'Phone number with country code', 'string') }}",
			body: "={{ $fromAI('text', 'At most 300 characters', 'string') }}",
		},
		args: { to: '+4915112345699', text: 'Thank you!' },
		path: '/api/user/sms',
		body: { from: 1, to: '+4915112345699', body: 'Thank you!' },
		status: 'sent',
	},
	{
		operation: 'lead: create',
		node: 'Create lead in Voice Assistant Calling',
		parameters: {
			resource: 'lead',
			operation: 'create',
			campaignId: '1',
			phoneNumber: "={{ $fromAI('phone', 'Phone number with country code', 'string') }}",
		},
		args: { phone: '+4915112345699' },
		path: '/api/user/lead',
		body: { campaign_id: 1, phone_number: '+4915112345699' },
		status: 'created',
	},
];

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
	await Promise.all(
		OPERATIONS.map(async (operation) => {
			await reviewed(checks, servers, operation, service, alice);
		}),
	);
}

/** Checks one operation, in three conversations one after the other. */
async function reviewed(
	checks: Checks,
	servers: AgentServers,
	{ operation, node, parameters, args, path, body, status }: ReviewedOperation,
	service: Service,
	alice: CredentialRef,
): Promise<void> {
	const { check } = checks;
	const { editor, url } = servers;
	const use: Turn = [{ tool: toolName(node), args: { toolParameters: args, hitlParameters: {} } }];
	const agent = await startAgent(checks, servers, {
		name: `Scripted model, review of ${operation}`,
		script: [use, 'I stop.', use, 'I stop.', use, 'Done.'],
	});
	const webhookId = randomUUID();
	const { id } = await editor.createWorkflow(
		await reviewWorkflow(servers, agent, aiTool(node, parameters, alice), webhookId),
	);
	await editor.publish(id);

	const sent = async () =>
		(await service.control.requests())
			.filter((request) => request.path === path)
			.map((request) => request.body);

	/** @returns what the model reads after the decision */
	const decide = async (decision: (chat: Chat) => Promise<void> | void): Promise<string> => {
		const chat = await chatUntilQuestion(url, webhookId);
		assert.equal(chat.question, `${toolName(node)}: ${JSON.stringify(args)}`);
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
		assert.deepEqual(await sent(), [body]);
		assert.partialDeepStrictEqual(JSON.parse(answer), [{ status }]);
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
