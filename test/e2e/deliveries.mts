import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { itemsOf } from '../../host/api/execution.mts';
import { waitFor } from '../../host/process/wait.mts';
import { post } from '../support/post.mts';
import type { Checks } from '../support/checks.mts';
import { sendRequest } from '../support/sandbox/client.mts';
import { queryExecutions } from '../support/storedExecutions.mts';
import { CALL, trigger, workflow } from '../support/workflows.mts';
import { readWebhookUrls } from './calls.mts';
import { ASSISTANTS } from './seed.mts';
import type { E2eEnvironment } from './testEnvironment.mts';

/**
 * n8n 2.41 needs an isolate for each request to a community trigger, about 50 ms (docs/decisions/0005).
 * `npm run bench` sends it 5,000.
 */
const FORGED = { current: 1_000, oldest: 5_000 };

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
];

/** JavaScript would round these numbers. */
const LARGE_IDS = { id: '9007199254740993', lead: { id: '-9007199254740993' } };

/** Bodies that no documentation promises. Each starts one execution with one item. */
const UNUSUAL: Array<[body: string, item: object]> = [
	['[]', { body: [] }],
	['[{"id":1}]', { body: [{ id: 1 }] }],
	['{}', { outcome: 'unknown' }],
	['{"status":"transferred"}', { status: 'transferred', outcome: 'unknown' }],
	['{"id":9007199254740993,"lead":{"id":-9007199254740993}}', LARGE_IDS],
	['{"id":"7","duration":"60","transcript":"Hello"}', { id: 7, duration: 60, transcript: 'Hello' }],
	['{"transcript":[{"text":"Hello"}]}', { transcript: [{ text: 'Hello' }] }],
	['{"__proto__":{"polluted":true},"constructor":1}', { constructor: 1 }],
	['{"extracted_variables":{"__proto__":{"polluted":true}}}', { outcome: 'unknown' }],
];

/** The parts of a form. */
const FORM = {
	id: '7',
	status: 'completed',
	duration: '31',
	transcript: 'Hello',
	recording_url: 'https://example.com/recordings/7.mp3',
};

/** What arrives at the webhook of a published trigger, whoever sent it. */
export async function deliveries({ check }: Checks, environment: E2eEnvironment): Promise<void> {
	const { editor, userFolder, carol, host } = environment;
	const forgedCount = FORGED[host];

	async function published(name: string, assistantId: number): Promise<{ id: string; url: URL }> {
		const filters = { minimumDuration: 10 };
		const only = trigger('callCompleted', assistantId, carol, { filters });
		const { id } = await editor.createWorkflow(workflow(name, [only]));
		await editor.publish(id);
		const { callCompleted } = await readWebhookUrls(environment, assistantId);
		return { id, url: new URL(callCompleted ?? '') };
	}
	/** Reads the database, because n8n lists only some of many executions. */
	const executionCount = (id: string): number =>
		queryExecutions(userFolder, 'SELECT 1 FROM execution_entity WHERE workflowId = ?', id).length;
	const readLog = async () => await readFile(join(userFolder, 'n8n.log'), 'utf8');

	await check('a request that is no delivery of the service starts nothing', async () => {
		const { id, url } = await published('Refused', ASSISTANTS.refusedDeliveries);
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

	await check('a delivery of any shape starts one execution with one item', async () => {
		const { id, url } = await published('Unusual', ASSISTANTS.unusualDeliveries);
		for (const [body, expected] of UNUSUAL) {
			const known = await editor.executionStates(id);
			const { status } = await sendRequest(url, json(body));
			assert.equal(status, 200, body);
			const items = await waitFor(`the execution of ${body}`, EXECUTION_LIMIT_MS, async () => {
				const execution = (await editor.executions(id)).find((each) => !known.has(each.id));
				const found = execution ? itemsOf(execution, CALL) : [];
				return found.length > 0 ? found : undefined;
			});
			assert.equal(items.length, 1);
			assert.partialDeepStrictEqual(items[0], {
				event: 'callCompleted',
				assistant_id: ASSISTANTS.unusualDeliveries,
				...expected,
			});
		}
		assert.equal(executionCount(id), UNUSUAL.length);
		await editor.unpublish(id);
	});

	await check('a form is a call too, without what the user leaves out', async () => {
		const { unusualDeliveries } = ASSISTANTS;
		const leaveOut = ['transcript', 'recording'];
		const only = trigger('callCompleted', unusualDeliveries, carol, { leaveOut });
		const { id } = await editor.createWorkflow(workflow('Form', [only]));
		await editor.publish(id);
		const { callCompleted } = await readWebhookUrls(environment, unusualDeliveries);
		const form = new FormData();
		for (const [name, value] of Object.entries(FORM)) form.append(name, value);
		const { status } = await sendRequest(callCompleted ?? '', { method: 'POST', body: form });
		assert.equal(status, 200);
		const [item] = await waitFor('the execution of the form', EXECUTION_LIMIT_MS, async () => {
			const [execution] = await editor.executions(id);
			const found = execution ? itemsOf(execution, CALL) : [];
			return found.length > 0 ? found : undefined;
		});
		assert.partialDeepStrictEqual(item, {
			id: 7,
			outcome: 'answered',
			duration: 31,
			raw: { id: '7', status: 'completed', duration: '31' },
		});
		assert.doesNotMatch(JSON.stringify(item), /Hello|recordings/);
		await editor.unpublish(id);
	});

	await check(
		`${forgedCount} forged requests start no execution, and a call still arrives`,
		async () => {
			const { id, url } = await published('Forged', ASSISTANTS.forgedDeliveries);
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
			assert.ok(logged < forgedCount / 100, `n8n logged ${logged} lines.`);
			assert.equal(executionCount(id), 0);
			assert.equal((await sendRequest(url, json('{"id":1,"duration":60}'))).status, 200);
			await waitFor('the execution of the call', EXECUTION_LIMIT_MS, async () =>
				(await editor.executionStates(id)).size === 1 ? true : undefined,
			);
			assert.equal(executionCount(id), 1);
			await editor.unpublish(id);
		},
	);
}
