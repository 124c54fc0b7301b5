import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';

import { NoResponse } from '../../host/api/rest.mts';
import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import { listenOnLoopback } from '../support/loopback.mts';
import { people, publishAddingWorkflow } from '../support/postedPeople.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

const COUNT = 100_000;
const CHECK_MS = 1_200_000;

/** *Retry* of an execution with more items than n8n would store as they are. */
export async function longRetry({ check, cleanup, editor, url }: E2eEnvironment): Promise<void> {
	const times = new Map<string, number>();
	// Of 100,000 leads, the sandbox would keep each request.
	const service = await cleanup.use(
		listenOnLoopback((request, response) => {
			void json(request).then((lead) => {
				const { phone_number: phone } = lead as { phone_number: string };
				const time = (times.get(phone) ?? 0) + 1;
				times.set(phone, time);
				const isRefused = phone === last && time === 1;
				const variables = { note: 'A note. '.repeat(20) };
				const data = { id: times.size, phone_number: phone, variables };
				response.writeHead(isRefused ? 422 : 201, { 'content-type': 'application/json' });
				response.end(
					JSON.stringify(isRefused ? { message: 'Refused' } : { message: 'Created', data }),
				);
			});
		}),
	);
	const credential = await saveCredential(editor, 'A long run', {
		url: `${service.origin}/api`,
		token: 'a',
	});
	const rows = people(COUNT);
	const last = rows.at(-1)?.phone ?? '';
	const parameters = { requestOptions: { maxConcurrentRequests: 50 } };
	const published = { editor, url, credential, path: 'long-retry', parameters };
	const { id, post } = await publishAddingWorkflow(published);

	await check(
		`of ${COUNT.toLocaleString('en')} people of whom the last one was refused, Retry adds this one`,
		async () => {
			await post(rows);
			const failed = await waitFor('the execution', CHECK_MS, async () => {
				const [state] = await editor.executionStates(id);
				return state?.[1] === 'error' ? state[0] : undefined;
			});
			if (times.size !== COUNT)
				console.log((await editor.executions(id)).map(({ error }) => error));
			assert.equal(times.size, COUNT);
			// n8n answers when the retry has ended, which takes minutes.
			const asked = editor.retry(failed).catch((error: unknown) => {
				if (!(error instanceof NoResponse)) throw error;
			});
			const ended = waitFor('the retry', CHECK_MS, async () => {
				const [[retry, state] = []] = await editor.executionStates(id);
				return retry !== failed && !['new', 'running'].includes(state ?? '') ? state : undefined;
			});
			assert.equal((await Promise.all([ended, asked]))[0], 'success');
			assert.deepEqual(
				[...times].filter(([, time]) => time > 1),
				[[last, 2]],
			);
		},
		CHECK_MS,
	);
}
