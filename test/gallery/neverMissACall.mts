import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { NEVER_MISS } from '../../host/n8n/examples.mts';
import { ONCE_A_YEAR } from '../support/workflows.mts';
import { withParameters } from './example.mts';
import type { Gallery } from './gallery.mts';

const CALLER = '+14155550177';

/** What the handler gets of a call that comes twice. `npm run test:e2e` has the poll trigger in it. */
export async function neverMissACall({ check, open }: Gallery): Promise<void> {
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
}
