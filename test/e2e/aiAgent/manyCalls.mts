import assert from 'node:assert/strict';

import * as z from 'zod';

import { people } from '../../support/n8n/operations.mts';
import { startOwnService, type E2eServers } from '../testEnvironment.mts';
import { aiTool, runAgent, startAgent, toolName } from './agent.mts';

const CREATE_LEAD = 'Add person to call as lead in Voice Assistant Calling';
const DESCRIPTION =
	'Adds a lead. The campaign is running, so the lead is called at once: this costs money.';
const PHONES = people(50).map(({ phone }) => phone);

const leadPhone = z
	.object({ phone_number: z.string() })
	.transform(({ phone_number }) => phone_number);

/** The model uses one tool many times in one turn. */
export async function manyCalls(servers: E2eServers): Promise<void> {
	const { check } = servers;
	const { control, aliceRef } = await startOwnService(servers, 'many leads');
	const calls = PHONES.map((phone) => ({ tool: toolName(CREATE_LEAD), args: { phone } }));
	const script = [calls, 'All are added.'];
	const agent = await startAgent(servers, 'Scripted model, many leads', script);

	await check('a tool that is used 50 times in one turn creates each lead once', async () => {
		const createLead = aiTool(
			CREATE_LEAD,
			{
				descriptionType: 'manual',
				toolDescription: DESCRIPTION,
				resource: 'lead',
				operation: 'create',
				campaignId: '1',
				phoneNumber: "={{ $fromAI('phone', 'Phone number with country code', 'string') }}",
			},
			aliceRef,
		);
		await runAgent(servers, 'AI agent with many leads', agent, [createLead]);
		const received = await control.requests();
		assert.deepEqual(
			received.map(({ path, status }) => `${path} ${status}`),
			PHONES.map(() => '/api/user/lead 200'),
		);
		assert.deepEqual(received.map(({ body }) => leadPhone.parse(body)).sort(), PHONES);
	});

	await check('the model reads which lead each use of the tool created', () => {
		const answers = agent.model.requests.at(-1)?.toolAnswers ?? [];
		const created = answers.map((answer) => z.tuple([leadPhone]).parse(JSON.parse(answer))[0]);
		assert.deepEqual(created, PHONES);
	});

	await check('a description that somebody sets by hand reaches the model', () => {
		const [tool] = agent.model.requests[0]?.tools ?? [];
		assert.equal(tool?.description, DESCRIPTION);
	});
}
