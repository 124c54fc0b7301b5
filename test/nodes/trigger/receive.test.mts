import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { WebhookContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { passesFilters } from '../../../nodes/VoiceAssistantCallingTrigger/passesFilters.ts';
import { violations } from '../../support/parity/previews.mts';
import { A_CALL } from '../../../sandbox/test/support/calls.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import type { JsonObject } from '../../../sandbox/test/support/contract.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { forAny } from '../../support/forAny.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { startTriggerEnvironment, type EventName } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

/** A workflow with the trigger, whose webhook requests arrive at the webhook server. */
function workflow(
	others: INodeParameters = {},
	event: EventName = 'callCompleted',
): EmulatedLifecycle {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const parameters = onAssistant(1, event, others);
	return webhookServer.serve(new EmulatedLifecycle(new TriggerNode(instance, { parameters })));
}

/** The published workflow, and the address that is registered for it. */
async function published(...how: Parameters<typeof workflow>) {
	const lifecycle = workflow(...how);
	await lifecycle.publish();
	const { url } = await environment.registration(how[1]);
	return { lifecycle, node: lifecycle.node, url: url ?? '' };
}

/** Sends a webhook request with this text as JSON. */
const deliverText = (url: string, body: string) =>
	sendRequest(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json; charset=utf-8' },
		body,
	});

/** Sends a webhook request as the service does. */
const deliver = (url: string, body: unknown) => deliverText(url, JSON.stringify(body));

/** Sends the parts of a form as a webhook request. */
function deliverForm(url: string, parts: Record<string, string | number | Blob>) {
	const form = new FormData();
	for (const [name, value] of Object.entries(parts)) {
		form.append(name, value instanceof Blob ? value : String(value));
	}
	return sendRequest(url, { method: 'POST', body: form });
}

/** Calls a lead, and ends the call. */
async function callALead(): Promise<JsonObject> {
	const { control } = environment.service;
	const call = await control.outbound({ assistant_id: 1, to: '+4915112345611', lead_id: 1 });
	await control.advance(A_CALL);
	return call;
}

const items = () => webhookServer.items;

/** The items of a workflow that gets a delivery. */
async function getItems(parameters: INodeParameters, send: (url: string) => Promise<unknown>) {
	const { url } = await published(parameters);
	await send(url);
	return items();
}

describe('a call that completes', () => {
	it('starts the workflow with one item in the shape of a call record, as the output preview shows it', async () => {
		await published();
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
				variables: { status: true, summary: expect.any(String) },
				recording_url: expect.stringMatching(/^http/),
				input_variables: { customer_name: 'Jane', city: 'Bonn' },
				created_at: expect.stringMatching(/^2026-03-02T09:00:00/),
				finished_at: expect.stringMatching(/^2026-03-02T09:/),
				lead: expect.objectContaining({ id: 1, phone_number: '+4915112345611' }),
				campaign: { id: 1, name: 'Spring', status: expect.any(String) },
				campaign_id: 1,
				campaign_name: 'Spring',
			},
		]);
		const preview = 'dist/nodes/VoiceAssistantCallingTrigger/__schema__/v2.0.0/output.json';
		expect(violations(preview, items()[0])).toEqual([]);
	});

	it('is answered with an empty 200', async () => {
		const { url } = await published();
		await callALead();
		expect(await environment.service.control.deliveries()).toEqual([
			expect.objectContaining({
				state: 'delivered',
				attempts: [expect.objectContaining({ status: 200, error: null })],
			}),
		]);
		expect((await deliver(url, { id: 2 })).text).toBe('');
	});

	it('starts a workflow that was imported on the command line, without a webhook id', async () => {
		const { node } = workflow();
		const copy = node.copyWith({ webhookId: undefined, nodeName: '100 % Über-Trigger / 1' });
		const imported = webhookServer.serve(new EmulatedLifecycle(copy));
		await imported.publish();
		await callALead();
		expect(items()).toHaveLength(1);
		await imported.unpublish();
		expect(await environment.webhookUrl()).toBeNull();
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

	it.each<[string[], transcripts: number, recordings: number]>([
		[[], 4, 2],
		[['rawBody'], 2, 1],
		[['transcript'], 0, 2],
		[['recording'], 4, 0],
		[['transcript', 'recording'], 0, 0],
		[['rawBody', 'transcript', 'recording'], 0, 0],
	])('%j: nowhere in the item', async (leaveOut, transcripts, recordings) => {
		const { url } = await published({ leaveOut });
		for (const send of [deliver, deliverForm]) {
			webhookServer.executions = [];
			expect((await send(url, body)).status).toBe(200);
			const item = JSON.stringify(items());
			expect(item.split(TRANSCRIPT)).toHaveLength(transcripts + 1);
			expect(item.split(RECORDING)).toHaveLength(recordings + 1);
			expect(item).toContain('"id":1');
		}
	});

	const text = JSON.stringify(body);

	it.each<[string, unknown]>([
		['a list', [body]],
		['a list in a list', [[body]]],
		['JSON as a text', text],
		['a text in a field', { event: 'call.ended', payload: text }],
		['a field in a field', { data: { call: body } }],
		['a list in a field', { data: [body] }],
		['a record in the call', { id: 1, lead: { calls: [body] } }],
	])('transcript and recording are nowhere where the call is %s', async (_, sent) => {
		const { url } = await published({ leaveOut: ['transcript', 'recording'] });
		await deliver(url, sent);
		const [item, ...others] = items();
		expect(others).toEqual([]);
		expect(item).toEqual(expect.objectContaining({ id: 1, raw: expect.anything() }));
		expect(JSON.stringify(item)).not.toMatch(/Hello|recordings/);
	});

	it.each(['recordingUrl', 'recording', 'recording_urls', 'stereo_recording_url', 'audio_url'])(
		'a recording in %s is left out',
		async (name) => {
			const sent = { id: 1, status: 'completed', [name]: [{ url: RECORDING }] };
			const left = await getItems({ leaveOut: ['recording'] }, (url) => deliver(url, sent));
			expect(left).toMatchObject([{ id: 1, raw: { status: 'completed' } }]);
			expect(JSON.stringify(left)).not.toContain(RECORDING);
		},
	);

	it.each(['transcriptText', 'transcription', 'callTranscript'])(
		'a transcript in %s is left out',
		async (name) => {
			const sent = { id: 1, status: 'completed', [name]: TRANSCRIPT };
			const left = await getItems({ leaveOut: ['transcript'] }, (url) => deliver(url, sent));
			expect(left).toMatchObject([{ id: 1, raw: { status: 'completed' } }]);
			expect(JSON.stringify(left)).not.toContain(TRANSCRIPT);
		},
	);

	it('nothing of a text stays, because it could hold them', async () => {
		const { url } = await published({ leaveOut: ['transcript'] });
		await deliver(url, TRANSCRIPT);
		expect(items()).toEqual([{ event: 'callCompleted', outcome: 'unknown', assistant_id: 1 }]);
	});

	it('a field named body stays', async () => {
		const call = { ...body, body: 'Hi' };
		expect(await getItems({ leaveOut: ['transcript'] }, (url) => deliver(url, call))).toEqual([
			expect.objectContaining({ body: 'Hi' }),
		]);
	});

	it('can be given by an expression', async () => {
		const leaveOut = '={{ "transcript" }}';
		const left = await getItems({ leaveOut }, (url) => deliver(url, body));
		expect(left).toHaveLength(1);
		expect(JSON.stringify(left)).not.toContain(TRANSCRIPT);
	});

	it('is also a file of a form', async () => {
		const transcript = new File([TRANSCRIPT], 'transcript.txt', { type: 'text/plain' });
		const [item] = await getItems({ leaveOut: ['transcript'] }, (url) =>
			deliverForm(url, { id: '1', transcript }),
		);
		expect(item).toEqual(expect.objectContaining({ id: 1, raw: { id: '1' } }));
		expect(item).not.toHaveProperty('transcript');
	});
});

describe('a delivery without the registered token', () => {
	it.each<[string, (token: string) => string]>([
		['none', () => ''],
		['an empty one', () => '?token='],
		['a wrong one', () => `?token=${'0'.repeat(64)}`],
		['one that is too long', () => `?token=${'0'.repeat(15_000)}`],
		['a list', () => '?token[]=a'],
		['one in letters beyond ASCII', () => `?token=${encodeURIComponent('ß'.repeat(64))}`],
		['the right one beside another', (token) => `?token=${token}&token=other`],
		['the right one cut short', (token) => `?token=${token.slice(0, -1)}`],
		['the right one prolonged', (token) => `?token=${token}0`],
		['the right one in capitals', (token) => `?token=${token.toUpperCase()}`],
	])('is answered with 401 and starts nothing: %s', async (_, query) => {
		const { url } = await published();
		const [path = '', token = ''] = url.split('?token=');
		const { status, body } = await deliver(path + query(token), { id: 1 });
		expect(status).toBe(401);
		expect(body).toEqual({ message: 'The token of this address is missing or wrong.' });
		expect(webhookServer.executions).toEqual([]);
	});
});

it('the right token with a slash, which a service adds to the whole URL, starts the workflow', async () => {
	const { url } = await published();
	await deliver(`${url}/`, { id: 1, status: 'completed' });
	expect(items()).toMatchObject([{ id: 1 }]);
});

describe('what a delivery costs', () => {
	/** Counts how often a function reads the credential, and which parameters it reads. */
	async function reads({ instance: { n8n } }: TriggerNode, work: () => Promise<unknown>) {
		n8n.credentialReads = 0;
		const parameters = jest.spyOn(WebhookContext.prototype, 'getNodeParameter');
		try {
			await work();
			const names = parameters.mock.calls.map(([name]) => name);
			return { credentials: n8n.credentialReads, parameters: names };
		} finally {
			parameters.mockRestore();
		}
	}

	it('a forged one is refused before the credential or a parameter is read', async () => {
		const { node } = await published();
		const path = await node.url('production');
		const cost = await reads(node, async () => {
			for (const forged of [`${path}?token=${'0'.repeat(64)}`, path]) {
				expect((await deliver(forged, { id: 1 })).status).toBe(401);
			}
		});
		expect(cost).toEqual({ credentials: 0, parameters: [] });
	});

	it('an accepted one reads each parameter once, and not the credential', async () => {
		const { node, url } = await published();
		const cost = await reads(node, () => deliver(url, { id: 1 }));
		expect(cost).toEqual({
			credentials: 0,
			parameters: ['triggerOn', 'assistantId', 'filters', 'leaveOut', 'options.repeatedDeliveries'],
		});
	});

	it('the credential is read where no token is stored, as after a rename', async () => {
		const { lifecycle, node, url } = await published();
		lifecycle.staticData = {};
		const cost = await reads(node, async () => {
			expect((await deliver(`${url}x`, { id: 1 })).status).toBe(401);
			expect((await deliver(url, { id: 1 })).status).toBe(200);
		});
		expect(cost.credentials).toBe(2);
	});
});

describe('a delivery with the token registered before', () => {
	it.each([
		['another assistant', () => onAssistant(2)],
		['the other event', () => onAssistant(1, 'inboundCallCompleted')],
	])('is refused after the trigger was moved to %s', async (_, moved) => {
		const { node, url } = await published();
		node.settings.parameters = moved();
		expect((await deliver(url, { id: 1 })).status).toBe(401);
		expect(webhookServer.executions).toEqual([]);
	});

	it('is refused by a copy that has the static data, too', async () => {
		const { lifecycle, node, url } = await published();
		const copy = new EmulatedLifecycle(
			node.copyWith({ workflowId: 'workflow-2', nodeId: 'node-2' }),
		);
		copy.testData = structuredClone(lifecycle.staticData);
		webhookServer.serve(copy);
		const copied = (await copy.node.url('test')) + new URL(url).search;
		expect((await deliver(copied, { id: 1 })).status).toBe(401);
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
		expect(await getItems({ leaveOut: [] }, (url) => deliverForm(url, form))).toEqual([
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

	it.each([
		[deliverForm],
		[
			(url: string, parts: Record<string, string>) =>
				sendRequest(url, { method: 'POST', body: new URLSearchParams(parts) }),
		],
	])('has its objects as PHP and Rails write them', async (send) => {
		const parts = {
			...{ 'call[id]': '7', 'call[status]': 'busy' },
			...{ 'call[variables][a]': 'b', 'call[variables][__proto__]': 'c' },
		};
		const items = await getItems({}, (url) => send(url, parts));
		expect(items).toMatchObject([{ id: 7, outcome: 'busy' }]);
		expect(Object.entries(items[0]?.variables ?? {})).toEqual([
			['a', 'b'],
			['__proto__', 'c'],
		]);
	});

	it('has its files as fields too, as n8n describes them', async () => {
		const recording = new File(['RIFF'], 'call.wav', { type: 'audio/wav' });
		expect(await getItems({}, (url) => deliverForm(url, { id: '7', recording }))).toEqual([
			expect.objectContaining({
				id: 7,
				recording: expect.objectContaining({ originalFilename: 'call.wav', size: 4 }),
			}),
		]);
	});

	it('is not what JSON with the names of a form is', async () => {
		const body = { data: { id: 7 }, files: { transcript: 'A' } };
		expect(await getItems({ leaveOut: [] }, (url) => deliver(url, body))).toEqual([
			expect.objectContaining({ id: 7, raw: body }),
		]);
	});
});

it('a number that JavaScript would round stays exact, as a text, wherever it is in the call', async () => {
	const LARGE = '9007199254740993';
	const fields = `"id": ${LARGE}, "total_cost": 0.25, "lead": {"ids": [-${LARGE}, 2]}`;
	const text = `\uFEFF{${fields}, "text": "${LARGE}"}`;
	const body = { total_cost: 0.25, lead: { ids: [`-${LARGE}`, 2] }, id: LARGE, text: LARGE };
	expect(await getItems({ leaveOut: [] }, (url) => deliverText(url, text))).toEqual([
		expect.objectContaining({ ...body, raw: body }),
	]);
});

describe('a delivery of a service that differs', () => {
	const call = { id: 7, status: 'completed', duration: 31, transcript: 'Assistant: Hello.' };
	const item = { ...call, event: 'callCompleted', outcome: 'answered', assistant_id: 1 };

	it.each(['initiated', 'ringing', 'in-progress'])(
		'starts nothing while the call is %s, and is answered with 200',
		async (status) => {
			expect(await starts({}, { ...call, status, finished_at: null })).toBe(false);
			expect(await starts({}, call)).toBe(true);
		},
	);

	it('starts the workflow when it has the time of its end, whatever its status is', async () => {
		const ended = { ...call, status: 'in-progress', finished_at: '2026-03-02 09:30:00' };
		expect(await starts({}, ended)).toBe(true);
	});

	it.each([
		[{ ...call, status: 'in-progress' }, 'id, status, duration, transcript'],
		[{ id: 7, status: 'cancelled', finished_at: null }, 'id, status, finished_at'],
		[{ finished_at: null, customer_phone: '+49151' }, 'finished_at, customer_phone'],
		[{ event: 'call_started', call: { id: 7, status: 'registered' } }, 'id, status'],
	])('is named in the log once a minute when it is too early: %j', async (body, names) => {
		const { node, url } = await published();
		node.instance.infos = [];
		await deliver(url, body);
		await deliver(url, body);
		expect(webhookServer.executions).toEqual([]);
		const line = `A delivery did not start the workflow, because its call is not over. The workflow starts when a delivery says how the call ended. Its fields: ${names}.`;
		expect(node.instance.infos).toEqual([line]);
		letTimePass();
		await deliver(url, body);
		expect(node.instance.infos).toEqual([line, line]);
	});

	it.each([
		[{}, 'none'],
		['', 'none'],
		[[], 'none'],
		[{ event: 'ping' }, 'event'],
		[{ test: true }, 'test'],
		[{ type: 'webhook.test' }, 'type'],
		[{ event: 'lead.updated', data: { id: 301, status: 'completed' } }, 'id, status'],
		[{ event: 'balance.low', data: { id: 1, balance: 2 } }, 'id, balance'],
		[{ event_type: 'smsDelivered', data: { id: 1, status: 'sent' } }, 'id, status'],
	])('that tells of no call starts nothing, and the log has the names: %j', async (body, names) => {
		const { node, url } = await published();
		node.instance.infos = [];
		expect((await deliver(url, body)).status).toBe(200);
		expect(webhookServer.executions).toEqual([]);
		const line = `A delivery did not start the workflow, because it does not tell of a call. Its fields: ${names}. If it was about a call, ask your provider to send it with its ID and status.`;
		expect(node.instance.infos).toEqual([line]);
	});

	it.each([
		{ id: 7 },
		{ event: 'completed', data: { id: 7 } },
		{ event: 'test', data: call },
		{ event: 'call_record.created', data: { id: 7, status: 'cancelled' } },
		{ event: 'lead.called', data: call },
		{ event: 'call.started', data: { ...call, finished_at: '2026-03-02 09:30:00' } },
	])('that may tell of a call that is over starts the workflow: %j', async (body) => {
		expect(await starts({}, body)).toBe(true);
	});

	const other = { ...call, id: 8, status: 'no-answer', duration: 0 };

	it.each<[string, unknown]>([
		['a list', [call, other]],
		['a list in a field', { event: 'call.completed', calls: 2, data: [call, other] }],
		['a list as a text', { payload: JSON.stringify([call, other]) }],
		['fields of a list', [{ call }, { data: { call: other } }]],
	])('can have several calls, each for itself: %s', async (_, body) => {
		const ids = async (others: INodeParameters) =>
			(await getItems(others, (url) => deliver(url, body))).map(({ id }) => id);
		expect(await ids({})).toEqual([7, 8]);
		webhookServer.executions = [];
		expect(await ids({ filters: { minimumDuration: 30 } })).toEqual([7]);
	});

	it('starts the workflow with a status of its own, unless the call has no end', async () => {
		const own = { id: 7, status: 'queued', duration: 0 };
		expect(await starts({}, { ...own, finished_at: null })).toBe(false);
		expect(await starts({}, own)).toBe(true);
	});

	const named = { service_event: 'call.completed' };

	it.each<[object, object]>([
		[
			{ event: 'call.completed', data: call },
			{ ...item, ...named },
		],
		[
			{ event_type: 'call.completed', call },
			{ ...item, ...named },
		],
		[
			{ type: 'call.completed', call },
			{ ...item, ...named },
		],
		[{ call, sent_at: 5 }, item],
		[
			{ id: 'evt_1', event: 'call.completed', data: call },
			{ ...item, ...named },
		],
		[
			{ event: 'call.completed', data: { call } },
			{ ...item, ...named },
		],
		[
			{ event: 'call.completed', call: { id: 7 } },
			{ id: 7, event: 'callCompleted', outcome: 'unknown', assistant_id: 1, ...named },
		],
		// The body is the call.
		[
			{ ...call, data: { id: 8, status: 'busy' } },
			{ ...item, data: { id: 8, status: 'busy' } },
		],
		[
			{ ...call, call: { id: 8, duration: 9 } },
			{ ...item, call: { id: 8, duration: 9 } },
		],
	])('can have the call in a field: %j', async (body, expected) => {
		expect(await getItems({}, (url) => deliver(url, body))).toEqual([expected]);
	});

	it('keeps what is left out neither in the item nor in the raw body, wherever it is', async () => {
		const body = { event: 'call.completed', data: call };
		const leaveOut = { leaveOut: ['transcript'] };
		const { transcript, ...data } = call;
		expect(await getItems(leaveOut, (url) => deliver(url, body))).toEqual([
			{ ...item, ...named, transcript: undefined, raw: { ...body, data } },
		]);
		expect(JSON.stringify(webhookServer.items)).not.toContain(transcript);
	});

	it('has its transcript as text, and its turns go with it', async () => {
		const turns = [{ role: 'assistant', content: 'Hello.' }];
		const body = { ...call, transcript: turns };
		const send = (url: string) => deliver(url, body);
		expect(await getItems({}, send)).toEqual([{ ...item, transcript_entries: turns }]);
		webhookServer.executions = [];
		expect(JSON.stringify(await getItems({ leaveOut: ['transcript'] }, send))).not.toContain(
			'Hello',
		);
	});
});

describe('a delivery of an unknown shape', () => {
	const EMPTY = { event: 'callCompleted', outcome: 'unknown', assistant_id: 1 };

	it.each([
		['a list', ['Customer: my secret']],
		['a field', { conversation: ['Customer: my secret'] }],
	])('in %s, a text is left out whole', async (_, body) => {
		const send = (url: string) => deliver(url, body);
		const items = await getItems({ leaveOut: ['transcript'] }, send);
		expect(items).toHaveLength(1);
		expect(JSON.stringify(items)).not.toContain('my secret');
	});

	it('passes through in a field of its own when it is a text', async () => {
		expect(await getItems({ leaveOut: [] }, (url) => deliver(url, 'text'))).toEqual([
			{ ...EMPTY, body: 'text', raw: 'text' },
		]);
	});

	it('starts nothing when it is empty', async () => {
		expect(await getItems({}, (url) => sendRequest(url, { method: 'POST' }))).toEqual([]);
	});

	it('is always answered, and starts one execution at most', async () => {
		const { url } = await published();
		const expectAnswer = async (body: unknown) => {
			webhookServer.executions = [];
			expect((await deliver(url, body)).status).toBe(200);
			expect(webhookServer.executions.length).toBeLessThanOrEqual(1);
		};
		await forAny(fc.jsonValue(), expectAnswer, { numRuns: 50 });
	});
});

/** Whether a delivered call starts an execution. It is answered with 200 in any case. */
async function starts(filters: INodeParameters, call: unknown): Promise<boolean> {
	const { url } = await published({ filters });
	expect((await deliver(url, call)).status).toBe(200);
	return webhookServer.executions.length > 0;
}

const campaign = { id: 7, name: 'Spring', status: 'in-progress' };

describe('a filter', () => {
	it.each<[string, INodeParameters, unknown]>([
		['the campaign', { campaignId: '7' }, { campaign }],
		['the campaign as a number', { campaignId: 7 }, { campaign_id: '7' }],
		['the campaign by an expression', { campaignId: '={{ 3 + 4 }}' }, { campaign }],
		['one of the directions', { directions: ['inbound', 'web'] }, { id: 1, type: 'web' }],
		['the direction in capitals', { directions: ['web'] }, { id: 1, type: 'WEB' }],
		['the direction by an expression', { directions: '={{ "web" }}' }, { id: 1, type: 'web' }],
		['the exact duration', { minimumDuration: 30 }, { duration: 30 }],
		['the duration as texts', { minimumDuration: '={{ "30" }}' }, { duration: '31' }],
		['one of the outcomes', { outcomes: ['busy', 'answered'] }, { status: 'ended' }],
		['voicemail', { outcomes: ['voicemail'] }, { status: 'completed', answered_by: 'machine' }],
		['an unknown status', { outcomes: ['unknown'] }, { status: 'transferred' }],
		['no status, but a duration', { outcomes: ['answered'] }, { duration: 31 }],
		['a status that is no text', { outcomes: ['answered'] }, { status: 3, duration: 31 }],
		['an empty filter', { campaignId: '', directions: [], outcomes: [] }, { status: 'busy' }],
	])('lets a call pass that has %s', async (_, filters, body) => {
		expect(await starts(filters, body)).toBe(true);
	});

	it.each<[string, INodeParameters, unknown]>([
		['another campaign', { campaignId: '7' }, { campaign: { ...campaign, id: 71 } }],
		['no campaign', { campaignId: '7' }, { campaign: null }],
		['another direction', { directions: ['inbound'] }, { id: 1, type: 'outbound' }],
		['a shorter duration', { minimumDuration: 30 }, { duration: 29 }],
		['another outcome', { outcomes: ['answered'] }, { status: 'no-answer' }],
		[
			'voicemail instead of a human',
			{ outcomes: ['answered'] },
			{ status: 'completed', answered_by: 'machine' },
		],
		['an unknown status', { outcomes: ['answered'] }, { status: 'transferred' }],
		['no status, but a duration', { outcomes: ['busy'] }, { duration: 31 }],
		[
			'one of two filters only',
			{ outcomes: ['answered'], minimumDuration: 30 },
			{ status: 'completed', duration: 10 },
		],
	])('answers 200 and starts nothing for a call with %s', async (_, filters, body) => {
		expect(await starts(filters, body)).toBe(false);
	});

	it.each<[string, INodeParameters, string[]]>([
		[
			'incoming',
			{},
			[
				"The filter 'Direction' left out calls with a value that it does not offer: incoming. To get such calls, leave the filter empty, and compare the value in the workflow.",
			],
		],
		// It would not have started the workflow with another type either.
		['incoming', { outcomes: ['busy'] }, []],
		['outbound', {}, []],
	])('for directions leaves out the type %s, with %j beside it', async (type, others, warnings) => {
		const { url, node } = await published({ filters: { directions: ['inbound'], ...others } });
		await deliver(url, { status: 'completed', type });
		expect(webhookServer.executions).toEqual([]);
		expect(node.instance.warnings).toEqual(warnings);
	});

	const every = {
		campaignId: '7',
		directions: ['inbound'],
		minimumDuration: 30,
		outcomes: ['voicemail'],
	};

	it.each([
		[{ id: 1 }],
		[{ id: 1, type: null, status: null, duration: null }],
		[{ status: 'completed' }],
		[{ status: 3 }],
		[[{ id: 1 }]],
		['text'],
	])('lets a call pass that lacks its field: %j', async (body) => {
		expect(await starts(every, body)).toBe(true);
	});

	it('never fails, whatever is compared', () =>
		forAny(fc.tuple(fc.object(), fc.object()), ([call, filters]) => {
			expect(typeof passesFilters(call as never, filters)).toBe('boolean');
		}));
});

/** Expects that a trigger with these parameters is refused before anything is sent. */
async function expectRefusal(parameters: INodeParameters, message: string) {
	const { node } = workflow(parameters);
	expect(await environment.failure(() => node.hook('create'))).toMatchObject({
		message,
		asked: [],
	});
}

describe('a wrong filter', () => {
	const RULES = {
		campaignId: "'Campaign ID' must be an ID, a whole number from 1",
		minimumDuration: "'Minimum Duration (Seconds)' must be a number from 0",
		directions: "'Direction' must be one or more of: inbound, outbound, web",
		outcomes:
			"'Outcome' must be one or more of: answered, busy, failed, no-answer, unknown, voicemail",
	};

	it.each<[keyof typeof RULES, string | number, shown: string]>([
		['campaignId', 'Spring', 'Spring'],
		['campaignId', '={{ [7] }}', '[7]'],
		['campaignId', '={{ ({ id: 7 }) }}', '{"id":7}'],
		['minimumDuration', '={{ "a minute" }}', 'a minute'],
		['minimumDuration', -1, '-1'],
		['minimumDuration', '={{ "Infinity" }}', 'Infinity'],
		['minimumDuration', '={{ true }}', 'true'],
		['minimumDuration', '={{ " " }}', ' '],
		['directions', '={{ ["inbound", "up"] }}', 'inbound, up'],
		['directions', '={{ true }}', 'true'],
		['outcomes', '={{ "Answered" }}', 'Answered'],
		['outcomes', '={{ ({ outcome: "busy" }) }}', '{"outcome":"busy"}'],
	])('is named when the workflow is published: %s %s', async (name, value, shown) => {
		await expectRefusal(
			{ filters: { [name]: value } },
			notPublished(`The filter ${RULES[name]} (the value is: ${shown}). Correct the filter.`),
		);
	});
});

describe('a wrong Leave Out', () => {
	it.each([
		['"transcripts"', 'transcripts'],
		['"transcript, recording"', 'transcript, recording'],
		['["transcript", "everything"]', 'transcript, everything'],
		['true', 'true'],
	])('is named when the workflow is published: {{ %s }}', async (value, shown) => {
		await expectRefusal(
			{ leaveOut: `={{ ${value} }}` },
			notPublished(
				`'Leave Out' must be one or more of: rawBody, recording, transcript (the value is: ${shown}). Correct the field.`,
			),
		);
	});
});
