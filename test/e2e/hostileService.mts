import assert from 'node:assert/strict';

import { saveCredential } from '../../host/n8n/provision.mts';
import { waitFor } from '../../host/process/wait.mts';
import type { Checks } from '../support/checks.mts';
import { listenOnLoopback } from '../support/loopback.mts';
import { action, CALL, pollTrigger, start, START, workflow } from '../support/workflows.mts';
import type { E2eEnvironment } from './testEnvironment.mts';
import { itemsOf } from '../../host/api/execution.mts';

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

/** A service whose only list is what the check says. */
async function startListService({ cleanup }: Checks, respond: Responder) {
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
	return { url: `${server.origin}/api`, requestCount: () => requests };
}

/** Services that never end, or whose clock is wrong. */
export async function hostileService(checks: Checks, environment: E2eEnvironment): Promise<void> {
	const { check, cleanup } = checks;
	const { editor } = environment;

	await check(
		'a list that grows while it is read ends a poll, and nothing is read after it',
		async () => {
			// The oldest calls come first, so a poll has to read all pages.
			const startedAt = Date.now();
			const endless = await startListService(checks, (page) => ({
				data: Array.from({ length: PER_PAGE }, (_, row) =>
					call(page * PER_PAGE + row, wireTime(startedAt + (page * PER_PAGE + row) * MINUTE_MS)),
				),
				total: (page + 10) * PER_PAGE,
				last_page: page + 10,
			}));
			const credential = await saveCredential(editor, 'Endless', { url: endless.url, token: 'T' });
			const { id } = await editor.createWorkflow(workflow('Endless', [pollTrigger(1, credential)]));
			await assert.rejects(editor.publish(id), /more than 100,000 calls/);
			await editor.unpublish(id);
			const after = endless.requestCount();
			// Another publish would read on, if one of the polls before it did.
			const { id: other } = await editor.createWorkflow(workflow('Nothing', [start()]));
			await editor.run(other, START);
			assert.equal(endless.requestCount(), after);
		},
	);

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
		const { id } = await editor.createWorkflow(
			workflow('Dripping', [start(), action(NODE, parameters, credential)], [[START, NODE]]),
		);
		const { status, error } = await editor.run(id, START);
		assert.equal(status, 'error');
		assert.match(error ?? '', /^The service did not answer in time/);
	});

	await check(
		'a call that is dated in the future lets the poll trigger miss no other call',
		async () => {
			const calls = [call(1, wireTime(Date.now()))];
			const service = await startListService(checks, () => ({
				data: [...calls].reverse(),
				total: calls.length,
				last_page: 1,
			}));
			const credential = await saveCredential(editor, 'Future', { url: service.url, token: 'T' });
			const { id } = await editor.createWorkflow(workflow('Future', [pollTrigger(1, credential)]));
			await editor.publish(id);
			/** n8n polls when it publishes, and else once a minute at most. */
			const poll = async () => {
				await editor.unpublish(id);
				await editor.publish(id);
			};
			const delivered = async (): Promise<unknown[]> =>
				(await editor.executions(id)).flatMap((execution) =>
					itemsOf(execution, CALL).map((item) => item.id),
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
		},
	);
}
