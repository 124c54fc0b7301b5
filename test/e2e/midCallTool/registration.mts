import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { Workflow } from '../../../host/api/workflow.mts';
import {
	chosenAssistants,
	midCallToolTrigger,
	TOOL_CALL,
	toolParameters,
} from '../../support/midCallTools.mts';
import { workflow } from '../../support/workflows.mts';
import type { E2eServers } from '../testEnvironment.mts';
import {
	getAnswer,
	countRequests,
	OTHER_TOOL,
	ownTool,
	startToolEnvironment,
	getToolIds,
} from './toolEnvironment.mts';

const TOOL = 'find_slot';
const FIRST = 1;
const SECOND = 2;

/** Publishing, editing and unpublishing a workflow that is a tool. */
export async function toolRegistration(environment: E2eServers): Promise<void> {
	const { check, require, editor, url } = environment;
	const tools = await startToolEnvironment(environment, { name: 'Registration', assistants: 2 });
	// An edited workflow keeps these.
	const identity = { id: randomUUID(), webhookId: randomUUID() };
	/** A workflow whose only node is the trigger. */
	const withTrigger = (parameters: object = {}, name = TOOL_CALL): Workflow => {
		const own = { name: TOOL, ...parameters };
		const trigger = midCallToolTrigger([FIRST], tools.credential, own);
		return workflow('Tool', [{ ...trigger, ...identity, name }]);
	};
	const assertTools = async (first: unknown[], second: unknown[]): Promise<void> => {
		assert.deepEqual(await getToolIds(tools, FIRST), [OTHER_TOOL, ...first]);
		assert.deepEqual(await getToolIds(tools, SECOND), [OTHER_TOOL, ...second]);
		// The workflow has no *Respond*.
		const answer = 'I cannot look that up at the moment.';
		for (const assistant of [...first.map(() => FIRST), ...second.map(() => SECOND)]) {
			assert.deepEqual(await getAnswer(tools, assistant, TOOL, { day: 'Monday' }), { answer });
		}
	};

	const { id, toolId } =
		await require('publishing creates the tool and attaches it beside the other tools', async () => {
			const { id } = await editor.createWorkflow(withTrigger());
			await editor.publish(id);
			const tool = await ownTool(tools, FIRST);
			await assertTools([tool.id], []);
			assert.partialDeepStrictEqual(tool, { name: TOOL, method: 'POST', timeout: 10, schema: [] });
			assert.match(
				String(tool.endpoint),
				new RegExp(`^${url}/webhook/[0-9a-f-]{36}/\\w+/[0-9a-f-]{36}\\?n8n-assistants=1$`),
			);
			return { id, toolId: tool.id };
		});

	await check('unpublishing detaches the tool, publishing attaches the same one', async () => {
		await editor.unpublish(id);
		await assertTools([], []);
		await editor.publish(id);
		await assertTools([toolId], []);
	});

	await check('an edited and renamed trigger changes its tool and its assistants', async () => {
		const parameters = {
			description: 'Find a free slot.',
			options: { timeout: 12 },
			parameters: toolParameters({ day: 'string' }),
		};
		for (const [assistants, name] of [
			[[SECOND], TOOL_CALL],
			[[FIRST, SECOND], 'When an assistant looks for a slot'],
		] as const) {
			const changed = { ...parameters, assistants: chosenAssistants([...assistants]) };
			await editor.saveWorkflow(id, withTrigger(changed, name));
			await editor.publish(id);
			await assertTools(name === TOOL_CALL ? [] : [toolId], [toolId]);
			assert.partialDeepStrictEqual(await ownTool(tools, SECOND), {
				description: 'Find a free slot.',
				timeout: 12,
				schema: [{ name: 'day', type: 'string' }],
			});
		}
		await editor.unpublish(id);
		await assertTools([], []);
		assert.equal(await countRequests(tools, 'createTool'), 1);
	});
}
