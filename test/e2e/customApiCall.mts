import assert from 'node:assert/strict';

import * as z from 'zod';

import { getItems } from '../../host/api/execution.mts';
import { ACTION } from '../../host/n8n/names.mts';
import { whileAnswering } from '../support/whileAnswering.mts';
import { action } from '../support/workflows.mts';
import { aiTool, runAgent, startAgent, toolName } from './aiAgent/agent.mts';
import { runNode } from './runNode.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const NODE = 'Make custom API call';
/** The entry that n8n adds to the lists of other nodes. */
const OF_N8N = '__CUSTOM_API_CALL__';

const MANY = 2_000;

const nodeType = z.object({
	name: z.string(),
	properties: z.array(
		z.object({
			name: z.string(),
			options: z
				.array(z.object({ name: z.string().optional(), value: z.unknown() }).passthrough())
				.optional(),
		}),
	),
});

const custom = (fields: object) => ({
	resource: 'customApiCall',
	operation: 'sendRequest',
	...fields,
});

/** A request that the user writes, in a whole n8n. */
export async function customApiCall(environment: E2eEnvironment): Promise<void> {
	const { check, catalogue, url } = environment;
	const { control, aliceRef } = await startOwnService(environment, 'custom API calls');
	const run = async (parameters: object, items?: object[]) =>
		await runNode(environment, action(NODE, { ...parameters }, aliceRef), items);
	const forget = async () => await control.reset();

	await check('the lists have one Custom API Call, which is ours', async () => {
		const types = z.array(nodeType).parse(await catalogue.nodeTypes());
		const entries = (nodes: typeof types) =>
			nodes
				.flatMap(({ properties }) => properties)
				.filter(({ name }) => ['resource', 'operation'].includes(name))
				.flatMap(({ options = [] }) => options);
		for (const wanted of [ACTION, `${ACTION}Tool`]) {
			const ours = entries(types.filter(({ name }) => name === wanted));
			assert.deepEqual(
				ours.filter(({ name }) => name === 'Custom API Call').map(({ value }) => value),
				['customApiCall'],
			);
			assert.ok(ours.every(({ value }) => value !== OF_N8N));
		}
		// This n8n adds its own to other nodes.
		assert.ok(entries(types).some(({ value }) => value === OF_N8N));
	});

	await check('a custom API call is sent as it is written, and reads all pages', async () => {
		const execution = await run(
			custom({
				method: '={{ $json.method }}',
				path: '={{ $json.path }}',
				returnAll: true,
				body: '={{ $json.body }}',
			}),
			[
				{ method: 'GET', path: '/user/calls' },
				{
					method: 'POST',
					path: 'user/campaigns/update-status',
					body: { campaign_id: 1, action: 'stop' },
				},
			],
		);
		assert.equal(execution.status, 'success', execution.error);
		assert.partialDeepStrictEqual(getItems(execution, NODE).at(-1), { campaign_id: 1 });
	});

	await check('a path with a host, and the entry of n8n, are refused with a message', async () => {
		await forget();
		const leaving = await run(custom({ path: '//example.com/user/calls' }));
		assert.match(leaving.error ?? '', /'Path' must not name a host/);
		const ofN8n = await run({ resource: 'lead', operation: OF_N8N });
		assert.match(ofN8n.error ?? '', /a 'Custom API Call' of its own/);
		assert.deepEqual(await control.requests(), []);
	});

	await check('an agent sends only what is allowed', async () => {
		await forget();
		const tool = aiTool(
			NODE,
			custom({
				method: "={{ $fromAI('method', 'The method', 'string') }}",
				path: "={{ $fromAI('path', 'The path', 'string') }}",
				allowedPaths: '/user/calls*',
			}),
			aliceRef,
		);
		const use = (method: string, path: string) => ({
			tool: toolName(NODE),
			args: { method, path },
		});
		const script = [
			[use('GET', '/user/calls'), use('DELETE', '/user/calls/1'), use('GET', '/user/leads')],
			'Done.',
		];
		const agent = await startAgent(environment, 'Scripted model, custom', script);
		await runAgent(environment, 'AI agent with a custom API call', agent, [tool]);
		const answers = agent.model.requests.at(-1)?.toolAnswers ?? [];
		assert.match(answers[1] ?? '', /does not let an AI agent send DELETE/);
		assert.match(answers[2] ?? '', /does not let an AI agent use \/user\/leads/);
		const sent = (await control.requests()).map(({ method, path }) => `${method} ${path}`);
		assert.deepEqual(sent, ['GET /api/user/calls']);
	});

	await check(`n8n answers others while it sends ${MANY} custom API calls`, async () => {
		const items = Array.from({ length: MANY }, (_, page) => ({ page: page + 1 }));
		await whileAnswering(url, async () => {
			const execution = await run(
				custom({
					path: '/user/calls',
					queryParameters: { parameter: [{ name: 'page', value: '={{ $json.page }}' }] },
					fullResponse: true,
					requestOptions: { maxConcurrentRequests: 100 },
				}),
				items,
			);
			assert.equal(execution.status, 'success', execution.error);
			const pages = getItems(execution, NODE).map(
				({ body }) => z.object({ current_page: z.number() }).parse(body).current_page,
			);
			assert.deepEqual(
				pages,
				items.map(({ page }) => page),
			);
		});
	});
}
