import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { WebhookContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { violations } from '../../support/parity/previews.mts';
import { A_CALL } from '../../support/sandbox/calls.mts';
import { sendRequest } from '../../support/sandbox/client.mts';
import type { JsonObject } from '../../support/sandbox/contract.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { startTriggerEnvironment, type EventName } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

/** A workflow with the trigger, whose webhook requests arrive at the webhook server. */
function workflow(event: EventName = 'callCompleted', others: INodeParameters = {}): Lifecycle {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const parameters = onAssistant(1, event, others);
	const lifecycle = new Lifecycle(new TriggerNode(instance, { parameters }));
	webhookServer.serve(lifecycle);
	return lifecycle;
}

const address = async (event: EventName = 'callCompleted') =>
	(await environment.registration(event)).url ?? '';

/** Sends a webhook request as the service does. */
const deliver = (url: string, body: unknown) =>
	sendRequest(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

/** Sends a webhook request with this text as JSON. */
const deliverText = (url: string, text: string) =>
	sendRequest(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json; charset=utf-8' },
		body: text,
	});

/** Sends the parts of a form as a webhook request. */
function deliverForm(url: string, parts: Record<string, string | Blob>) {
	const form = new FormData();
	for (const [name, value] of Object.entries(parts)) form.append(name, value);
	return sendRequest(url, { method: 'POST', body: form });
}

/** Calls a lead, and ends the call. */
async function callALead(): Promise<JsonObject> {
	const { control } = environment.service;
	const call = await control.outbound({ assistant_id: 1, to: '+4915112345611', lead_id: 1 });
	await control.advance(A_CALL);
	return call;
}

const items = () =>
	webhookServer.executions.flatMap((execution) => execution.items.map(({ json }) => json));

describe('a call that completes', () => {
	it('starts the workflow with one item in the shape of a call record', async () => {
		await workflow().publish();
		const { id } = await callALead();

		expect(items()).toEqual([
			{
				event: 'callCompleted',
				outcome: 'answered',
				assistant_id: 1,
				id,
				status: 'completed',
				duration: expect.any(Number),
				client_phone_number: '+4915112345611',
				assistant_phone_number: '+4915112345601',
				transcript: expect.stringContaining('Hello, this is the reception.'),
				variables: {},
				input_variables: { customer_name: 'Jane', city: 'Bonn' },
				created_at: expect.stringMatching(/^2026-03-02T09:00:00/),
				finished_at: expect.stringMatching(/^2026-03-02T09:/),
				lead: expect.objectContaining({ id: 1, phone_number: '+4915112345611' }),
				campaign: { id: 1, name: 'Spring', status: expect.any(String) },
				campaign_id: 1,
				campaign_name: 'Spring',
			},
		]);
	});

	it('has the fields that the output preview shows', async () => {
		await workflow().publish();
		await callALead();
		const preview = 'dist/nodes/VoiceAssistantCallingTrigger/__schema__/v2.0.0/output.json';
		expect(violations(preview, items()[0])).toEqual([]);
	});

	it('is answered with an empty 200', async () => {
		await workflow().publish();
		await callALead();
		expect(await environment.service.control.deliveries()).toEqual([
			expect.objectContaining({
				state: 'delivered',
				attempts: [expect.objectContaining({ status: 200, error: null })],
			}),
		]);
		expect((await deliver(await address(), { id: 2 })).text).toBe('');
	});

	it('starts a workflow for inbound calls, and that one only', async () => {
		await workflow('inboundCallCompleted').publish();
		await callALead();
		expect(items()).toEqual([]);

		const { control } = environment.service;
		await control.inbound({ assistant_id: 1, from: '+4915112345699' });
		await control.advance(A_CALL);
		expect(items()).toEqual([
			expect.objectContaining({
				event: 'inboundCallCompleted',
				assistant_id: 1,
				client_phone_number: '+4915112345699',
				lead: null,
				campaign: null,
			}),
		]);
	});

	it('starts nothing after the workflow was unpublished', async () => {
		const published = workflow();
		await published.publish();
		await published.unpublish();
		await callALead();
		expect(webhookServer.requestCount).toBe(0);
	});

	it('starts a workflow that was imported on the command line, without a webhook id', async () => {
		const { node } = workflow();
		const imported = new Lifecycle(
			node.copyWith({ webhookId: undefined, nodeName: '100 % Über-Trigger / 1' }),
		);
		webhookServer.serve(imported);
		await imported.publish();
		await callALead();
		expect(items()).toHaveLength(1);
		await imported.unpublish();
		expect(await address()).toBe('');
	});

	it('starts a test that listens, which then leaves nothing behind', async () => {
		const listening = workflow();
		await listening.listen();
		expect(await address()).toContain('/webhook-test/');
		await callALead();
		expect(items()).toHaveLength(1);
		expect(await address()).toBe('');
	});

	it('has the unchanged body too if it is not left out', async () => {
		await workflow('callCompleted', { leaveOut: [] }).publish();
		const { id } = await callALead();
		expect(items()).toEqual([
			expect.objectContaining({
				client_phone_number: '+4915112345611',
				raw: expect.objectContaining({
					id,
					customer_phone: '+4915112345611',
					extracted_variables: {},
				}),
			}),
		]);
	});
});

describe('what is left out of a call', () => {
	const TRANSCRIPT = 'Assistant: Hello';
	const RECORDING = 'https://example.com/recordings/1.mp3';
	const body = {
		id: 1,
		transcript: TRANSCRIPT,
		formatted_transcript: TRANSCRIPT,
		recording_url: RECORDING,
	};

	/** The item of a delivery, as text. */
	async function itemWithout(leaveOut: INodeParameters['leaveOut']): Promise<string> {
		await workflow('callCompleted', { leaveOut }).publish();
		expect((await deliver(await address(), body)).status).toBe(200);
		return JSON.stringify(items());
	}

	it.each<[string[], transcripts: number, recordings: number]>([
		[[], 4, 2],
		[['rawBody'], 2, 1],
		[['transcript'], 0, 2],
		[['recording'], 4, 0],
		[['transcript', 'recording'], 0, 0],
		[['rawBody', 'transcript', 'recording'], 0, 0],
	])('%j: nowhere in the item', async (leaveOut, transcripts, recordings) => {
		const item = await itemWithout(leaveOut);
		expect(item.split(TRANSCRIPT)).toHaveLength(transcripts + 1);
		expect(item.split(RECORDING)).toHaveLength(recordings + 1);
		expect(item).toContain('"id":1');
	});

	it.each([['recording'], ['transcript']])(
		'%s: nothing of a delivery that is no object, because it could hold it',
		async (leaveOut) => {
			await workflow('callCompleted', { leaveOut: [leaveOut] }).publish();
			for (const unusual of [[body], [[body]], TRANSCRIPT, JSON.stringify(body)]) {
				await deliver(await address(), unusual);
			}
			const nothing = { event: 'callCompleted', outcome: 'unknown', assistant_id: 1 };
			expect(items()).toEqual(Array(4).fill(nothing));
		},
	);

	it('is only removed at the top: a field named body stays', async () => {
		await workflow('callCompleted', { leaveOut: ['transcript'] }).publish();
		await deliver(await address(), { ...body, body: 'Hello', lead: { transcript: TRANSCRIPT } });
		expect(items()).toEqual([
			expect.objectContaining({ body: 'Hello', lead: { transcript: TRANSCRIPT } }),
		]);
	});

	it('can be given by an expression', async () => {
		expect(await itemWithout('={{ "transcript" }}')).not.toContain(TRANSCRIPT);
	});

	it.each<[string[], transcripts: number, recordings: number]>([
		[[], 4, 2],
		[['rawBody'], 2, 1],
		[['transcript'], 0, 2],
		[['recording'], 4, 0],
		[['transcript', 'recording'], 0, 0],
	])('%j: nowhere in the item of a form', async (leaveOut, transcripts, recordings) => {
		await workflow('callCompleted', { leaveOut }).publish();
		const { status } = await deliverForm(await address(), { ...body, id: '1' });
		expect(status).toBe(200);
		const item = JSON.stringify(items());
		expect(item.split(TRANSCRIPT)).toHaveLength(transcripts + 1);
		expect(item.split(RECORDING)).toHaveLength(recordings + 1);
		expect(item).toContain('"id":1');
	});

	it('is also a file of a form', async () => {
		await workflow('callCompleted', { leaveOut: ['transcript'] }).publish();
		const file = new File([TRANSCRIPT], 'transcript.txt', { type: 'text/plain' });
		await deliverForm(await address(), { id: '1', transcript: file });
		expect(items()).toEqual([expect.objectContaining({ id: 1, raw: { id: '1' } })]);
		expect(items()[0]).not.toHaveProperty('transcript');
	});

	it('is only the raw body if nothing was chosen', async () => {
		await workflow().publish();
		await deliver(await address(), body);
		expect(items()).toEqual([expect.objectContaining(body)]);
		expect(items()[0]).not.toHaveProperty('raw');
	});
});

describe('a delivery without the registered token', () => {
	it.each([
		['none', ''],
		['an empty one', '?token='],
		['a wrong one', `?token=${'0'.repeat(64)}`],
		['one that is too long', `?token=${'0'.repeat(15_000)}`],
		['a list', '?token[]=a'],
		['one in letters beyond ASCII', `?token=${encodeURIComponent('ß'.repeat(64))}`],
	])('is answered with 401 and starts nothing: %s', async (_, query) => {
		const published = workflow();
		await published.publish();
		const response = await deliver((await published.node.url('production')) + query, { id: 1 });
		expect(response.status).toBe(401);
		expect(response.body).toEqual({ message: 'The token of this address is missing or wrong.' });
		expect(webhookServer.executions).toEqual([]);
	});

	it('is refused too if it has the right token beside another', async () => {
		await workflow().publish();
		const url = await address();
		const { status } = await deliver(`${url}&token=other`, { id: 1 });
		expect(status).toBe(401);
		expect(webhookServer.executions).toEqual([]);
	});

	it('is refused too with the right token cut short, prolonged, or in capitals', async () => {
		await workflow().publish();
		const url = await address();
		const [path, token = ''] = url.split('?token=');
		for (const given of [token.slice(0, -1), `${token}0`, token.toUpperCase()]) {
			expect((await deliver(`${path}?token=${given}`, { id: 1 })).status).toBe(401);
		}
		expect((await deliver(url, { id: 1 })).status).toBe(200);
	});

	it('is refused too if the credential cannot be read', async () => {
		const published = workflow();
		await published.publish();
		const url = await address();
		Object.defineProperty(published.node.instance.n8n, 'credential', {
			get: () => {
				throw new Error('The credential does not exist');
			},
		});
		expect((await deliver(`${url}x`, { id: 1 })).status).toBe(401);
		expect((await deliver(url, { id: 1 })).status).toBe(200);
	});
});

describe('what a delivery costs', () => {
	/** Counts how often a function reads the credential, and which parameters it reads. */
	async function reads({ node }: Lifecycle, work: () => Promise<unknown>) {
		const { n8n } = node.instance;
		const { credential } = n8n;
		let credentials = 0;
		Object.defineProperty(n8n, 'credential', {
			get: () => {
				credentials += 1;
				return credential;
			},
		});
		const parameters = jest.spyOn(WebhookContext.prototype, 'getNodeParameter');
		try {
			await work();
			return { credentials, parameters: parameters.mock.calls.map(([name]) => name) };
		} finally {
			parameters.mockRestore();
		}
	}

	it('a forged one is refused before the credential or a parameter is read', async () => {
		const published = workflow();
		await published.publish();
		const url = await address();
		const forged = url.replace(/token=.*/, `token=${'0'.repeat(64)}`);
		const cost = await reads(published, async () => {
			expect((await deliver(forged, { id: 1 })).status).toBe(401);
			expect((await deliver(await published.node.url('production'), { id: 1 })).status).toBe(401);
		});
		expect(cost).toEqual({ credentials: 0, parameters: [] });
	});

	it('an accepted one reads each parameter once, and not the credential', async () => {
		const published = workflow();
		await published.publish();
		const url = await address();
		const cost = await reads(published, () => deliver(url, { id: 1 }));
		expect(cost).toEqual({
			credentials: 0,
			parameters: ['triggerOn', 'assistantId', 'filters', 'leaveOut'],
		});
	});

	it('the credential is read where no token is stored, as after a rename', async () => {
		const published = workflow();
		await published.publish();
		published.staticData = {};
		const url = await address();
		const cost = await reads(published, async () => {
			expect((await deliver(`${url}x`, { id: 1 })).status).toBe(401);
		});
		expect(cost.credentials).toBe(1);
	});
});

describe('a delivery with the token registered before', () => {
	it('is accepted after the API token was rotated', async () => {
		const published = workflow();
		await published.publish();
		published.node.instance.n8n.credential.apiToken = 'rotated';
		expect((await deliver(await address(), { id: 1 })).status).toBe(200);
		expect(items()).toHaveLength(1);
	});

	it('is accepted after the node was renamed, and n8n lost its static data', async () => {
		const published = workflow();
		await published.publish();
		published.staticData = {};
		expect((await deliver(await address(), { id: 1 })).status).toBe(200);
	});

	it.each([
		['another assistant', () => onAssistant(2)],
		['the other event', () => onAssistant(1, 'inboundCallCompleted')],
	])('is refused after the trigger was moved to %s', async (_, moved) => {
		const published = workflow();
		await published.publish();
		published.node.settings.parameters = moved();
		expect((await deliver(await address(), { id: 1 })).status).toBe(401);
		expect(webhookServer.executions).toEqual([]);
	});

	it('is refused by a copy that has the static data, too', async () => {
		const published = workflow();
		await published.publish();
		const { node, staticData } = published;
		const copy = new Lifecycle(node.copyWith({ workflowId: 'workflow-2', nodeId: 'node-2' }));
		copy.testData = structuredClone(staticData);
		webhookServer.serve(copy);
		const { search } = new URL(await address());
		expect((await deliver((await copy.node.url('test')) + search, { id: 1 })).status).toBe(401);
	});
});

describe('a form', () => {
	const form = {
		id: '7',
		status: 'completed',
		duration: '31',
		customer_phone: '+4915112345611',
		'custom[]': 'a',
	};

	it('is a call like any other: its parts are the fields', async () => {
		await workflow('callCompleted', { leaveOut: [] }).publish();
		await deliverForm(await address(), form);
		expect(items()).toEqual([
			{
				event: 'callCompleted',
				outcome: 'answered',
				assistant_id: 1,
				id: 7,
				status: 'completed',
				duration: 31,
				client_phone_number: '+4915112345611',
				'custom[]': 'a',
				raw: form,
			},
		]);
	});

	it('is filtered like any other call', async () => {
		await workflow('callCompleted', { filters: { minimumDuration: 30 } }).publish();
		await deliverForm(await address(), { ...form, duration: '29' });
		expect(items()).toEqual([]);
		await deliverForm(await address(), form);
		expect(items()).toHaveLength(1);
	});

	it('has its files as fields too, as n8n describes them', async () => {
		await workflow().publish();
		const recording = new File(['RIFF'], 'call.wav', { type: 'audio/wav' });
		await deliverForm(await address(), { id: '7', recording });
		expect(items()).toEqual([
			expect.objectContaining({
				id: 7,
				recording: expect.objectContaining({ originalFilename: 'call.wav', size: 4 }),
			}),
		]);
	});

	it('is not what JSON with the names of a form is', async () => {
		await workflow().publish();
		const body = { data: { id: 7 }, files: {} };
		await deliver(await address(), body);
		expect(items()).toEqual([expect.objectContaining(body)]);
	});
});

describe('a number that JavaScript would round', () => {
	const LARGE = '9007199254740993';

	it('stays exact, as a text, wherever it is in the call', async () => {
		await workflow('callCompleted', { leaveOut: [] }).publish();
		const fields = `"id": ${LARGE}, "total_cost": 0.25, "lead": {"ids": [-${LARGE}, 2]}`;
		await deliverText(await address(), `\uFEFF{${fields}, "text": "${LARGE}"}`);
		const body = { total_cost: 0.25, lead: { ids: [`-${LARGE}`, 2] }, id: LARGE, text: LARGE };
		expect(items()).toEqual([expect.objectContaining({ ...body, raw: body })]);
	});

	const withoutLongNumbers = fc
		.jsonValue()
		.filter((value) => !/\d{16}/.test(JSON.stringify(value)));

	it('stays exact for any whole number, and no other value changes', async () => {
		await workflow('callCompleted', { leaveOut: [] }).publish();
		const url = await address();
		await fc.assert(
			fc.asyncProperty(fc.bigInt(), withoutLongNumbers, async (id, other) => {
				webhookServer.executions = [];
				await deliverText(url, `{"value": {"id": ${id}, "other": ${JSON.stringify(other)}}}`);
				const [item] = items();
				const { value } = item as { value: { id: unknown; other: unknown } };
				expect(String(value.id)).toBe(String(id));
				expect(value.other).toEqual(JSON.parse(JSON.stringify(other)));
			}),
			{ numRuns: 50 },
		);
	});
});

describe('a delivery of an unknown shape', () => {
	const EMPTY = { event: 'callCompleted', outcome: 'unknown', assistant_id: 1 };

	it.each([[[]], [[{ id: 1 }]], ['text'], [7], [false], [null]])(
		'passes through in a field of its own: %j',
		async (body) => {
			await workflow('callCompleted', { leaveOut: [] }).publish();
			expect((await deliver(await address(), body)).status).toBe(200);
			expect(items()).toEqual([{ ...EMPTY, body, raw: body }]);
		},
	);

	it('passes through when it is empty', async () => {
		await workflow().publish();
		const { status } = await sendRequest(await address(), { method: 'POST' });
		expect(status).toBe(200);
		expect(items()).toEqual([EMPTY]);
	});

	it('passes through without an id, and with lists for empty maps', async () => {
		await workflow().publish();
		await deliver(await address(), { extracted_variables: [], transcript: [{ text: 'Hello' }] });
		expect(items()).toEqual([{ ...EMPTY, variables: {}, transcript: [{ text: 'Hello' }] }]);
	});

	it('is always answered, and starts one execution with one item', async () => {
		await workflow().publish();
		const url = await address();
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), async (body) => {
				const before = webhookServer.executions.length;
				expect((await deliver(url, body)).status).toBe(200);
				expect(
					webhookServer.executions.slice(before).map((execution) => execution.items.length),
				).toEqual([1]);
			}),
			{ numRuns: 50 },
		);
	});
});
