import assert from 'node:assert/strict';

import { getItems } from '../../host/api/execution.mts';
import { ASK_BEFORE_START } from '../../host/n8n/examples.mts';
import { withParameters } from './example.mts';
import type { Gallery } from './gallery.mts';

/** Nobody decides. `npm run test:e2e` has both decisions. */
export async function askBeforeACampaignStarts(gallery: Gallery): Promise<void> {
	const { check, open, editor, restart } = gallery;
	const soon = withParameters('Ask for approval', { resumeAmount: 1, resumeUnit: 'seconds' });
	const example = await open(ASK_BEFORE_START, [soon]);

	await check('a campaign does not start when nobody answers in time', async () => {
		await editor.start(example.id, 'Start by hand');
		await example.untilWaiting();
		// n8n looks for executions whose time is over when it starts, and then once a minute.
		await restart();
		const [execution] = await example.executions(1);
		assert.ok(execution);
		assert.equal(execution.status, 'success', execution.error);
		assert.equal(getItems(execution, 'Ask for approval').length, 1);
		assert.deepEqual(getItems(execution, 'Start the campaign'), []);
		assert.deepEqual(await example.control.requests(), []);
	});
}
