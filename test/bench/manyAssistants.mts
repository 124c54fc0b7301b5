import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { midCallToolTrigger, respond, TOOL_CALL } from '../support/midCallTools.mts';
import { objectsOf } from '../support/sandbox/contract.mts';
import { serviceClient, rowsOf } from '../support/sandbox/client.mts';
import { ALICE, newAssistant, newTool, twoUsers } from '../support/sandbox/seed.mts';
import { workflow } from '../support/workflows.mts';
import { PER_PAGE } from './listPage.mts';
import { withProbes } from './n8nProbes.mts';
import type { Round } from './round.mts';
import { startSandboxProcess } from './sandboxProcess.mts';
import { LATENCY_MS } from './serviceClient.mts';

/** A tool that each assistant has from the beginning. */
const OTHER_TOOL = 1;

/** Publishes and unpublishes a mid call tool trigger that has many assistants. */
export async function manyAssistants({ environment, results, quick, check }: Round): Promise<void> {
	const { editor, n8n, cleanup } = environment;
	await environment.restart();
	const [chosen, owned] = quick ? [100, 200] : [1_000, 10_000];
	const [alice] = twoUsers().users;
	const sandbox = await startSandboxProcess(cleanup, {
		users: [
			{
				...alice,
				tools: [{ ...newTool, id: OTHER_TOOL }],
				assistants: Array.from({ length: owned }, (_, index) => ({
					...newAssistant,
					id: index + 1,
					tool_ids: [OTHER_TOOL],
				})),
				campaigns: [],
				leads: [],
			},
		],
	});
	const client = serviceClient(sandbox.url, ALICE);
	const account = { url: sandbox.url, token: ALICE };
	const credential = await saveCredential(editor, 'Many assistants', account);
	await sandbox.control.fault({ delay_ms: LATENCY_MS, times: 1_000_000 });

	/** How many assistants have each number of tools. */
	const toolCounts = async (): Promise<Record<number, number>> => {
		const counts: Record<number, number> = {};
		for (let page = 1; page <= owned / PER_PAGE; page += 1) {
			const query = { page, per_page: PER_PAGE };
			for (const { tools } of rowsOf(await client.get('/user/assistants/get', query))) {
				const { length } = objectsOf(tools);
				counts[length] = (counts[length] ?? 0) + 1;
			}
		}
		return counts;
	};
	// The chosen ones are the last of the list, so that all of it is read.
	const ids = Array.from({ length: chosen }, (_, index) => owned - index);
	const trigger = midCallToolTrigger(ids, credential, { name: 'many' });
	const nodes = [trigger, respond('Answer', 'At ten.', credential)];
	const { id } = await editor.createWorkflow(
		workflow('Many assistants', nodes, [[TOOL_CALL, 'Answer']]),
	);
	const some = `${chosen.toLocaleString('en')} of ${owned.toLocaleString('en')} assistants`;
	const measure = async (
		work: string,
		change: () => Promise<void>,
		wanted: Record<number, number>,
	): Promise<void> => {
		await check(`${work}: n8n goes on, and no other tool is lost`, async () => {
			await withProbes(n8n(), async (between) => {
				const from = Date.now();
				await change();
				const to = Date.now();
				assert.deepEqual(await toolCounts(), wanted);
				results.record(
					{ work, by: 'Mid Call Tool Trigger' },
					{ time: (to - from) / 1000, ...between(from, to) },
				);
			});
		});
	};

	await measure(`publish a tool of ${some}`, async () => await editor.publish(id), {
		1: owned - chosen,
		2: chosen,
	});
	await measure(`unpublish a tool of ${some}`, async () => await editor.unpublish(id), {
		1: owned,
	});
}
