import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

import * as z from 'zod';

import { agentDifferences, OPERATIONS } from '../../support/n8n/operations.mts';
import type { OfferedTool } from '../../support/scriptedModel/script.mts';
import { startOwnService, type E2eServers } from '../testEnvironment.mts';
import { aiTool, runAgent, startAgent, toolName } from './agent.mts';
import { operationTools } from './operationTools.mts';

/** What OpenAI accepts as the name of a tool. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** An agent that has every operation as a tool, and uses each of them. */
export async function everyOperation(servers: E2eServers): Promise<void> {
	const { check, require } = servers;
	const { control, aliceRef } = await startOwnService(servers, 'all tools');
	const all = await operationTools(servers, OPERATIONS);
	// Many in one turn, as models do. n8n 2.0 uses them at the same time, so each of these has a turn of its own.
	const isRead = ({ operation }: (typeof all)[number]) => operation.request.method === 'GET';
	const isDelete = ({ operation }: (typeof all)[number]) => operation.request.method === 'DELETE';
	const turns = [
		all.filter(isRead),
		all.filter((tool) => !isRead(tool) && !isDelete(tool)),
		all.filter(isDelete),
	];
	const tools = turns.flat();
	const script = [
		...turns.map((turn) => turn.map(({ name, args }) => ({ tool: toolName(name), args }))),
		'Done.',
	];
	const api = { responsesApiEnabled: false };
	const agent = await startAgent(servers, 'Scripted model, all tools', script, api);
	const { requests } = agent.model;

	const execution = await require('an agent has every operation as a tool', async () => {
		const nodes = tools.map(({ name, parameters }) => aiTool(name, parameters, aliceRef));
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
		const costly = tools.filter(({ operation }) => operation.costsMoney === 'always');
		assert.deepEqual(paid, costly);
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

	await check('each tool sends the values of the model, and answers the response', async () => {
		const received = await control.requests();
		const answers = requests.at(-1)?.toolAnswers ?? [];
		assert.equal(answers.length, tools.length);
		for (const [index, { operation }] of tools.entries()) {
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
			const [item] = z.tuple([z.record(z.unknown())]).parse(JSON.parse(answers[index] ?? ''));
			const responses = await Promise.all(sent.map(async (one) => control.responseTo(one)));
			const differences = responses.map((one) => agentDifferences(operation, one, item));
			assert.ok(
				differences.some(({ length }) => length === 0),
				`${operation.name} differs in ${differences.join()}`,
			);
		}
		assert.deepEqual(
			execution.runs.filter(({ error }) => error !== undefined),
			[],
		);
	});
}

const mapValues = <T,>(source: Record<string, T>, map: (value: T) => unknown) =>
	Object.fromEntries(Object.entries(source).map(([key, value]) => [key, map(value)]));
