import assert from 'node:assert/strict';

import type { Workflow } from '../../../host/api/workflow.mts';
import { asObject } from '../../../sandbox/test/support/contract.mts';
import { midCallToolTrigger } from '../../support/midCallTools.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { workflow } from '../../support/workflows.mts';
import type { E2eServers } from '../testEnvironment.mts';
import { countRequests, OTHER_TOOL, startToolEnvironment } from './toolEnvironment.mts';

const FIRST = 1;
const SECOND = 2;

/** Tools beside others that a person has attached, at a service that shows built-in tools only. */
export async function toolsBesideOthers(environment: E2eServers): Promise<void> {
	const { check, editor } = environment;
	const setUp = { name: 'Beside others', assistants: 2 };
	const tools = await startToolEnvironment(environment, setUp, { service: 'current' });
	const { control } = tools.service;
	const withTrigger = (name: string, said: object = {}): Workflow =>
		workflow(name, [midCallToolTrigger([FIRST], tools.credential, { name, ...said })]);
	/** What the service has attached, which no record shows. */
	const attachedTo = async (assistant: number): Promise<unknown> => {
		const { body } = await control.request('GET', `/records/assistants/${assistant}`);
		return asObject(asObject(body, 'assistant').settings, 'settings').tool_ids;
	};
	const other = { toolId: { __rl: true, mode: 'id', value: String(OTHER_TOOL) } };
	const THESE = { otherTools: 'these', otherToolIds: { values: [other] } };

	await check(
		'a tool beside one attached by hand is refused until the user has said it',
		async () => {
			const { id } = await editor.createWorkflow(withTrigger('not_said'));
			await assert.rejects(editor.publish(id), {
				n8nMessage: notPublished(
					`The service does not show which other tools these assistants have, such as 'get_weather' (ID ${OTHER_TOOL}), and publishing would take them off: choose under 'Other Tools of These Assistants' which ones they keep.`,
				),
			});
			await editor.unpublish(id);
			assert.deepEqual(await attachedTo(FIRST), [OTHER_TOOL]);
			assert.equal(await countRequests(tools, 'updateAssistant'), 0);
			assert.equal(await countRequests(tools, 'createTool'), 0);
		},
	);

	await check(
		'tools of two workflows and of a person stay, and each workflow takes its own',
		async () => {
			const ids: string[] = [];
			for (const name of ['first_tool', 'second_tool']) {
				const { id } = await editor.createWorkflow(withTrigger(name, THESE));
				await editor.publish(id);
				ids.push(id);
			}
			const [first, second, ...more] = (await attachedTo(FIRST)) as number[];
			assert.deepEqual([first, more.length], [OTHER_TOOL, 1]);
			await editor.unpublish(ids[0] ?? '');
			assert.deepEqual(await attachedTo(FIRST), [OTHER_TOOL, ...more]);
			assert.notEqual(second, more[0]);
			await editor.unpublish(ids[1] ?? '');
			assert.deepEqual(await attachedTo(FIRST), [OTHER_TOOL]);
			assert.deepEqual(await attachedTo(SECOND), [OTHER_TOOL]);
		},
	);

	await check('with None, unpublishing leaves the assistant without a tool', async () => {
		const { id } = await editor.createWorkflow(withTrigger('alone', { otherTools: 'none' }));
		await editor.publish(id);
		const [own, ...more] = (await attachedTo(FIRST)) as number[];
		assert.ok(own !== OTHER_TOOL && more.length === 0);
		await editor.unpublish(id);
		assert.deepEqual(await attachedTo(FIRST), []);
		assert.deepEqual(await attachedTo(SECOND), [OTHER_TOOL]);
	});
}
