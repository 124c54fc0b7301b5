import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { NEVER_MISS } from '../../host/n8n/examples.mts';
import { waitFor } from '../../host/process/wait.mts';
import { A_CALL, openExample, withParameters } from '../gallery/example.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { untilNextPoll } from './calls.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const LIMIT_MS = 60_000;
const CALL = { assistant_id: 2, from: '+14155550177' };

/** How many calls finish while n8n is down. */
const MISSED = 50;

/**
 * The example with both triggers, with n8n's own Remove Duplicates.
 *
 * @param reason why n8n is down, in the name of the check
 */
export async function neverMissACall(
	environment: E2eEnvironment,
	reason = 'n8n is down',
): Promise<void> {
	const { check, editor, n8n, restart } = environment;

	await check(`calls that finish while ${reason} are handled once when it is back`, async () => {
		// A poll at the same moment as a delivery could handle its call twice (docs/reliability.md).
		const polls = withParameters('Calls of the last minutes', { pollTimes: ONCE_A_YEAR });
		const example = await openExample(environment, environment, NEVER_MISS, [polls]);
		const { id, control, service } = example;
		/** Waits until so many calls have reached the handler. @returns their IDs, sorted */
		const untilHandled = async (count: number) =>
			await waitFor(`${count} calls to be handled`, LIMIT_MS, async () => {
				const handled = (await editor.executions(id))
					.flatMap((execution) => getItems(execution, 'Handle the call'))
					.map(({ call }) => Number(call));
				return handled.length >= count ? handled.sort((a, b) => a - b) : undefined;
			});

		await example.publish();
		await example.callIn(CALL);
		await untilHandled(1);

		await n8n().stop();
		for (let count = 0; count < MISSED; count++) await control.inbound(CALL);
		await control.advance(A_CALL);
		await restart();
		await untilHandled(1 + MISSED);

		await untilNextPoll(service, restart);
		await example.callIn(CALL);
		const calls = (await control.calls()).map((call) => call.id);
		assert.deepEqual(await untilHandled(2 + MISSED), calls);
		await example.unpublish();
	});
}
