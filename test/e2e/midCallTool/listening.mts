import assert from 'node:assert/strict';

import { waitFor } from '../../../host/process/wait.mts';
import { midCallToolTrigger, respond, TOOL_CALL } from '../../support/midCallTools.mts';
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
const ASSISTANT = 1;
const SETTLE_LIMIT_MS = 60_000;

/** Listening for a test event. */
export async function toolListening(environment: E2eServers): Promise<void> {
	const { check, editor } = environment;
	const tools = await startToolEnvironment(environment, { name: 'Listening', assistants: 1 });
	/** Listens with a new workflow. */
	const listen = async (parameters: Record<string, unknown>): Promise<void> => {
		const nodes = [
			midCallToolTrigger([ASSISTANT], tools.credential, { name: TOOL, ...parameters }),
			respond('Answer', 'At ten.'),
		];
		const links: Array<[string, string]> = [[TOOL_CALL, 'Answer']];
		const { id } = await editor.createWorkflow(workflow('Listening', nodes, links));
		await editor.listen(id, TOOL_CALL);
	};

	await check('listening creates no tool, and tells how to pin sample data', async () => {
		await assert.rejects(listen({}), {
			n8nMessage: /works only with an existing tool.* pin sample parameters/,
		});
		assert.equal(await countRequests(tools, 'createTool'), 0);
	});

	await check('listening answers a call, and takes the tool from the assistant again', async () => {
		const { body } = await tools.user.post('/user/tools', {
			name: TOOL,
			description: 'Made by hand.',
			endpoint: 'https://tools.example.com/slots',
			method: 'POST',
		});
		const toolId = (body as { data: { id: number } }).data.id;
		await listen({
			tool: 'existing',
			toolId: { __rl: true, mode: 'id', value: String(toolId) },
			options: { replaceTool: true },
		});
		assert.match(String((await ownTool(tools, ASSISTANT)).endpoint), /\/webhook-test\//);
		assert.deepEqual(await getAnswer(tools, ASSISTANT, TOOL), { answer: 'At ten.' });
		await waitFor('the assistant to be without the tool', SETTLE_LIMIT_MS, async () => {
			const ids = await getToolIds(tools, ASSISTANT);
			return ids.length === 1 ? true : undefined;
		});
		assert.deepEqual(await getToolIds(tools, ASSISTANT), [OTHER_TOOL]);
	});
}
