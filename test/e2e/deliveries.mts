import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { getItems, type Item } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { post } from '../support/post.mts';
import { sendRequest } from '../../sandbox/test/support/client.mts';
import { queryExecutions } from '../support/storedExecutions.mts';
import { CALL, trigger, workflow } from '../support/workflows.mts';
import { readWebhookUrls } from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/**
 * n8n 2.41 needs an isolate for each request to a community trigger, about 50 ms (n8n.md#expressions-of-a-webhook).
 */
const FORGED = { current: 200, oldest: 5_000 };

/** As many as a proxy may pass on at once. */
const AT_ONCE = 20;

const EXECUTION_LIMIT_MS = 120_000;

/** n8n accepts 16 MiB (n8n 2.0, 2.41: N8N_PAYLOAD_SIZE_MAX). */
const TOO_LARGE = `{"id":1,"transcript":"${'x'.repeat(20 * 1024 * 1024)}"}`;

/** A request, and n8n's response. */
type Delivery = [what: string, request: RequestInit & { url?: (url: URL) => void }, status: number];

const json = (body: string): RequestInit => ({
	method: 'POST',
	headers: { 'content-type': 'application/json' },
	body,
});

/** Requests that must start nothing. 404, 422 and 500 are n8n's own. */
const REFUSED: Delivery[] = [
	['without a token', { ...json('{"id":1}'), url: (url) => url.searchParams.delete('token') }, 401],
	[
		'with a wrong token',
		{ ...json('{"id":1}'), url: (url) => url.searchParams.set('token', '0'.repeat(64)) },
		401,
	],
	[
		'with the token in another parameter',
		{
			...json('{"id":1}'),
			url: (url) => {
				url.searchParams.set('key', url.searchParams.get('token') ?? '');
				url.searchParams.delete('token');
			},
		},
		401,
	],
	['with GET', { method: 'GET' }, 404],
	['with malformed JSON', json('{"id":'), 422],
	['with 20 MB', json(TOO_LARGE), 500],
	['that does not pass the filter', json('{"id":1,"duration":1}'), 200],
	['of a call that is not over', json('{"id":1,"status":"ringing"}'), 200],
];

const FORM = new FormData();
FORM.append('id', '7');

const typed = (type: string, text: string): Blob => new Blob([text], { type });

const unknown = (raw: unknown) => ({ outcome: 'unknown', raw });

/** Bodies that n8n reads in different ways, and what the item has of each. */
const UNUSUAL: Array<[body: string | Blob | FormData | URLSearchParams, item: object]> = [
	[FORM, unknown({ id: '7' })],
	[new URLSearchParams({ id: '7' }), unknown({ id: '7' })],
	[typed('', '{"foo":1}'), unknown({ foo: 1 })],
	[typed('application/octet-stream', '{"foo":1}'), unknown({ foo: 1 })],
	[typed('application/x-www-form-urlencoded', '{"foo":1}'), unknown({ foo: 1 })],
	[typed('application/xml', '<call><id>7</id></call>'), unknown('<call><id>7</id></call>')],
	// JavaScript would round the number.
	['{"id":9007199254740993,"status":"completed"}', { id: '9007199254740993' }],
	['{"id":1,"__proto__":{"polluted":true}}', { outcome: 'unknown' }],
];

/** What arrives at the webhook of a published trigger, whoever sent it. */
export async function deliveries(environment: E2eEnvironment): Promise<void> {
	const { check, editor, userFolder, carol, host } = environment;
	const forgedCount = FORGED[host];

	const publish = async (name: string, assistantId: number, options = {}) => {
		const filters = { minimumDuration: 10 };
		const only = trigger('callCompleted', assistantId, carol, { filters, options });
		const { id } = await editor.createWorkflow(workflow(name, [only]));
		await editor.publish(id);
		const { callCompleted } = await readWebhookUrls(environment, assistantId);
		return { id, url: new URL(callCompleted ?? '') };
	};
	/** Reads the database, because n8n lists only some of many executions. */
	const executionCount = (id: string): number =>
		queryExecutions(userFolder, 'SELECT 1 FROM execution_entity WHERE workflowId = ?', id).length;
	const readLog = async () => await readFile(join(userFolder, 'n8n.log'), 'utf8');
	/** Sends a request, which n8n accepts. @returns the items of the execution that it starts */
	const itemsAfter = async (id: string, url: URL, request: RequestInit): Promise<Item[]> => {
		const known = await editor.executionStates(id);
		assert.equal((await sendRequest(url, request)).status, 200);
		return await waitFor('the execution', EXECUTION_LIMIT_MS, async () => {
			const execution = (await editor.executions(id)).find((each) => !known.has(each.id));
			return execution && getItems(execution, CALL);
		});
	};

	await check('a request that is no delivery of the service starts nothing', async () => {
		const { id, url } = await publish('Refused', ASSISTANTS.refusedDeliveries);
		const before = (await readLog()).length;
		for (const [what, { url: change, ...request }, expected] of REFUSED) {
			const target = new URL(url);
			change?.(target);
			const { status } = await sendRequest(target, request);
			assert.equal(status, expected, what);
		}
		assert.equal(executionCount(id), 0);
		// n8n logs its own responses. The trigger logs nothing.
		assert.doesNotMatch((await readLog()).slice(before), /VoiceAssistantCalling/);
		await editor.unpublish(id);
	});

	await check('a delivery of any form starts one execution, whose item has it', async () => {
		const assistant_id = ASSISTANTS.unusualDeliveries;
		const { id, url } = await publish('Unusual', assistant_id, { repeatedDeliveries: true });
		for (const [body, expected] of UNUSUAL) {
			const request = typeof body === 'string' ? json(body) : { method: 'POST', body };
			const items = await itemsAfter(id, url, request);
			const item = { event: 'callCompleted', assistant_id, ...expected };
			assert.partialDeepStrictEqual(items, [item]);
			assert.equal(items.length, 1);
		}
		assert.equal(executionCount(id), UNUSUAL.length);
		await editor.unpublish(id);
	});

	await check(
		'forged and repeated requests start no execution, and a call still arrives once',
		async () => {
			const { id, url } = await publish('Forged', ASSISTANTS.forgedDeliveries);
			const forged = new URL(url);
			forged.searchParams.set('token', '0'.repeat(64));
			const bodies = Array.from({ length: forgedCount }, (_, index) => ({
				id: index,
				duration: 60,
			}));
			const before = (await readLog()).length;
			const { statuses } = await post(forged.href, bodies, AT_ONCE);
			assert.deepEqual([...new Set(statuses)], [401]);
			const logged = (await readLog()).slice(before).split('\n').length;
			assert.ok(logged < 10, `n8n logged ${logged} lines.`);
			assert.equal(executionCount(id), 0);
			await itemsAfter(id, url, json('{"id":1,"duration":60}'));
			assert.equal(executionCount(id), 1);

			// The same once more, and another one twice at the same moment.
			const again = [1, 2, 2].map((call) => ({ id: call, duration: 60 }));
			const { statuses: accepted } = await post(url.href, again, again.length);
			assert.deepEqual([...new Set(accepted)], [200]);
			await itemsAfter(id, url, json('{"id":3,"duration":60}'));
			assert.equal(executionCount(id), 3);
			await editor.unpublish(id);
		},
	);
}
