import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { ALICE, twoUsers } from '../../sandbox/test/support/seed.mts';
import { startService } from '../../sandbox/test/support/service.mts';
import type { Checks } from '../support/checks.mts';
import {
	each,
	ONCE_BY_NUMBER,
	people,
	publishAddingWorkflow,
	resultsOf,
	timesSent,
} from '../support/postedPeople.mts';
import type { QueueEnvironment } from './environment.mts';

/** The service would refuse the second one. */
const ONCE_OR_TWICE = { ...ONCE_BY_NUMBER, additionalFields: { onDuplicate: 'createAnyway' } };
/** Twice for each worker, so that each one has such an execution. */
const LATER = 4;

/** *Only Once Per* and n8n's Retry, with PostgreSQL and two workers, which have no lock in common (docs/actions.md). */
export async function once(
	{ check, cleanup }: Checks,
	{ editor, webhookUrl }: QueueEnvironment,
): Promise<void> {
	const { url, control } = await cleanup.use(startService({ seed: twoUsers() }));
	const credential = await saveCredential(editor, 'Once', { url, token: ALICE });
	const publishWorkflow = async (path: string, parameters: object) =>
		await publishAddingWorkflow({ editor, url: webhookUrl, credential, path, parameters });
	const { post, ended } = await publishWorkflow('only-once', ONCE_OR_TWICE);

	await check('two workers that have the same people at once add each once or twice', async () => {
		await Promise.all([post(people(20)), post(people(20))]);
		await ended(2);
		const times = await timesSent(control);
		assert.deepEqual(Object.keys(times).toSorted(), Object.keys(each(people(20))));
		assert.ok(Object.values(times).every((count) => count <= 2));
	});

	await check('later, no worker adds them again, and each adds who is new', async () => {
		const before = await timesSent(control);
		for (let count = 0; count < LATER; count += 1) {
			await post(people(20 + count + 1));
			const [newest] = await ended(2 + count + 1);
			assert.equal(newest?.status, 'success', newest?.error);
			assert.deepEqual(resultsOf(newest), [
				...people(20 + count).map(() => 'done before'),
				'created',
			]);
		}
		assert.deepEqual(await timesSent(control), { ...before, ...each(people(LATER, 20)) });
	});

	await check('Retry on a worker adds only who was not added', async () => {
		await control.reset();
		const retried = await publishWorkflow('retry', {
			requestOptions: { maxConcurrentRequests: 1 },
		});
		await control.fault({ operation: 'createLead', skip_first: 2, status: 422, times: 1 });
		await retried.post(people(5));
		const [failed] = await retried.ended(1);
		assert.equal(failed?.status, 'error');
		assert.equal((await editor.retry(failed.id)).status, 'success');
		assert.deepEqual(await timesSent(control), { ...each(people(5)), ...each(people(1, 2), 2) });
	});
}
