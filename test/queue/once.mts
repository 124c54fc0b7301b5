import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
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
import { ASSISTANT } from './seed.mts';

const A_NUMBER = '+4915112345690';
/** Longer than a call of the sandbox takes. */
const A_CALL = 'PT2M';
const LIMIT_MS = 60_000;
/** The service would refuse the second one. */
const ONCE_OR_TWICE = { ...ONCE_BY_NUMBER, additionalFields: { onDuplicate: 'createAnyway' } };
/** Twice for each worker, so that each one has such an execution. */
const LATER = 4;

/**
 * What comes twice, with PostgreSQL and two workers, which have no lock in common (docs/actions.md). The workflow
 * that sends an SMS for each call is published.
 */
export async function once(
	{ check, cleanup }: Checks,
	{ topology, service, metrics }: QueueEnvironment,
): Promise<void> {
	const { editor, webhookUrl } = topology;

	await check(
		'a webhook that comes again through the webhook process sends no second SMS',
		async () => {
			const smsOf = async (callId: number) => {
				const all = await service.control.messages();
				return all.filter(({ body }) => body === `Call ${callId}`).length;
			};
			const call = async () => {
				const { id } = await service.control.outbound({ assistant_id: ASSISTANT, to: A_NUMBER });
				await service.control.advance(A_CALL);
				await waitFor('the SMS', LIMIT_MS, async () => (await smsOf(id)) || undefined);
				return id;
			};
			const first = await call();
			const deliveries = await service.control.deliveries();
			const delivery = deliveries.find(({ call_id: callId }) => callId === first);
			await service.control.request('POST', `/deliveries/${delivery?.id}/replay`, {});
			await call();
			assert.equal(await smsOf(first), 1);
		},
	);

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
		const twice = Object.values(times).filter((count) => count === 2).length;
		metrics.set('Only Once Per, the same 20 people on two workers at once', `${twice} sent twice`);
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
