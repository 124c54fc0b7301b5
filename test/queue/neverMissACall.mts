import assert from 'node:assert/strict';

import { withCredential, type Workflow } from '../../host/api/workflow.mts';
import { NEVER_MISS, readExample } from '../../host/n8n/examples.mts';
import { POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import { startBlockingServer } from '../support/blockingServer.mts';
import type { Checks } from '../support/checks.mts';
import { CALL, httpGet, ONCE_A_YEAR, workflow } from '../support/workflows.mts';
import { call, callsWithSms, smsForCall, untilSms } from './calls.mts';
import { ASSISTANT, type QueueEnvironment } from './environment.mts';

/** Nodes of the example. */
const POLL = 'Calls of the last minutes';
const EACH_ONCE = 'Each call once';
const HANDLE = 'Handle the call';

const LOOK_UP = 'Look up the person';
/** Calls whose executions are killed before Remove Duplicates. One worker can run them all at once. */
const CUT = 8;

/**
 * The workers are killed while the example "Never miss a call" runs, as by a power cut: what they had is lost to n8n
 * (docs/scaling.md), and the poll trigger brings it again.
 */
export async function neverMissACall(
	{ check, cleanup }: Checks,
	environment: QueueEnvironment,
): Promise<void> {
	const { editor, killWorkers, addWorker, restartMain } = environment;
	const lookUp = await cleanup.use(startBlockingServer());

	await check(
		'calls whose executions were killed before Remove Duplicates are handled once',
		async () => {
			const { id } = await editor.createWorkflow(
				await withLookUp(environment, lookUp.urlExpression),
			);
			await editor.publish(id);
			const before = await callsWithSms(environment);
			lookUp.block();
			const calls = await call(environment, CUT);
			await lookUp.untilBlocked(CUT);
			await killWorkers();
			lookUp.unblock();
			await addWorker();
			await restartMain();
			const handled = await untilSms(environment, before.length + CUT);
			assert.deepEqual(handled.slice(before.length), calls);
			await editor.unpublish(id);
		},
	);
}

/** The example, with a step between the trigger and its Remove Duplicates, and an SMS for each call. */
async function withLookUp(environment: QueueEnvironment, url: string): Promise<Workflow> {
	const example = withCredential(await readExample(NEVER_MISS), environment.credential);
	const assistantId = { __rl: true, mode: 'id', value: String(ASSISTANT) };
	const parameters: Record<string, object> = {
		[TRIGGER]: { triggerOn: 'callCompleted', assistantId },
		[POLL_TRIGGER]: { assistants: { values: [{ assistantId }] }, pollTimes: ONCE_A_YEAR },
	};
	const nodes = example.nodes.map((node) =>
		node.name === HANDLE
			? smsForCall(HANDLE, environment)
			: { ...node, parameters: { ...(parameters[node.type] ?? node.parameters) } },
	);
	return workflow(
		example.name,
		[...nodes, httpGet(LOOK_UP, url)],
		[
			[CALL, LOOK_UP],
			[LOOK_UP, EACH_ONCE],
			[POLL, EACH_ONCE],
			[EACH_ONCE, HANDLE],
		],
	);
}
