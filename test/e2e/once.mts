import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { getItems, type Execution } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { action, node, workflow } from '../support/workflows.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const WEBHOOK = 'Webhook';
const SPLIT = 'Split';
const ADD = 'Add people';
const LIMIT_MS = 60_000;

const people = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ phone: `+49151123${47_000 + from + index}` }));

/** *Only Once*, with n8n's own database, and *Retry* in n8n's list of executions. */
export async function once(environment: E2eEnvironment): Promise<void> {
	const { check, editor, url } = environment;
	const { control, aliceRef } = await startOwnService(environment, 'once');

	/** A published workflow that adds the people that are posted to it. */
	const createWorkflow = async (path: string, parameters: object) => {
		const add = action(
			ADD,
			{
				resource: 'lead',
				operation: 'create',
				campaignId: { __rl: true, mode: 'id', value: '1' },
				phoneNumber: '={{ $json.phone }}',
				...parameters,
			},
			aliceRef,
		);
		const webhook = { httpMethod: 'POST', path };
		const nodes = [
			{ ...node(WEBHOOK, 'n8n-nodes-base.webhook', 2, webhook), webhookId: randomUUID() },
			node(SPLIT, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body' }),
			add,
		];
		const links: Array<[string, string]> = [
			[WEBHOOK, SPLIT],
			[SPLIT, ADD],
		];
		const { id } = await editor.createWorkflow(workflow(path, nodes, links));
		await editor.publish(id);
		return {
			post: async (body: object[]) => {
				const { ok, status } = await fetch(`${url}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(body),
				});
				assert.ok(ok, `The webhook answered with ${status}.`);
			},
			/** The executions that have ended, the newest first, when there are so many. */
			ended: async (count: number): Promise<Execution[]> =>
				await waitFor(`${count} executions`, LIMIT_MS, async () => {
					const executions = await editor.executions(id);
					return executions.length >= count ? executions : undefined;
				}),
		};
	};

	/** How often each number was sent. */
	const timesSent = async (): Promise<Record<string, number>> => {
		const times: Record<string, number> = {};
		for (const { operation, body } of await control.requests()) {
			const { phone_number: number = '' } = (body ?? {}) as { phone_number?: string };
			if (operation === 'createLead') times[number] = (times[number] ?? 0) + 1;
		}
		return times;
	};

	const each = (rows: Array<{ phone: string }>, times = 1) =>
		Object.fromEntries(rows.map(({ phone }) => [phone, times]));

	const resultsOf = (execution?: Execution) =>
		execution ? getItems(execution, ADD).map(({ result }) => result) : [];

	const byNumber = { options: { onlyOnce: '={{ $json.phone }}' } };
	const { post, ended } = await createWorkflow('only-once', byNumber);

	await check(
		'Only Once adds people once who come in two executions at the same moment',
		async () => {
			await Promise.all([post(people(20)), post(people(20))]);
			const executions = await ended(2);
			const results = executions.flatMap(resultsOf);
			assert.equal(results.filter((result) => result === 'created').length, 20);
			assert.equal(results.filter((result) => result === 'done before').length, 20);
			assert.deepEqual(await timesSent(), each(people(20)));
		},
	);

	await check('Only Once knows them after a restart, and adds who is new', async () => {
		await environment.restart();
		await post(people(21));
		const [execution] = await ended(3);
		assert.deepEqual(resultsOf(execution), [...people(20).map(() => 'done before'), 'created']);
		assert.deepEqual(await timesSent(), each(people(21)));
	});

	await check('Only Once does not add again who was being added when n8n was killed', async () => {
		await control.fault({ operation: 'createLead', delay_ms: 20_000 });
		await post(people(1, 21));
		await waitFor('the request', LIMIT_MS, async () => {
			const sent = await timesSent();
			return Object.keys(sent).length === 22 ? sent : undefined;
		});
		await environment.n8n().kill();
		await environment.restart();
		await post(people(1, 21));
		await waitFor('the execution', LIMIT_MS, async () => {
			const [newest] = await ended(4);
			return newest?.status === 'success' ? newest : undefined;
		});
		const [execution] = await ended(4);
		assert.deepEqual(resultsOf(execution), ['done before']);
		assert.deepEqual(await timesSent(), each(people(22)));
	});

	await check('Retry adds only who was not added, and nobody of whom it is not known', async () => {
		await control.reset();
		const retried = await createWorkflow('retry', {
			requestOptions: { maxConcurrentRequests: 1 },
		});
		await control.fault({ operation: 'createLead', skip_first: 2, status: 422 });
		await retried.post(people(5));
		const [failed] = await retried.ended(1);
		assert.equal(failed?.status, 'error');
		assert.deepEqual(await timesSent(), each(people(3)));

		await control.fault({ operation: 'createLead', skip_first: 1, drop: 'after' });
		const lost = await editor.retry(failed.id);
		assert.equal(lost.status, 'error');
		assert.deepEqual(await timesSent(), { ...each(people(4)), ...each(people(1, 2), 2) });

		const last = await editor.retry(lost.id);
		assert.equal(last.status, 'error');
		assert.match(last.error ?? '', /unknown: item 3/);
		assert.deepEqual(await timesSent(), { ...each(people(5)), ...each(people(1, 2), 2) });
	});
}
