import assert from 'node:assert/strict';

import { trigger, workflow } from '../support/workflows.mts';
import { readAssistant } from './calls.mts';
import { ASSISTANTS, CAROL } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/** What an expression gives, and what the setting of the assistant then is, which was on before. */
const VALUES: Array<[expression: string, setting: boolean]> = [
	['={{ "include" }}', true],
	['={{ "" }}', true],
	['={{ null }}', true],
	['={{ "leaveOut" }}', false],
];

/** An option of a trigger whose value an expression gives. */
export async function settingByExpression(environment: E2eEnvironment): Promise<void> {
	const { check, editor, service, carol } = environment;
	const { settingByExpression: assistantId } = ASSISTANTS;
	const workflowWith = async (recording: string): Promise<string> => {
		const options = { recording };
		const only = trigger('callCompleted', assistantId, carol, { options });
		return (await editor.createWorkflow(workflow(recording, [only]))).id;
	};
	const setting = async () =>
		(await readAssistant(environment, assistantId)).include_recording_in_webhook;
	await service
		.as(CAROL)
		.put(`/user/assistant/${assistantId}`, { include_recording_in_webhook: true });

	for (const [expression, wanted] of VALUES) {
		await check(`Recording by ${expression} leaves the setting ${wanted}`, async () => {
			const id = await workflowWith(expression);
			await editor.publish(id);
			assert.equal(await setting(), wanted);
			await editor.unpublish(id);
			assert.equal(await setting(), true);
		});
	}

	await check('Recording by ={{ "banana" }} is refused by its name', async () => {
		const id = await workflowWith('={{ "banana" }}');
		await assert.rejects(editor.publish(id), /Recording.*banana/);
		assert.equal(await setting(), true);
		await editor.unpublish(id);
	});
}
