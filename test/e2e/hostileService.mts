import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import { listenOnLoopback } from '../support/loopback.mts';
import { action, CALL, node, pollTrigger, workflow } from '../support/workflows.mts';
import { runNode } from './runNode.mts';
import type { E2eEnvironment } from './testEnvironment.mts';
import { getItems } from '../../host/api/execution.mts';

const NODE = 'Calls';
/** More than a poll asks for, so that it reads the most records with few requests. */
const PER_PAGE = 1_000;
const DELIVERY_LIMIT_MS = 60_000;
const MINUTE_MS = 60_000;

const wireTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const call = (id: number, createdAt: string) => ({
	id,
	status: 'completed',
	type: 'outbound',
	created_at: createdAt,
});

type Responder = (page: number) => object;

/** Starts a service whose only list is what the check says, and makes a workflow that polls it. */
async function startListService(
	{ cleanup, editor }: E2eEnvironment,
	name: string,
	respond: Responder,
) {
	let requests = 0;
	const server = await cleanup.use(
		listenOnLoopback((request, response) => {
			requests++;
			const { searchParams } = new URL(request.url ?? '', 'http://localhost');
			const page = Number(searchParams.get('page') ?? 1);
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify({ current_page: page, per_page: PER_PAGE, ...respond(page) }));
		}),
	);
	const url = `${server.origin}/api`;
	const credential = await saveCredential(editor, name, { url, token: 'T' });
	const { id } = await editor.createWorkflow(workflow(name, [pollTrigger(1, credential)]));
	return { id, requestCount: () => requests };
}

/** Services that never end, or whose clock is wrong. */
export async function hostileService(environment: E2eEnvironment): Promise<void> {
	const { check, cleanup, editor } = environment;

	await check('a list that grows while it is read ends a poll and its requests', async () => {
		// The oldest calls come first, so a poll has to read all pages.
		const startedAt = Date.now();
		const { id, requestCount } = await startListService(environment, 'Endless', (page) => ({
			data: Array.from({ length: PER_PAGE }, (_, row) =>
				call(page * PER_PAGE + row, wireTime(startedAt + (page * PER_PAGE + row) * MINUTE_MS)),
			),
			total: (page + 10) * PER_PAGE,
			last_page: page + 10,
		}));
		// A machine that is busy does not come so far.
		await assert.rejects(editor.publish(id), /more than 100,000 calls|did not answer in time/);
		await editor.unpublish(id);
		const after = requestCount();
		// Another publish would read on, if one of the polls before it did.
		await runNode(environment, node('Nothing', 'n8n-nodes-base.noOp', 1, {}));
		assert.equal(requestCount(), after);
	});

	await check('a service that sends a byte at a time ends at the Timeout of the node', async () => {
		const dripping = await cleanup.use(
			listenOnLoopback((_request, response) => {
				const timer = setInterval(() => response.write(' '), 100);
				response.on('close', () => clearInterval(timer));
			}),
		);
		const url = `${dripping.origin}/api`;
		const credential = await saveCredential(editor, 'Dripping', { url, token: 'T' });
		const parameters = {
			resource: 'campaign',
			operation: 'start',
			campaignId: { __rl: true, mode: 'id', value: '1' },
			requestOptions: { timeout: 1_000 },
		};
		const { status, error } = await runNode(environment, action(NODE, parameters, credential));
		assert.equal(status, 'error');
		assert.match(error ?? '', /^The service did not answer in time/);
	});

	await check('a call of the future lets the poll trigger miss no other call', async () => {
		const calls = [call(1, wireTime(Date.now()))];
		const { id } = await startListService(environment, 'Future', () => ({
			data: [...calls].reverse(),
			total: calls.length,
			last_page: 1,
		}));
		await editor.publish(id);
		/** n8n polls when it publishes, and else once a minute at most. */
		const poll = async () => {
			await editor.unpublish(id);
			await editor.publish(id);
		};
		const delivered = async (): Promise<unknown[]> =>
			(await editor.executions(id)).flatMap((execution) =>
				getItems(execution, CALL).map((item) => item.id),
			);
		const untilDelivered = async (callId: number): Promise<void> => {
			await poll();
			await waitFor(`call ${callId}`, DELIVERY_LIMIT_MS, async () =>
				(await delivered()).includes(callId) ? true : undefined,
			);
		};

		calls.push(call(2, '2099-01-01 00:00:00'));
		await untilDelivered(2);
		calls.push(call(3, wireTime(Date.now())));
		await untilDelivered(3);
		calls[1] = call(2, wireTime(Date.now()));
		calls.push(call(4, wireTime(Date.now())));
		await untilDelivered(4);
		assert.deepEqual((await delivered()).sort(), [2, 3, 4]);
		await editor.unpublish(id);
	});
}
