import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import type { Workflow } from '../../host/api/workflow.mts';
import { waitFor } from '../../host/process/wait.mts';
import { DO_NOT_CALL } from './doNotCall.mts';
import { withParameters, type Change, type Example } from './example.mts';
import type { Gallery } from './gallery.mts';
import type { Row } from './tables.mts';

const NAME = 'Several workflows after one call';
const ASSISTANT = 12;
const CALL = 'When a call completes';
const NOTES = 'Call notes';
const LIMIT_MS = 60_000;

/** A workflow of a user, whose Trigger was replaced as the page says. It fails with the number of the call. */
const OWN: Workflow = {
	name: 'Own workflow',
	nodes: [
		{
			id: 'trigger',
			name: CALL,
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			position: [0, 0],
			parameters: { inputSource: 'passthrough' },
		},
		{
			id: 'stop',
			name: 'Fail',
			type: 'n8n-nodes-base.stopAndError',
			typeVersion: 1,
			position: [220, 0],
			parameters: { errorMessage: `={{ $('${CALL}').first().json.client_phone_number }}` },
		},
	],
	connections: { [CALL]: { main: [[{ node: 'Fail', type: 'main', index: 0 }]] } },
	settings: {},
};

/** Chooses a workflow of n8n, as the page says. */
const withOwn = (node: string, id: string): Change =>
	withParameters(node, { source: 'database', workflowId: { __rl: true, mode: 'id', value: id } });

/** One Trigger that starts the workflows inside of its nodes, and that of a user. */
export async function severalWorkflowsAfterOneCall(gallery: Gallery): Promise<void> {
	const { check, editor, open, tables } = gallery;

	const openPublished = async (...changes: Change[]): Promise<Example> => {
		const example = await open(NAME, changes);
		await example.setUp();
		await example.publish();
		return example;
	};
	const talkTo = async ({ callOut }: Example, to: string) =>
		await callOut({ assistant_id: ASSISTANT, to, values: { wants_no_calls: true } });
	const untilRow = async (table: string, phone_number: string) =>
		await waitFor(
			`a row of ${phone_number}`,
			LIMIT_MS,
			async () => (await tables.rows(table, { phone_number })).length === 1 || undefined,
		);

	await check('a call starts both workflows, as the example was imported', async () => {
		const to = '+4915112347001';
		await talkTo(await openPublished(), to);
		await untilRow(DO_NOT_CALL, to);
		await untilRow(NOTES, to);
	});

	await check('a call that is delivered again changes the rows, and adds none', async () => {
		const phone_number = '+4915112347003';
		const example = await openPublished();
		await talkTo(example, phone_number);
		for (const table of [DO_NOT_CALL, NOTES]) await untilRow(table, phone_number);
		const before = await tables.rows(DO_NOT_CALL, { phone_number });
		await tables.update(NOTES, await tables.row(NOTES, { phone_number }), { outcome: 'changed' });
		await example.replay();
		for (const [table, isOld] of [
			[DO_NOT_CALL, ({ since }: Row) => since === before[0]?.since],
			[NOTES, ({ outcome }: Row) => outcome === 'changed'],
		] as const) {
			const rows = await waitFor(`the second delivery in ${table}`, LIMIT_MS, async () => {
				const present = await tables.rows(table, { phone_number });
				return present.every(isOld) ? undefined : present;
			});
			assert.equal(rows.length, 1);
		}
	});

	await check('a workflow of a user gets the call, and stops no other if it fails', async () => {
		const to = '+4915112347002';
		const { id } = await editor.createWorkflow(OWN);
		await editor.publish(id);
		const example = await openPublished(withOwn('Stop calling who opts out', id));
		const callId = await talkTo(example, to);
		const execution = await waitFor('the workflow of the user', LIMIT_MS, async () =>
			(await editor.executions(id)).at(0),
		);
		assert.equal(execution.error, to);
		assert.partialDeepStrictEqual(getItems(execution, CALL), [{ id: callId }]);
		await untilRow(NOTES, to);
	});
}
