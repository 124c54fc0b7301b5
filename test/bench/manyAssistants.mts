import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { getRows } from '../../sandbox/test/support/client.mts';
import { getObjects } from '../../sandbox/test/support/contract.mts';
import { ALICE, newAssistant, newTool, twoUsers } from '../../sandbox/test/support/seed.mts';
import { startService } from '../../sandbox/test/support/service.mts';
import { midCallToolTrigger, respond } from '../support/midCallTools.mts';
import { PER_PAGE } from './largeAccount.mts';
import { counted } from './lists.mts';
import { chain } from './measureNode.mts';
import { withProbes } from './n8nProbes.mts';
import type { Round } from './round.mts';
import { LATENCY_MS } from './serviceClient.mts';

/** A tool that each assistant has from the beginning. */
const OTHER_TOOL = 1;

/** Publishes and unpublishes a mid call tool trigger that has many assistants. */
export async function manyAssistants({ environment, results, quick, check }: Round): Promise<void> {
	const { editor, n8n, cleanup } = environment;
	const [chosen, owned] = quick ? [100, 200] : [1_000, 10_000];
	const ids = Array.from({ length: owned }, (_, index) => index + 1);
	const [alice] = twoUsers().users;
	const user = {
		...alice,
		tools: [{ ...newTool, id: OTHER_TOOL }],
		assistants: ids.map((id) => ({ ...newAssistant, id, tool_ids: [OTHER_TOOL] })),
		campaigns: [],
		leads: [],
	};
	const sandbox = await cleanup.use(startService({ seed: { users: [user] } }));
	await sandbox.control.fault({ delay_ms: LATENCY_MS, times: 1_000_000 });
	const account = { url: sandbox.url, token: ALICE };
	const credential = await saveCredential(editor, 'Many assistants', account);

	/** How many assistants have each number of tools. */
	const toolCounts = async (): Promise<Record<number, number>> => {
		const counts: Record<number, number> = {};
		for (let page = 1; page <= owned / PER_PAGE; page += 1) {
			const query = { page, per_page: PER_PAGE };
			for (const { tools } of getRows(await sandbox.alice.get('/user/assistants/get', query))) {
				const { length } = getObjects(tools);
				counts[length] = (counts[length] ?? 0) + 1;
			}
		}
		return counts;
	};
	// The chosen ones are the last of the list, so that all of it is read.
	const trigger = midCallToolTrigger(ids.slice(-chosen), credential, { name: 'many' });
	const nodes = [trigger, respond('Answer', 'At ten.', credential)];
	const { id } = await editor.createWorkflow(chain('Many assistants', nodes));
	for (const [change, wanted] of [
		['publish', { 1: owned - chosen, 2: chosen }],
		['unpublish', { 1: owned }],
	] as const) {
		const work = `${change} a tool of ${counted(chosen)} of ${counted(owned)} assistants`;
		await check(`${work}: n8n goes on, and no other tool is lost`, async () => {
			await withProbes(n8n(), async (between) => {
				const from = Date.now();
				await editor[change](id);
				const to = Date.now();
				assert.deepEqual(await toolCounts(), wanted);
				const time = (to - from) / 1000;
				results.record({ work, by: 'Mid Call Tool Trigger' }, { time, ...between(from, to) });
			});
		});
	}
}
