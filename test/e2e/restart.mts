import assert from 'node:assert/strict';

import { midCallToolTrigger, respond, TOOL_CALL } from '../support/midCallTools.mts';
import { workflow } from '../support/workflows.mts';
import {
	createTriggerWorkflow,
	completeCall,
	readAssistant,
	readWebhookUrls,
	waitForExecution,
} from './calls.mts';
import {
	getAnswer,
	OTHER_TOOL,
	ownTool,
	startToolEnvironment,
	getToolIds,
} from './midCallTool/toolEnvironment.mts';
import { ASSISTANTS, CAROL } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const TOOL = 'find_slot';

/** Published workflows while n8n is restarted. @param reason of the restart, in the names of the checks */
export async function restart(
	environment: E2eEnvironment,
	reason = 'a restart of n8n',
): Promise<void> {
	const { check, editor, carol, service } = environment;
	const { restart: assistantId } = ASSISTANTS;
	const tools = await startToolEnvironment(environment, { name: 'Restart', assistants: 1 });
	const nodes = [
		midCallToolTrigger([1], tools.credential, { name: TOOL }),
		respond('Answer', 'At ten.'),
	];
	const tool = await editor.createWorkflow(workflow('Tool', nodes, [[TOOL_CALL, 'Answer']]));
	const id = await createTriggerWorkflow(environment, 'Restart', assistantId, carol);
	const setting = async () =>
		(await readAssistant(environment, assistantId)).send_webhook_only_on_completed;
	await service
		.as(CAROL)
		.put(`/user/assistant/${assistantId}`, { send_webhook_only_on_completed: true });
	await editor.publish(tool.id);
	await editor.publish(id);
	const before = await readWebhookUrls(environment, assistantId);
	const toolBefore = await ownTool(tools, 1);
	await environment.restart();

	await check(`calls that nobody answers come too after ${reason}`, async () => {
		assert.equal(await setting(), false);
		const callId = await completeCall(environment, assistantId, 'outbound', 'no-answer');
		const { item } = await waitForExecution(environment, id, callId);
		assert.equal(item.outcome, 'no-answer');
	});

	await check(`a published workflow still receives calls after ${reason}`, async () => {
		assert.deepEqual(await readWebhookUrls(environment, assistantId), before);
		const callId = await completeCall(environment, assistantId);
		const { execution } = await waitForExecution(environment, id, callId);
		assert.equal(execution.status, 'success');
		await editor.unpublish(id);
		assert.equal((await readWebhookUrls(environment, assistantId)).callCompleted, null);
		assert.equal(await setting(), true);
	});

	await check(`a published tool still answers after ${reason}`, async () => {
		assert.deepEqual(await ownTool(tools, 1), toolBefore);
		assert.deepEqual(await getAnswer(tools, 1, TOOL), { answer: 'At ten.' });
		await editor.unpublish(tool.id);
		assert.deepEqual(await getToolIds(tools, 1), [OTHER_TOOL]);
	});
}
