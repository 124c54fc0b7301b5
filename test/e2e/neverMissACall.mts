import assert from 'node:assert/strict';

import { itemsOf } from '../../host/api/execution.mts';
import { withCredential, type Workflow } from '../../host/api/workflow.mts';
import { NEVER_MISS, readExample } from '../../host/n8n/examples.mts';
import { POLL_TRIGGER, TRIGGER } from '../../host/n8n/names.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { CLIENT_NUMBERS, completeCall } from './calls.mts';
import { startPolledService, untilNextPoll } from './pollTrigger.mts';
import { ASSISTANTS, CAROL } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const LIMIT_MS = 60_000;

/** How many calls finish while n8n is down. */
const MISSED = 50;

/** The example, for one assistant. */
async function exampleFor(assistantId: number): Promise<Workflow> {
	const example = await readExample(NEVER_MISS);
	const chosen = { __rl: true, mode: 'id', value: String(assistantId) };
	const changes = new Map<string, Record<string, unknown>>([
		[TRIGGER, { triggerOn: 'callCompleted', assistantId: chosen }],
		// A poll at the same moment as a delivery could handle its call twice (docs/reliability.md).
		[POLL_TRIGGER, { assistants: { values: [{ assistantId: chosen }] }, pollTimes: ONCE_A_YEAR }],
	]);
	const nodes = example.nodes.map((node) => ({
		...node,
		parameters: changes.get(node.type) ?? node.parameters,
	}));
	return { ...example, nodes };
}

/** The example with both triggers, with n8n's own Remove Duplicates. */
export async function neverMissACall(
	{ check, cleanup }: Checks,
	environment: E2eEnvironment,
): Promise<void> {
	const { editor } = environment;
	const { neverMiss: assistantId } = ASSISTANTS;

	await check('calls that finish while n8n is down are handled once when it is back', async () => {
		const service = await startPolledService(cleanup);
		const { url, control } = service;
		const credential = await saveCredential(editor, 'Carol, never miss', { url, token: CAROL });
		const example = withCredential(await exampleFor(assistantId), credential);
		const { id } = await editor.createWorkflow(example);
		/** The IDs of the calls that reached the handler, sorted. */
		const handled = async () =>
			(await editor.executions(id))
				.flatMap((execution) => itemsOf(execution, 'Handle the call'))
				.map(({ call }) => Number(call))
				.sort((a, b) => a - b);
		const untilHandled = async (count: number) => {
			await waitFor(`${count} calls to be handled`, LIMIT_MS, async () =>
				(await handled()).length >= count ? true : undefined,
			);
		};

		await editor.publish(id);
		const delivered = await completeCall({ service }, assistantId);
		await untilHandled(1);

		await environment.n8n().stop();
		const call = { assistant_id: assistantId, to: CLIENT_NUMBERS.outbound };
		const missed: number[] = [];
		for (let count = 0; count < MISSED; count++) missed.push((await control.outbound(call)).id);
		await control.advance('PT3M');
		await environment.restart();
		await untilHandled(1 + MISSED);

		await untilNextPoll(service, environment.restart);
		const last = await completeCall({ service }, assistantId);
		await untilHandled(2 + MISSED);
		assert.deepEqual(await handled(), [delivered, ...missed, last]);
		await editor.unpublish(id);
	});
}
