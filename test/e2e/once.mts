import assert from 'node:assert/strict';

import { waitFor } from '../../host/process/wait.mts';
import {
	each,
	ONCE_BY_NUMBER,
	people,
	publishAddingWorkflow,
	resultsOf,
	timesSent,
} from '../support/postedPeople.mts';
import { action, fields, node, start, START, workflow } from '../support/workflows.mts';
import { startOwnService, type E2eEnvironment } from './testEnvironment.mts';

const LIMIT_MS = 60_000;
const [CALLED, ADD, PERSON, CALL] = ['When called', 'Add', 'Person', 'Call sub-workflow'];

/** *Only Once Per*, with n8n's own database, and *Retry* in n8n's list of executions. */
export async function once(environment: E2eEnvironment): Promise<void> {
	const { check, editor, url, host } = environment;
	const { control, aliceRef } = await startOwnService(environment, 'once');

	const publishWorkflow = async (path: string, parameters: object, credential = aliceRef) =>
		await publishAddingWorkflow({ editor, url, credential, path, parameters });
	const { post, ended } = await publishWorkflow('only-once', ONCE_BY_NUMBER);

	await check(
		'Only Once Per adds people once who come in two executions at the same moment',
		async () => {
			await Promise.all([post(people(20)), post(people(20))]);
			const executions = await ended(2);
			const results = executions.flatMap(resultsOf);
			assert.equal(results.filter((result) => result === 'created').length, 20);
			assert.equal(results.filter((result) => result === 'done before').length, 20);
			assert.deepEqual(await timesSent(control), each(people(20)));
		},
	);

	await check('Only Once Per knows them after a restart, and adds who is new', async () => {
		await environment.restart();
		await post(people(21));
		const [execution] = await ended(3);
		assert.deepEqual(resultsOf(execution), [...people(20).map(() => 'done before'), 'created']);
		assert.deepEqual(await timesSent(control), each(people(21)));
	});

	await check(
		'Only Once Per does not add again who was being added when n8n was killed',
		async () => {
			await control.fault({ operation: 'createLead', delay_ms: 20_000 });
			await post(people(1, 21));
			await waitFor('the request', LIMIT_MS, async () => {
				const sent = await timesSent(control);
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
			assert.deepEqual(await timesSent(control), each(people(22)));
		},
	);

	await check('of 1,000 people of whom 500 were added before, it adds the others', async () => {
		// The other service may still carry out what n8n sent before it was killed.
		const own = await startOwnService(environment, 'long-list');
		const list = await publishWorkflow('long-list', ONCE_BY_NUMBER, own.aliceRef);
		await list.post(people(500));
		await list.ended(1);
		await list.post(people(1000));
		await list.ended(2);
		assert.deepEqual(await timesSent(own.control), each(people(1000)));
	});

	await check(
		'a workflow that is tried in the editor adds people again, and so does its sub-workflow',
		async () => {
			const own = await startOwnService(environment, 'tried');
			const parameters = {
				resource: 'lead',
				operation: 'create',
				campaignId: { __rl: true, mode: 'id', value: '1' },
			};
			const sub = await editor.createWorkflow(
				workflow(
					'sub-workflow',
					[
						node(CALLED, 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
							inputSource: 'passthrough',
						}),
						action(
							ADD,
							{ ...parameters, phoneNumber: '={{ $json.phone }}', ...ONCE_BY_NUMBER },
							own.aliceRef,
						),
					],
					[[CALLED, ADD]],
				),
			);
			await editor.publish(sub.id);
			const workflowId = { __rl: true, mode: 'id', value: sub.id };
			const caller = await editor.createWorkflow(
				workflow(
					'caller',
					[
						start(),
						fields(PERSON, people(1)[0] ?? {}),
						node(CALL, 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId }),
					],
					[
						[START, PERSON],
						[PERSON, CALL],
					],
				),
			);
			await editor.run(caller.id, START);
			await editor.run(caller.id, START);
			// n8n 2.0 does not tell a sub-workflow who started it.
			assert.deepEqual(await timesSent(own.control), each(people(1), host === 'oldest' ? 1 : 2));
		},
	);

	await check('Call → Make calls a person once, also after a lost answer', async () => {
		const own = await startOwnService(environment, 'lost-call');
		const assistantId = { __rl: true, mode: 'id', value: '1' };
		const parameters = { resource: 'call', operation: 'make', assistantId, ...ONCE_BY_NUMBER };
		const calling = await publishWorkflow('lost-call', parameters, own.aliceRef);
		const before = (await own.control.calls()).length;
		await own.control.fault({ operation: 'makeCall', drop: 'after' });
		await calling.post(people(1));
		const [lost] = await calling.ended(1);
		assert.ok(lost !== undefined);
		assert.match(lost.error ?? '', /may have been carried out/);
		await editor.retry(lost.id);
		await calling.post(people(1));
		await calling.ended(3);
		assert.equal((await own.control.calls()).length - before, 1);
		const sent = (await own.control.requests()).filter(({ operation }) => operation === 'makeCall');
		assert.equal(sent.length, 1);
	});

	await check('Retry adds only who was not added, and nobody of whom it is not known', async () => {
		await control.reset();
		const retried = await publishWorkflow('retry', {
			requestOptions: { maxConcurrentRequests: 1 },
		});
		await control.fault({ operation: 'createLead', skip_first: 2, status: 422 });
		await retried.post(people(5));
		const [failed] = await retried.ended(1);
		assert.equal(failed?.status, 'error');
		assert.deepEqual(await timesSent(control), each(people(3)));

		await control.fault({ operation: 'createLead', skip_first: 1, drop: 'after' });
		const lost = await editor.retry(failed.id);
		assert.equal(lost.status, 'error');
		assert.deepEqual(await timesSent(control), { ...each(people(4)), ...each(people(1, 2), 2) });

		const last = await editor.retry(lost.id);
		assert.equal(last.status, 'error');
		assert.match(last.error ?? '', /unknown: item 3/);
		assert.deepEqual(await timesSent(control), { ...each(people(5)), ...each(people(1, 2), 2) });
	});

	await check(
		'nobody is added again whom a gateway answered with 408, by Retry neither',
		async () => {
			const behindGateway = await startOwnService(environment, 'gateway', {
				assume: { 'gateway-timeouts': 1 },
			});
			const added = await publishWorkflow('gateway', ONCE_BY_NUMBER, behindGateway.aliceRef);
			await added.post(people(3));
			const [lost] = await added.ended(1);
			assert.ok(lost !== undefined);
			assert.match(lost.error ?? '', /unknown: items 0–2/);
			await editor.retry(lost.id);
			await added.post(people(3));
			const [again] = await added.ended(3);
			assert.deepEqual(resultsOf(again), ['done before', 'done before', 'done before']);
			assert.deepEqual(await timesSent(behindGateway.control), each(people(3)));
		},
	);
}
