import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { Workflow } from '../../../host/api/workflow.mts';
import type { Checks } from '../../support/checks.mts';
import {
	chosenAssistants,
	midCallToolTrigger,
	respond,
	TOOL_CALL,
	toolParameters,
} from '../../support/midCallTools.mts';
import { workflow } from '../../support/workflows.mts';
import type { E2eServers } from '../testEnvironment.mts';
import {
	answerOf,
	countRequests,
	OTHER_TOOL,
	ownTool,
	startToolEnvironment,
	toolIdsOf,
	type ToolEnvironment,
} from './toolEnvironment.mts';

const TOOL = 'find_slot';
const RENAMED = 'When an assistant looks for a slot';
/** The assistants, by what they are for. */
const FIRST = 1;
const SECOND = 2;
const SAME_MOMENT = 3;
const QUOTA = 4;

/** Publishing and unpublishing workflows that are tools. */
export async function registration(checks: Checks, environment: E2eServers): Promise<void> {
	const tools = await startToolEnvironment(checks, environment, {
		name: 'Registration',
		assistants: 4,
		// The other tool, and three of these checks.
		tool_quota: 4,
	});
	await oneWorkflow(checks, environment, tools);
	await severalWorkflows(checks, tools);
}

async function oneWorkflow(
	{ check, require }: Checks,
	{ url }: E2eServers,
	tools: ToolEnvironment,
): Promise<void> {
	const { editor, credential } = tools;
	// An edited workflow keeps these.
	const identity = { id: randomUUID(), webhookId: randomUUID() };
	/** A workflow whose only node is the trigger. */
	const withTrigger = (parameters: object = {}, name = TOOL_CALL): Workflow => {
		const trigger = midCallToolTrigger([FIRST], credential, { name: TOOL, ...parameters });
		return workflow('Tool', [{ ...trigger, ...identity, name }]);
	};
	const changeTo = async (changed: Workflow): Promise<void> => {
		await editor.saveWorkflow(id, changed);
		await editor.publish(id);
	};
	const assertAnswers = async (assistantId: number): Promise<void> => {
		// The workflow has no *Respond*.
		const answer = 'I cannot look that up at the moment.';
		assert.deepEqual(await answerOf(tools, assistantId, TOOL, { day: 'Monday' }), { answer });
	};

	const { id, toolId } =
		await require('publishing creates the tool and attaches it beside the other tools', async () => {
			const { id } = await editor.createWorkflow(withTrigger());
			await editor.publish(id);
			const tool = await ownTool(tools, FIRST);
			assert.deepEqual(await toolIdsOf(tools, FIRST), [OTHER_TOOL, tool.id]);
			assert.deepEqual(await toolIdsOf(tools, SECOND), [OTHER_TOOL]);
			assert.partialDeepStrictEqual(tool, { name: TOOL, method: 'POST', timeout: 10, schema: [] });
			assert.match(
				String(tool.endpoint),
				new RegExp(`^${url}/webhook/[0-9a-f-]{36}/\\w+/[0-9a-f-]{36}$`),
			);
			return { id, toolId: tool.id };
		});

	await check(
		'unpublishing detaches the tool, and publishing again attaches the same one',
		async () => {
			await editor.unpublish(id);
			assert.deepEqual(await toolIdsOf(tools, FIRST), [OTHER_TOOL]);
			await editor.publish(id);
			assert.deepEqual(await toolIdsOf(tools, FIRST), [OTHER_TOOL, toolId]);
			await assertAnswers(FIRST);
		},
	);

	await check('a changed parameter and a changed list of assistants change the tool', async () => {
		const parameters = {
			description: 'Find a free slot.',
			timeout: 12,
			parameters: toolParameters({ day: 'string' }),
			assistants: chosenAssistants([SECOND]),
		};
		await changeTo(withTrigger(parameters));
		assert.deepEqual(await toolIdsOf(tools, FIRST), [OTHER_TOOL]);
		const tool = await ownTool(tools, SECOND);
		assert.partialDeepStrictEqual(tool, {
			id: toolId,
			description: 'Find a free slot.',
			timeout: 12,
			schema: [{ name: 'day', type: 'string' }],
		});
		await assertAnswers(SECOND);
	});

	await check('a renamed trigger keeps its tool', async () => {
		await changeTo(withTrigger({ assistants: chosenAssistants([FIRST, SECOND]) }, RENAMED));
		assert.deepEqual(await toolIdsOf(tools, FIRST), [OTHER_TOOL, toolId]);
		assert.deepEqual(await toolIdsOf(tools, SECOND), [OTHER_TOOL, toolId]);
		await assertAnswers(FIRST);
		await editor.unpublish(id);
		assert.deepEqual(await toolIdsOf(tools, FIRST), [OTHER_TOOL]);
		assert.deepEqual(await toolIdsOf(tools, SECOND), [OTHER_TOOL]);
	});

	await check('all of this created one tool', async () => {
		assert.equal(await countRequests(tools, 'createTool'), 1);
	});
}

async function severalWorkflows({ check }: Checks, tools: ToolEnvironment): Promise<void> {
	const { editor, credential } = tools;
	const create = async (name: string, assistantId: number): Promise<string> => {
		const trigger = midCallToolTrigger([assistantId], credential, { name });
		const nodes = [trigger, respond('Answer', `From ${name}.`, credential)];
		return (await editor.createWorkflow(workflow(name, nodes, [[TOOL_CALL, 'Answer']]))).id;
	};

	await check(
		'two workflows that are published at the same moment are both tools of the assistant',
		async () => {
			const names = ['find_order', 'cancel_order'];
			const ids = await Promise.all(names.map(async (name) => await create(name, SAME_MOMENT)));
			await Promise.all(ids.map(async (id) => await editor.publish(id)));
			for (const name of names) {
				const answer = `From ${name}.`;
				assert.deepEqual(await answerOf(tools, SAME_MOMENT, name), { answer });
			}
			await Promise.all(ids.map(async (id) => await editor.unpublish(id)));
			assert.deepEqual(await toolIdsOf(tools, SAME_MOMENT), [OTHER_TOOL]);
		},
	);

	await check(
		"publishing is refused in the service's words when the plan allows no more tools",
		async () => {
			const id = await create('one_too_many', QUOTA);
			await assert.rejects(editor.publish(id), {
				n8nMessage:
					/^Your plan allows 4 mid call tools\. .* If your plan allows no more tools, set 'Tool' to 'Use Existing'/,
			});
			assert.deepEqual(await toolIdsOf(tools, QUOTA), [OTHER_TOOL]);
			await editor.unpublish(id);
		},
	);
}
