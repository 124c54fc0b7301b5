import assert from 'node:assert/strict';

import { itemsOf, type Item } from '../../host/api/execution.mts';
import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { ACTION } from '../../host/n8n/names.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import type { Checks } from '../support/checks.mts';
import { ALICE } from '../support/sandbox/seed.mts';
import { startService } from '../support/sandbox/service.mts';
import { startScriptedModel, type OfferedTool, type Turn } from '../support/scriptedModel.mts';
import type { TestN8n } from '../support/startTestN8n.mts';
import { node, start, START, withCredential, workflow } from '../support/workflows.mts';
import { seed } from './seed.mts';

const AGENT = 'AI Agent';
const MODEL = 'Model';

/** The tools of the agent, with the names that n8n's editor gives to them. */
const TOOLS: Record<string, Item> = {
	'Create lead in Voice Assistant Calling': {
		resource: 'lead',
		operation: 'create',
		campaignId: '1',
		phoneNumber:
			"={{ $fromAI('phone_number', 'Phone number with country code. If the campaign is running, the call costs money.', 'string') }}",
	},
	'Get many calls in Voice Assistant Calling': {
		resource: 'call',
		operation: 'getAll',
		limit: 5,
		filters: {
			phoneNumber: "={{ $fromAI('phone_number', 'Phone number with country code', 'string') }}",
		},
	},
	'Start campaign with paid calls in Voice Assistant Calling': {
		resource: 'campaign',
		operation: 'start',
		campaignId: '1',
	},
	'Send paid SMS in Voice Assistant Calling': {
		resource: 'sms',
		operation: 'send',
		phoneNumberId: '1',
		to: "={{ $fromAI('to', 'Phone number with country code', 'string') }}",
		body: "={{ $fromAI('text', 'At most 300 characters', 'string') }}",
	},
};
const [CREATE_LEAD = '', GET_CALLS = '', START_CAMPAIGN = '', SEND_SMS = ''] = Object.keys(TOOLS);

/** The name that the model sees (n8n 2.0, 2.41). */
const toolName = (nodeName: string) => nodeName.replaceAll(' ', '_');

/** Of a new lead, and of a person who was called. */
const NEW_LEAD = '+4915112345699';
const CALLED = '+4915112345611';

/** The model tries a wrong number, reads why it is refused, tries the right one, and looks for calls. */
const SCRIPT: Turn[] = [
	{ tool: toolName(CREATE_LEAD), args: { phone_number: '12' } },
	{ tool: toolName(CREATE_LEAD), args: { phone_number: NEW_LEAD } },
	{ tool: toolName(GET_CALLS), args: { phone_number: CALLED } },
	{ says: 'The lead is added, and the last call was completed.' },
];

/** An agent with the tools: start → agent, and the model and the tools at the agent. */
function agentWorkflow(service: CredentialRef, model: CredentialRef): Workflow {
	const agent = node(AGENT, '@n8n/n8n-nodes-langchain.agent', 3, {
		promptType: 'define',
		text: 'Add the lead.',
		options: {},
	});
	const chatModel = node(MODEL, '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		options: {},
	});
	const tools = Object.entries(TOOLS).map(([name, parameters]) =>
		withCredential(node(name, `${ACTION}Tool`, 1, parameters), service),
	);
	const definition = workflow(
		'AI agent',
		[start(), agent, withCredential(chatModel, model), ...tools],
		[[START, AGENT]],
	);
	const toAgent = (type: string) => ({ [type]: [[{ node: AGENT, type, index: 0 }]] });
	const parts: Array<[name: string, connection: object]> = [
		[MODEL, toAgent('ai_languageModel')],
		...Object.keys(TOOLS).map((name): [string, object] => [name, toAgent('ai_tool')]),
	];
	return {
		...definition,
		connections: { ...definition.connections, ...Object.fromEntries(parts) },
	};
}

/** n8n's AI Agent uses the action node as a tool. */
export async function aiAgent(
	{ check, require, cleanup }: Checks,
	{ editor }: Pick<TestN8n, 'editor'>,
): Promise<void> {
	const service = await cleanup.use(startService({ seed: seed() }));
	const model = await cleanup.use(startScriptedModel(SCRIPT));
	const alice = await saveCredential(editor, 'Alice, agent', { url: service.url, token: ALICE });
	const openAi = await editor.saveCredential('openAiApi', 'Scripted model', {
		apiKey: 'test-key',
		url: model.url,
	});

	const execution = await require('an AI agent uses the node as its tools', async () => {
		const { id } = await editor.createWorkflow(agentWorkflow(alice, openAi));
		const ended = await editor.run(id, START);
		assert.equal(ended.status, 'success', ended.error);
		return ended;
	});

	/** What the tools answered, in the order of the turns. */
	const answers = (model.requests.at(-1)?.messages ?? [])
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => String(content));

	await check('the model is offered each tool with what it does, costs and needs', () => {
		const offered = new Map<string, OfferedTool>(
			model.requests[0]?.tools.map(({ function: tool }) => [tool.name, tool]),
		);
		assert.deepEqual([...offered.keys()].sort(), Object.keys(TOOLS).map(toolName).sort());
		for (const name of Object.keys(TOOLS)) {
			assert.equal(offered.get(toolName(name))?.description, name);
		}
		assert.match(START_CAMPAIGN + SEND_SMS, /paid calls.*paid SMS/);
		const { properties, required } = offered.get(toolName(CREATE_LEAD))?.parameters ?? {};
		assert.deepEqual(required, ['phone_number']);
		assert.partialDeepStrictEqual(properties, { phone_number: { type: 'string' } });
		assert.match(properties?.phone_number?.description ?? '', /costs money/);
	});

	await check('a refused request is explained to the model, and nothing turns red', () => {
		const [refused = ''] = answers;
		assert.match(refused, /'Phone Number': Invalid phone number/);
		assert.match(refused, /Correct the fields named above, then try again\./);
		assert.match(refused, /422/);
		assert.deepEqual(
			execution.runs.filter(({ error }) => error !== undefined),
			[],
		);
	});

	await check('the model goes on: the lead is created once, and its calls are read', async () => {
		const [, created = '', calls = ''] = answers;
		assert.match(created, /"status":"created"/);
		assert.match(calls, /"status":"completed"/);
		const requests = await service.control.requests();
		const sent = requests.map(({ method, path, status }) => [method, path, status]);
		assert.deepEqual(sent, [
			['POST', '/api/user/lead', 422],
			['POST', '/api/user/lead', 200],
			['GET', '/api/user/calls', 200],
		]);
		const [answer] = itemsOf(execution, AGENT);
		assert.equal(answer?.output, 'The lead is added, and the last call was completed.');
	});
}
