import { describe, expect, it } from '@jest/globals';
import { startCallList } from '../../support/trigger/callList.mts';
import { SCHEDULERS, type EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';

const MINUTE_MS = 60_000;

const { list, letPass, published, pollAfter } = await startCallList();

/** A call that takes place now. @returns its ID */
function addCall(): number {
	const id = list.history.length + 1;
	list.history.push({ id, createdAt: list.now, endsAt: list.now + 1, finalStatus: 'completed' });
	return id;
}

/** What n8n's public API has of the workflow. */
const exported = ({ database, durableCursor }: EmulatedPollNode) =>
	structuredClone({ database, durableCursor });

describe.each(SCHEDULERS)('with a scheduler that is %s', (scheduler) => {
	/** A trigger that has handed out calls since it was exported. */
	async function withExport() {
		const trigger = await published({ history: [] }, {}, scheduler);
		const ids = [addCall()];
		await pollAfter(trigger, MINUTE_MS);
		const older = exported(trigger);
		ids.push(addCall(), addCall());
		await pollAfter(trigger, MINUTE_MS);
		return { trigger, ids, older };
	}

	it.each([true, false])(
		'an older export that is written back hands out no call again, with a poll before: %s',
		async (pollsBefore) => {
			for (const unpublishes of [true, false]) {
				const { trigger, ids, older } = await withExport();
				if (pollsBefore) await pollAfter(trigger, MINUTE_MS);
				if (unpublishes) trigger.unpublish();
				ids.push(addCall());
				letPass(MINUTE_MS);
				Object.assign(trigger, older);
				await trigger.publish();
				await pollAfter(trigger, MINUTE_MS);
				expect(trigger.startedIds).toEqual(ids);
			}
		},
	);

	it('an export without static data that is written back hands out no call again, and loses none', async () => {
		const { trigger, ids } = await withExport();
		ids.push(addCall());
		letPass(MINUTE_MS);
		Object.assign(trigger, { database: {}, durableCursor: undefined });
		await trigger.publish();
		await pollAfter(trigger, MINUTE_MS);
		expect(trigger.startedIds).toEqual(ids);
	});

	it('what another main has handed out since is not handed out again', async () => {
		const { trigger, ids } = await withExport();
		const left = exported(trigger);
		ids.push(addCall());
		await pollAfter(trigger, MINUTE_MS);
		const newer = exported(trigger);
		// This main knows what it knew before.
		Object.assign(trigger, left);
		await trigger.restart();
		Object.assign(trigger, newer);
		await trigger.restart();
		await pollAfter(trigger, MINUTE_MS);
		expect(new Set(trigger.startedIds)).toEqual(new Set(ids));
	});

	it('all calls of a pause start it at once when it is published again', async () => {
		const { trigger, ids } = await withExport();
		trigger.unpublish();
		for (let call = 0; call < 12; call++) {
			letPass(MINUTE_MS);
			ids.push(addCall());
		}
		letPass(MINUTE_MS);
		await trigger.publish();
		expect(trigger.executions.at(-1)).toHaveLength(12);
		await pollAfter(trigger, MINUTE_MS);
		expect(trigger.startedIds).toEqual(ids);
	});

	it('a node that was renamed goes on', async () => {
		const { trigger, ids } = await withExport();
		ids.push(addCall());
		letPass(MINUTE_MS);
		trigger.nodeName = 'Other name';
		await trigger.publish();
		await pollAfter(trigger, MINUTE_MS);
		expect(trigger.startedIds).toEqual(ids);
	});
});

it.each([false, true])(
	'calls come again when n8n has dropped the poll that handed them out, with a publish: %s',
	async (publishes) => {
		const trigger = await published({ history: [] }, {}, 'durable');
		const id = addCall();
		// n8n waits for 45 seconds.
		list.pageMs = 50_000;
		await pollAfter(trigger, MINUTE_MS).catch(() => undefined);
		expect(trigger.startedIds).toEqual([]);
		list.pageMs = 0;
		if (publishes) await trigger.publish();
		await pollAfter(trigger, MINUTE_MS);
		expect(trigger.startedIds).toEqual([id]);
	},
);
