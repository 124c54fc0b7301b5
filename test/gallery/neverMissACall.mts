import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { NEVER_MISS } from '../../host/n8n/examples.mts';
import { waitFor } from '../../host/process/wait.mts';
import { untilNextPoll } from '../e2e/calls.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { withParameters } from './example.mts';
import type { Gallery } from './gallery.mts';
import { rowNode, textsToEnter, withBehind, withoutNodes } from './variants.mts';

const TABLE = 'Finished calls';
const LIMIT_MS = 240_000;
const CALLER = '+14155550177';

/** What the handler gets of a call that comes twice. `npm run test:e2e` has the poll trigger in it. */
export async function neverMissACall({ check, open, tables }: Gallery): Promise<void> {
	const onlyWebhooks = withParameters('Calls of the last minutes', { pollTimes: ONCE_A_YEAR });
	const example = await open(NEVER_MISS, [onlyWebhooks]);
	await example.publish();

	await check('a call that is delivered twice is handled once', async () => {
		let id = 0;
		const first = await example.next(async () => {
			id = await example.callIn({ assistant_id: 2, from: CALLER });
		});
		const handled = getItems(first, 'Handle the call');
		assert.deepEqual(handled, [{ call: String(id), person: CALLER, outcome: 'answered' }]);
		const second = await example.next(async () => await example.replay());
		assert.deepEqual(getItems(second, 'Handle the call'), []);
	});

	await check(
		'changed as its page says, it keeps each call as one row, with its cost',
		async () => {
			const [key, call_id, called_at, outcome, phone_number, seconds, transcript, direction, cost] =
				textsToEnter('never-miss-a-call', 'Keep every call in a table');
			const delivered = { call_id, called_at, outcome, phone_number, seconds, transcript };
			await tables.create(TABLE, {
				...{ call_id: 'number', seconds: 'number', cost: 'number', called_at: 'date' },
				...{ outcome: 'string', direction: 'string', phone_number: 'string', transcript: 'string' },
			});
			const keep = (name: string, columns: object) =>
				rowNode(name, 'upsert', TABLE, ['call_id', key], { ...delivered, ...columns });
			const changed = await open(NEVER_MISS, [
				onlyWebhooks,
				withoutNodes(['Each call once', 'Handle the call']),
				withBehind(keep('Keep the call', {}), 'When a call completes'),
				withBehind(keep('Keep its cost', { direction, cost }), 'Calls of the last minutes'),
			]);
			const { control, service } = changed;
			await untilNextPoll(service, changed.publish);
			await changed.next(async () => {
				await changed.callIn({ assistant_id: 2, from: CALLER });
			});
			const [call] = await control.calls();
			const expected = {
				call_id: call?.id,
				outcome: 'answered',
				phone_number: CALLER,
				seconds: call?.duration,
				transcript: call?.transcript,
			};
			const early = await tables.row(TABLE, {});
			assert.partialDeepStrictEqual(early, { ...expected, direction: null, cost: null });
			await untilNextPoll(service, async () => {
				await changed.unpublish();
				await changed.publish();
			});
			const row = await waitFor('the cost of the call', LIMIT_MS, async () => {
				const present = await tables.row(TABLE, {});
				return present.cost === null ? undefined : present;
			});
			const whole = { ...expected, direction: call?.type, cost: call?.total_cost };
			assert.partialDeepStrictEqual(row, whole);
			await changed.next(async () => await changed.replay());
			assert.partialDeepStrictEqual(await tables.row(TABLE, {}), whole);
		},
	);
}
