import assert from 'node:assert/strict';

import { waitFor } from '../../../host/process/wait.mts';
import type { Checks } from '../../support/checks.mts';
import { midCallToolTrigger, respond, TOOL_CALL } from '../../support/midCallTools.mts';
import { workflow } from '../../support/workflows.mts';
import type { E2eServers } from '../testEnvironment.mts';
import {
	answerOf,
	countRequests,
	OTHER_TOOL,
	ownTool,
	startToolEnvironment,
	toolIdsOf,
} from './toolEnvironment.mts';

const TOOL = 'find_slot';
const ASSISTANT = 1;
const SETTLE_LIMIT_MS = 60_000;

/** Listening for a test event. */
export async function listening(checks: Checks, environment: E2eServers): Promise<void> {
	const { check } = checks;
	const tools = await startToolEnvironment(checks, environment, {
		name: 'Listening',
		assistants: 1,
	});
	const { editor, credential } = tools;
	const create = async (parameters: Record<string, unknown>): Promise<string> => {
		const nodes = [
			midCallToolTrigger([ASSISTANT], credential, { name: TOOL, ...parameters }),
			respond('Answer', 'At ten.', credential),
		];
		return (await editor.createWorkflow(workflow('Listening', nodes, [[TOOL_CALL, 'Answer']]))).id;
	};

	const creating = await create({});
	await check(
		'listening creates no tool: it is refused, and tells how to pin sample data',
		async () => {
			await assert.rejects(editor.listen(creating, TOOL_CALL), {
				n8nMessage: /works only with an existing tool.* pin sample parameters/,
			});
			assert.equal(await countRequests(tools, 'createTool'), 0);
		},
	);

	await check(
		'listening is refused while the workflow is published, which still answers',
		async () => {
			await editor.publish(creating);
			const before = await ownTool(tools, ASSISTANT);
			await assert.rejects(editor.listen(creating, TOOL_CALL), {
				n8nMessage: /is published and answers the calls of the tool 'find_slot'/,
			});
			assert.deepEqual(await ownTool(tools, ASSISTANT), before);
			assert.deepEqual(await answerOf(tools, ASSISTANT, TOOL), { answer: 'At ten.' });
			await editor.unpublish(creating);
		},
	);

	await check(
		"listening with an existing tool answers a call, and puts production's endpoint back",
		async () => {
			const { body } = await tools.user.post('/user/tools', {
				name: TOOL,
				description: 'Made by hand.',
				endpoint: 'https://tools.example.com/slots',
				method: 'POST',
			});
			const toolId = (body as { data: { id: number } }).data.id;
			const existing = await create({
				tool: 'existing',
				toolId: { __rl: true, mode: 'id', value: String(toolId) },
				options: { replaceTool: true },
			});
			await editor.listen(existing, TOOL_CALL);
			assert.match(String((await ownTool(tools, ASSISTANT)).endpoint), /\/webhook-test\//);
			assert.deepEqual(await answerOf(tools, ASSISTANT, TOOL), { answer: 'At ten.' });
			await waitFor("production's endpoint at the tool", SETTLE_LIMIT_MS, async () => {
				const requests = await tools.service.control.requests();
				const isOfTool = ({ path }: { path: string }) => path.endsWith(`/user/tools/${toolId}`);
				const { endpoint } = requests.findLast(isOfTool)?.body as { endpoint: string };
				return endpoint.includes('/webhook/') || undefined;
			});
			assert.deepEqual(await toolIdsOf(tools, ASSISTANT), [OTHER_TOOL]);
		},
	);
}
