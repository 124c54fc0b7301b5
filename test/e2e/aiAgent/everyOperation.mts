import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

import type { Checks } from '../../support/checks.mts';
import { OPERATIONS } from '../../support/n8n/operations.mts';
import type { OfferedTool } from '../../support/scriptedModel/script.mts';
import { startAccount } from '../account.mts';
import { aiTool, runAgent, startAgent, toolName, type AgentServers } from './agent.mts';
import { operationTools } from './operationTools.mts';

/** What OpenAI accepts as the name of a tool. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const COSTS_MONEY = new Set(['campaign: start', 'sms: send']);

/** An agent that has every operation as a tool, and uses each of them. */
export async function everyOperation(checks: Checks, servers: AgentServers): Promise<void> {
	const { check, require } = checks;
	const { service, alice } = await startAccount(checks, servers, 'Alice, all tools');
	const tools = await operationTools(servers, OPERATIONS);
	const agent = await startAgent(checks, servers, {
		name: 'Scripted model, all tools',
		// In one turn, as models do.
		script: [tools.map(({ name, args }) => ({ tool: toolName(name), args })), 'Done.'],
		modelParameters: { responsesApiEnabled: false },
	});
	const { requests } = agent.model;

	const execution = await require('an agent has every operation as a tool', async () => {
		const nodes = tools.map(({ name, parameters }) => aiTool(name, parameters, alice));
		return await runAgent(servers, 'AI agent with all tools', agent, nodes);
	});

	await check('each tool has a name of its own, and says what it does and what costs money', () => {
		const offered = requests[0]?.tools ?? [];
		assert.deepEqual(
			offered.map(({ name, description }) => `${name}: ${description}`).sort(),
			tools.map(({ name }) => `${toolName(name)}: ${name}`).sort(),
		);
		assert.equal(new Set(offered.map(({ name }) => name)).size, OPERATIONS.length);
		for (const { name } of offered) assert.match(name, NAME);
		const paid = tools.filter(({ name }) => /\bpaid\b/.test(name));
		assert.deepEqual(new Set(paid.map(({ operation }) => operation.name)), COSTS_MONEY);
	});

	await check('n8n gives the model a schema of each tool', () => {
		const [first] = requests;
		assert.equal(first?.path, '/v1/chat/completions');
		for (const { name, args } of tools) {
			const offered: OfferedTool | undefined = first.tools.find(
				(tool) => tool.name === toolName(name),
			);
			const properties: OfferedTool['parameters']['properties'] =
				offered?.parameters.properties ?? {};
			assert.deepEqual(
				mapValues(properties, ({ type }) => type),
				mapValues(args, (value) => typeof value),
			);
			assert.deepEqual(new Set(offered?.parameters.required), new Set(Object.keys(args)));
		}
	});

	await check(
		'each tool sends the values of the model in the request of its operation',
		async () => {
			const received = await service.control.requests();
			for (const { operation } of tools) {
				const { method, path, query, body } = operation.request;
				const sent = received.filter(
					(request) =>
						request.method === method &&
						request.path === path &&
						isDeepStrictEqual(request.query, query ?? {}) &&
						isDeepStrictEqual(request.body ?? undefined, body),
				);
				assert.ok(sent.length > 0, `${operation.name} sent no such request.`);
				if (method !== 'GET') assert.equal(sent.length, 1, operation.name);
				for (const { status } of sent) assert.ok(status === 200 || status === 201, operation.name);
			}
		},
	);

	await check('each tool answers the model', () => {
		const answers = requests.at(-1)?.toolAnswers ?? [];
		assert.equal(answers.length, tools.length);
		assert.deepEqual(
			answers.filter((answer) => /error/i.test(answer)),
			[],
		);
		assert.deepEqual(
			execution.runs.filter(({ error }) => error !== undefined),
			[],
		);
	});
}

const mapValues = <T,>(source: Record<string, T>, map: (value: T) => unknown) =>
	Object.fromEntries(Object.entries(source).map(([key, value]) => [key, map(value)]));
