import assert from 'node:assert/strict';

import { getItems } from '../../../host/api/execution.mts';
import type { Turn } from '../../support/scriptedModel/script.mts';
import { startOwnService, type E2eServers } from '../testEnvironment.mts';
import { AGENT, aiTool, runAgent, startAgent, toolName } from './agent.mts';

const CREATE_LEAD = 'Add person to call as lead in Voice Assistant Calling';
const GET_CALLS = 'Get many calls in Voice Assistant Calling';
const LAST_WORDS = 'The lead is added, and the last call was completed.';

/** Of a new lead, and of a person who was called. */
const NEW_LEAD = '+4915112345699';
const CALLED = '+4915112345611';

/** The model tries a wrong number, reads why it is refused, tries the right one, and looks for calls. */
const SCRIPT: Turn[] = [
	[{ tool: toolName(CREATE_LEAD), args: { phone_number: '12' } }],
	[{ tool: toolName(CREATE_LEAD), args: { phone_number: NEW_LEAD } }],
	[{ tool: toolName(GET_CALLS), args: { phone_number: CALLED } }],
	LAST_WORDS,
];

/** n8n's AI Agent uses the action node as a tool, and its model reads what the tools answer. */
export async function agentAnswers(servers: E2eServers): Promise<void> {
	const { check, require } = servers;
	const { control, aliceRef } = await startOwnService(servers, 'agent');
	const agent = await startAgent(servers, 'Scripted model', SCRIPT);
	const { requests } = agent.model;
	const phoneNumber = "={{ $fromAI('phone_number', 'Phone number with country code', 'string') }}";
	const createLead = { resource: 'lead', operation: 'create', campaignId: '1', phoneNumber };
	const getCalls = { resource: 'call', operation: 'getAll', limit: 5, filters: { phoneNumber } };

	const execution = await require('an AI agent uses the node as its tools', async () => {
		return await runAgent(servers, 'AI agent', agent, [
			aiTool(CREATE_LEAD, createLead, aliceRef),
			aiTool(GET_CALLS, getCalls, aliceRef),
		]);
	});
	const [refused = '', created = '', calls = ''] = requests.at(-1)?.toolAnswers ?? [];

	await check('a refused request is explained to the model, and nothing turns red', () => {
		assert.match(refused, /'Phone Number': Invalid phone number/);
		assert.match(refused, /Correct the fields named above, then try again\./);
		assert.match(refused, /422/);
		assert.deepEqual(
			execution.runs.filter(({ error }) => error !== undefined),
			[],
		);
	});

	await check('the model goes on: the lead is created once, and its calls are read', async () => {
		assert.match(created, /"status":"created"/);
		assert.match(calls, /"status":"completed"/);
		const received = await control.requests();
		const sent = received.map(({ method, path, status }) => [method, path, status]);
		assert.deepEqual(sent, [
			['POST', '/api/user/lead', 422],
			['POST', '/api/user/lead', 200],
			['GET', '/api/user/calls', 200],
		]);
		const [answer] = getItems(execution, AGENT);
		assert.equal(answer?.output, LAST_WORDS);
	});
}
