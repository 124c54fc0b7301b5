import assert from 'node:assert/strict';

import { itemsOf, type Item } from '../../../host/api/execution.mts';
import type { Checks } from '../../support/checks.mts';
import type { OfferedTool, Turn } from '../../support/scriptedModel/script.mts';
import { startAccount } from '../account.mts';
import { AGENT, aiTool, runAgent, startAgent, toolName, type AgentServers } from './agent.mts';

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

/** Of a new lead, and of a person who was called. */
const NEW_LEAD = '+4915112345699';
const CALLED = '+4915112345611';

/** The model tries a wrong number, reads why it is refused, tries the right one, and looks for calls. */
const SCRIPT: Turn[] = [
	[{ tool: toolName(CREATE_LEAD), args: { phone_number: '12' } }],
	[{ tool: toolName(CREATE_LEAD), args: { phone_number: NEW_LEAD } }],
	[{ tool: toolName(GET_CALLS), args: { phone_number: CALLED } }],
	'The lead is added, and the last call was completed.',
];

/** n8n's AI Agent uses the action node as a tool, and its model reads what the tools answer. */
export async function answers(checks: Checks, servers: AgentServers): Promise<void> {
	const { check, require } = checks;
	const { service, alice } = await startAccount(checks, servers, 'Alice, agent');
	const agent = await startAgent(checks, servers, { name: 'Scripted model', script: SCRIPT });
	const { model } = agent;

	const execution = await require('an AI agent uses the node as its tools', async () => {
		const tools = Object.entries(TOOLS).map(([name, parameters]) =>
			aiTool(name, parameters, alice),
		);
		return await runAgent(servers, 'AI agent', agent, tools);
	});
	const toolAnswers = model.requests.at(-1)?.toolAnswers ?? [];

	await check("n8n's model node uses the API that is its default", () => {
		assert.deepEqual(new Set(model.requests.map(({ path }) => path)), new Set(['/v1/responses']));
	});

	await check('the model is offered each tool with what it does, costs and needs', () => {
		const offered = new Map<string, OfferedTool>(
			model.requests[0]?.tools.map((tool) => [tool.name, tool]),
		);
		assert.deepEqual([...offered.keys()].sort(), Object.keys(TOOLS).map(toolName).sort());
		for (const name of Object.keys(TOOLS)) {
			assert.equal(offered.get(toolName(name))?.description, name);
		}
		assert.match(START_CAMPAIGN + SEND_SMS, /paid calls.*paid SMS/);
		const { properties, required } = offered.get(toolName(CREATE_LEAD))?.parameters ?? {};
		assert.deepEqual(required, ['phone_number']);
		assert.partialDeepStrictEqual(properties, { phone_number: { type: 'string' } });
		assert.match(String(properties?.phone_number?.description), /costs money/);
	});

	await check('a refused request is explained to the model, and nothing turns red', () => {
		const [refused = ''] = toolAnswers;
		assert.match(refused, /'Phone Number': Invalid phone number/);
		assert.match(refused, /Correct the fields named above, then try again\./);
		assert.match(refused, /422/);
		assert.deepEqual(
			execution.runs.filter(({ error }) => error !== undefined),
			[],
		);
	});

	await check('the model goes on: the lead is created once, and its calls are read', async () => {
		const [, created = '', calls = ''] = toolAnswers;
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
