import { afterAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { WebhookContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { passesFilters } from '../../../nodes/VoiceAssistantCallingTrigger/passesFilters.ts';
import { violations } from '../../support/parity/previews.mts';
import { A_CALL } from '../../../sandbox/test/support/calls.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import type { JsonObject } from '../../../sandbox/test/support/contract.mts';
import { advanceClock, letTimePass } from '../../support/trigger/letTimePass.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { forAny } from '../../support/forAny.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { startTriggerEnvironment, type EventName } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';
import { sampledRuns } from '../../support/sample.mts';

const DAY_MS = 24 * 60 * 60 * 1000;

// The process remembers for a day that the service asks, and other files have the same trigger.
afterAll(() => advanceClock(DAY_MS));

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

describe('what is left out of an item', () => {
	const TRANSCRIPT = 'Assistant: Hello';
	const RECORDING = 'https://example.com/recordings/1.mp3';
	const content = {
		transcript: TRANSCRIPT,
		formatted_transcript: TRANSCRIPT,
		recording_url: RECORDING,
	};
	const call = { id: 1, status: 'completed', ...content, transfers: [{ id: 2, ...content }] };
	const other = { event: 'call.ended', data: [{ call }] };

	it.each<[string[], call: [transcripts: number, recordings: number], other: [number, number]]>([
		[[], [8, 4], [4, 2]],
		[['rawBodyOfCalls'], [4, 2], [4, 2]],
		[['rawBody'], [4, 2], [0, 0]],
		[['transcript'], [0, 4], [0, 2]],
		[['recording'], [8, 0], [4, 0]],
		[
			['transcript', 'recording'],
			[0, 0],
			[0, 0],
		],
		[
			['rawBody', 'transcript', 'recording'],
			[0, 0],
			[0, 0],
		],
	])('%j: nowhere in a call, and in what is no call', async (leaveOut, ofCall, ofOther) => {
		const { url } = await published({ leaveOut });
		for (const [body, counts] of [
			[call, ofCall],
			[other, ofOther],
		] as const) {
			webhookServer.executions = [];
			await deliver(url, body);
			expect(items()).toHaveLength(1);
			const item = JSON.stringify(items());
			expect(item.split(TRANSCRIPT)).toHaveLength(counts[0] + 1);
			expect(item.split(RECORDING)).toHaveLength(counts[1] + 1);
		}
	});

	it('is nothing that has a similar name, and no value changes', async () => {
		const variables = { audio_ok: true, transcript_sent: false, note: '["a","b"]' };
		const body = { id: 1, status: 'completed', variables, body: 'Hi' };
		const leaveOut = ['transcript', 'recording', 'rawBody'];
		expect(await getItems({ leaveOut }, (url) => deliver(url, body))).toEqual([
			expect.objectContaining({ variables, body: 'Hi' }),
		]);
	});

	it('can be given by an expression', async () => {
		const left = await getItems({ leaveOut: '={{ "transcript" }}' }, (url) => deliver(url, call));
		expect(left).toHaveLength(1);
		expect(JSON.stringify(left)).not.toContain(TRANSCRIPT);
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

	it('one without a token is refused before the credential or a parameter is read', async () => {
		const { node } = await published();
		const path = await node.url('production');
		const cost = await reads(node, async () => {
			for (const query of ['', '?token=', '?token=a', `?token=${'0'.repeat(65)}`]) {
				expect((await deliver(path + query, { id: 1 })).status).toBe(401);
			}
		});
		expect(cost).toEqual({ credentials: 0, parameters: [] });
	});

	it('one with a forged token reads the credential once', async () => {
		const { node } = await published();
		const path = await node.url('production');
		const cost = await reads(node, async () => {
			expect((await deliver(`${path}?token=${'0'.repeat(64)}`, { id: 1 })).status).toBe(401);
		});
		expect(cost).toEqual({
			credentials: 1,
			parameters: ['triggerOn', 'assistantId', 'triggerOn'],
		});
	});

	it('one with a forged token gets the same answer when the credential cannot be read', async () => {
		const { node } = await published();
		const path = await node.url('production');
		node.instance.n8n.credential.apiToken = '={{ $json.token }}';
		const { status, body } = await deliver(`${path}?token=${'0'.repeat(64)}`, { id: 1 });
		expect([status, body]).toEqual([
			401,
			{ message: 'The token of this address is missing or wrong.' },
		]);
	});

	it('an accepted one reads the parameters that it needs once, and not the credential', async () => {
		const { node, url } = await published();
		const cost = await reads(node, () => deliver(url, { id: 1, status: 'completed' }));
		expect(cost).toEqual({
			credentials: 0,
			parameters: ['filters', 'options.repeatedDeliveries', 'leaveOut'],
		});
	});

	it('the credential is read where no token is stored, as after a rename', async () => {
		const { lifecycle, node, url } = await published();
		lifecycle.staticData = {};
		const cost = await reads(node, async () => {
			expect((await deliver(url.replace(/.$/, ''), { id: 1 })).status).toBe(401);
			expect((await deliver(url.replace(/.{64}$/, '0'.repeat(64)), { id: 1 })).status).toBe(401);
			expect((await deliver(url, { id: 1 })).status).toBe(200);
		});
		expect(cost.credentials).toBe(2);
	});
});

describe('a delivery with the token that is registered', () => {
	it.each([
		['the assistant', onAssistant('={{ 2 }}')],
		['the assistant, which is empty', onAssistant('={{ undefined }}')],
		['the event', { ...onAssistant(1), triggerOn: "={{ 'inboundCallCompleted' }}" }],
		['the event, which is none', { ...onAssistant(1), triggerOn: '={{ undefined }}' }],
	])(
		'is taken for what it was registered for while an expression gives another value for %s',
		async (_, parameters) => {
			const { lifecycle, node, url } = await published();
			node.settings.parameters = parameters;
			expect((await deliver(url, { id: 1, status: 'completed' })).status).toBe(200);
			const registered = expect.objectContaining({ event: 'callCompleted', assistant_id: 1 });
			expect(items()).toEqual([registered]);
			// Another publish moves it.
			node.settings.parameters = onAssistant(2);
			await node.hook('delete', 'production', lifecycle.staticData);
			await node.hook('create', 'production', lifecycle.staticData);
			expect((await deliver(url, { id: 2, status: 'completed' })).status).toBe(401);
		},
	);

	it('is taken for a question, also while an expression gives another event', async () => {
		const { node, url } = await published({}, 'inboundCallStarting');
		node.settings.parameters = { ...onAssistant(2), triggerOn: "={{ 'callCompleted' }}" };
		await deliver(url, { customer_phone: '+4915112345611', assistant_phone: '+4915112345601' });
		expect(items()).toEqual([
			expect.objectContaining({ event: 'inboundCallStarting', assistant_id: 1 }),
		]);
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

const call = { id: 7, status: 'completed', duration: 31, transcript: 'Assistant: Hello.' };

/** The item of a body that is no call. */
const unknown = (raw: unknown) => ({
	event: 'callCompleted',
	assistant_id: 1,
	outcome: 'unknown',
	raw,
});

it('a number that JavaScript would round stays exact, as a text, wherever it is in the call', async () => {
	const LARGE = '9007199254740993';
	const fields = `"id": ${LARGE}, "status": "ended", "lead": {"ids": [-${LARGE}, 2]}`;
	const body = { id: LARGE, status: 'ended', lead: { ids: [`-${LARGE}`, 2] }, text: LARGE };
	// n8n reads JSON with a byte order mark too.
	const text = `\uFEFF{${fields}, "text": "${LARGE}"}`;
	expect(await getItems({ leaveOut: [] }, (url) => deliverText(url, text))).toEqual([
		expect.objectContaining({ ...body, raw: body }),
	]);
});

describe('a delivery as the documents show it', () => {
	it('has the names, the types and the outcome of a record of the list', async () => {
		const turns = [
			{ text: 'Hello!', type: 'transcript', sender: 'bot', timestamp: 1772443805.52 },
			{ text: '{"free":true}', type: 'function_result', sender: 'system', timestamp: 1772443806 },
			{ text: 'Friday.', type: 'transcript', sender: 'human', timestamp: 1772443807.1 },
		];
		const lead = { id: 9, phone_number: '+14155550101', campaign: { id: 3, name: 'Spring' } };
		const transfers = [
			{ id: 4, status: 'completed', transfer_to: '+14155550102', transcript: turns },
		];
		const live = {
			...{ id: 5001, customer_phone: '+14155550101', assistant_phone: '+14155550100' },
			...{ duration: 74, status: 'unanswered', extracted_variables: { status: true } },
			...{ input_variables: [], transcript: turns, formatted_transcript: 'AI: Hello!' },
			...{ recording_url: null, created_at: '2026-03-02T09:30:00.000000Z', lead },
			...{ assistant_id: '0C1D7A2E-6f3b-4b57-9d5e-0a1b2c3d4e5f', ended_by: 'customer', transfers },
		};
		const filters = { campaignId: '3' };
		expect(await getItems({ filters }, (url) => deliver(url, live))).toEqual([
			{
				...{ event: 'callCompleted', outcome: 'no-answer', status: 'no-answer', assistant_id: 1 },
				...{ id: 5001, client_phone_number: '+14155550101', duration: 74 },
				...{ assistant_phone_number: '+14155550100', variables: { status: true } },
				...{ input_variables: {}, transcript: 'Assistant: Hello!\nCustomer: Friday.' },
				...{ transcript_entries: turns, formatted_transcript: 'AI: Hello!', recording_url: null },
				...{ created_at: '2026-03-02T09:30:00Z', lead, ended_by: 'customer', transfers },
				assistant_uuid: live.assistant_id,
				...{ campaign_id: 3, campaign_name: 'Spring' },
			},
		]);
	});

	it.each([7, '7', 'a-name', null])(
		'has the ID that the trigger is registered at in place of %j, which is no UUID',
		async (assistant_id) => {
			const [item] = await getItems({}, (url) => deliver(url, { ...call, assistant_id }));
			expect(item).toMatchObject({ assistant_id: 1 });
			expect(item).not.toHaveProperty('assistant_uuid');
		},
	);

	it.each(['initiated', 'ringing', 'in-progress'])(
		'starts nothing while the call is %s, and the log says so once an hour',
		async (status) => {
			const { node, url } = await published();
			node.instance.infos = [];
			await deliver(url, { ...call, status });
			await deliver(url, { ...call, status });
			expect(webhookServer.executions).toEqual([]);
			const line =
				'A delivery did not start the workflow, because its call is not over. The workflow starts when a delivery says how the call ended. Its fields: id, status, duration, transcript.';
			expect(node.instance.infos).toEqual([line]);
			letTimePass();
			await deliver(url, { ...call, status });
			expect(node.instance.infos).toEqual([line, `${line} Since the last such line: 1 more.`]);
		},
	);

	it('can have no ID, and a status of its own', async () => {
		const other = { customer_phone: '+14155550101', status: 'cancelled' };
		expect(await getItems({}, (url) => deliver(url, other))).toMatchObject([
			{ client_phone_number: '+14155550101', status: 'cancelled', outcome: 'unknown' },
		]);
		expect(items()[0]).not.toHaveProperty('raw');
	});
});

describe('a delivery of another form', () => {
	it.each<[string, unknown]>([
		['a question before the call is answered', { customer_phone: '+49', assistant_phone: '+49' }],
		['an event of its own', { event: 'conversation.ended', conversation_id: 'c7', messages: [] }],
		['a chat', { id: 7, status: 'ended', conversation_id: 'c7', message_count: 2 }],
		['other names', { to: '+49', from: '+49', summary: 'Wants an offer', recording: 'https://x' }],
		['a call in a field', { event: 'call.completed', data: call }],
		['a list of calls', [call, { ...call, id: 8 }]],
		['an open status alone', { status: 'in-progress', message: 'Hi' }],
		['JSON in a text', JSON.stringify(call)],
		['nothing', {}],
		['null', null],
		['a number', 5],
		['the name of a prototype', JSON.parse('{"__proto__":{"status":"completed"},"id":5}')],
	])('starts the workflow with the body as it came: %s', async (_, body) => {
		const { node, url } = await published();
		node.instance.infos = [];
		await deliver(url, body);
		expect(items()).toEqual([unknown(body)]);
		expect(JSON.stringify(items()[0]?.raw)).toBe(JSON.stringify(body));
		expect(node.instance.infos).toEqual([
			expect.stringContaining('A delivery that is no call started the workflow'),
		]);
	});

	it('passes all filters, because it lacks their fields', async () => {
		const filters = { campaignId: '7', directions: ['inbound'], minimumDuration: 30 };
		const sent = await getItems({ filters: { ...filters, outcomes: ['busy'] } }, (url) =>
			deliver(url, { foo: 1 }),
		);
		expect(sent).toEqual([unknown({ foo: 1 })]);
	});

	it('is a text where it is no JSON, whatever its type says', async () => {
		const { url } = await published();
		for (const type of ['text/plain', 'application/xml', 'application/octet-stream']) {
			await sendRequest(url, {
				method: 'POST',
				headers: { 'content-type': type },
				body: '<call id="7"/>',
			});
		}
		const [one] = [unknown('<call id="7"/>')];
		expect(items()).toEqual([one, one, one]);
	});

	it('is JSON where it parses, whatever its type says', async () => {
		const { url } = await published();
		for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png']) {
			const headers = { 'content-type': type };
			await sendRequest(url, { method: 'POST', headers, body: '{"foo":1}' });
		}
		expect(items()).toEqual([1, 2, 3].map(() => unknown({ foo: 1 })));
	});

	it('has the fields of a form, as n8n reads them', async () => {
		const { url } = await published();
		await deliverForm(url, { 'call[id]': '7', note: 'Hi' });
		const body = new URLSearchParams({ 'call[id]': '7', note: 'Hi' });
		await sendRequest(url, { method: 'POST', body });
		const one = unknown({ 'call[id]': '7', note: 'Hi' });
		expect(items()).toEqual([one, one]);
	});

	it('is an empty text where nothing came', async () => {
		const { url } = await published();
		await sendRequest(url, { method: 'POST', body: new URLSearchParams() });
		await sendRequest(url, { method: 'POST' });
		expect(items()).toEqual([unknown(''), unknown('')]);
	});

	it('is a text where it is nested deeper than n8n can store', async () => {
		const text = '['.repeat(5_000) + ']'.repeat(5_000);
		expect(await getItems({}, (url) => deliverText(url, text))).toEqual([unknown(text)]);
	});

	it('starts one execution whose item has it, whatever JSON, text or form it is', async () => {
		const { url } = await published();
		const expectItem = async (body: unknown, send: () => Promise<{ status: number }>) => {
			webhookServer.executions = [];
			expect((await send()).status).toBe(200);
			expect(items()).toHaveLength(1);
			const { raw } = items()[0] ?? {};
			if (raw !== undefined) expect(raw).toEqual(withExactIntegers(body));
			else expect(isDocumented(body)).toBe(true);
		};
		const json = fc.jsonValue();
		const either = fc.oneof(json, fc.record({ customer_phone: json }, { requiredKeys: [] }));
		await forAny(either, (body) => expectItem(body, () => deliver(url, body)), {
			numRuns: sampledRuns(50),
		});
		const inbound = await published({}, 'inboundCallCompleted');
		const isOver = (body: unknown) => !isQuestionBeforeACall(body);
		await forAny(
			either.filter(isOver),
			(body) => expectItem(body, () => deliver(inbound.url, body)),
			{ numRuns: sampledRuns(50) },
		);
		await published();
		await forAny(
			fc.string().filter(isNoJson),
			(text) =>
				expectItem(text, () =>
					sendRequest(url, {
						method: 'POST',
						headers: { 'content-type': 'text/plain' },
						body: text,
					}),
				),
			{ numRuns: sampledRuns(100) },
		);
		const form = fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), fc.string(), { minKeys: 1 });
		await forAny(
			form,
			(fields) =>
				expectItem(fields, () =>
					sendRequest(url, { method: 'POST', body: new URLSearchParams(fields) }),
				),
			{ numRuns: sampledRuns(100) },
		);
	});
});

describe('a question before the call, at Inbound Call Completed', () => {
	const ASKS =
		"This provider asks before the call, so the workflow with 'Inbound Call Completed' does not start. Use 'Inbound Call Starting', and 'Call Completed' with the filter Direction inbound for calls that are over.";

	it.each([
		{ customer_phone: '+14155550101', assistant_phone: '+14155550100' },
		{ customer_phone: null, assistant_phone: '+14155550100' },
		{ assistant_phone: '+14155550100' },
	])(
		'starts nothing and is answered {}; the log and the next publish say why: %j',
		async (body) => {
			const { lifecycle, node, url } = await published({}, 'inboundCallCompleted');
			expect(await deliver(url, body)).toMatchObject({ status: 200, text: '{}' });
			expect(webhookServer.executions).toEqual([]);
			expect(node.instance.warnings).toContain(ASKS);
			node.instance.warnings.length = 0;
			await lifecycle.unpublish();
			await lifecycle.publish();
			expect(node.instance.warnings).toEqual([ASKS]);
		},
	);

	it.each([
		{ customer_phone: '+14155550101', assistant_phone: '+14155550100', id: 7 },
		{ customer_phone: 14155550101 },
		{ customer_phone: { number: '+14155550101' } },
	])('is nothing else: %j', async (body) => {
		const { url } = await published({}, 'inboundCallCompleted');
		await deliver(url, body);
		expect(items()).toHaveLength(1);
	});
});

/** A body as JSON brings it: an integer that JavaScript would round is a text. */
const withExactIntegers = (body: unknown): unknown =>
	JSON.parse(JSON.stringify(body), (_, value: unknown) =>
		Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value))
			? String(value)
			: value,
	);

/** The one exception, at *Inbound Call Completed*. */
const isQuestionBeforeACall = (body: unknown): boolean =>
	typeof body === 'object' &&
	body !== null &&
	Object.keys(body).length > 0 &&
	Object.entries(body).every(
		([name, value]) =>
			['customer_phone', 'assistant_phone'].includes(name) &&
			(value === null || typeof value === 'string'),
	);

/** Whether a body is a call of the documents, whose values are in the item itself. */
const isDocumented = (body: unknown): boolean =>
	typeof body === 'object' && body !== null && ('status' in body || 'duration' in body);

function isNoJson(text: string): boolean {
	try {
		JSON.parse(text);
		return false;
	} catch {
		return true;
	}
}

/** Whether a delivered call starts an execution. It is answered with 200 in any case. */
async function starts(filters: INodeParameters, call: unknown): Promise<boolean> {
	const { url } = await published({ filters });
	expect((await deliver(url, call)).status).toBe(200);
	return webhookServer.executions.length > 0;
}

const campaign = { id: 7, name: 'Spring', status: 'in-progress' };
const every = { campaignId: '7', directions: ['inbound'], minimumDuration: 30 };

describe('a filter', () => {
	it.each<[string, INodeParameters, object]>([
		['the campaign', { campaignId: '7' }, { campaign }],
		['the campaign of its lead', { campaignId: '7' }, { lead: { id: 1, campaign } }],
		['the campaign as a number', { campaignId: 7 }, { campaign_id: '7' }],
		['the campaign by an expression', { campaignId: '={{ 3 + 4 }}' }, { campaign }],
		['one of the directions', { directions: ['inbound', 'web'] }, { type: 'web' }],
		['the direction by an expression', { directions: '={{ "web" }}' }, { type: 'web' }],
		['the exact duration', { minimumDuration: 30 }, { duration: 30 }],
		['the duration as texts', { minimumDuration: '={{ "30" }}' }, { duration: '31' }],
		['one of the outcomes', { outcomes: ['busy', 'answered'] }, { status: 'ended' }],
		['voicemail', { outcomes: ['voicemail'] }, { answered_by: 'machine' }],
		['an unknown status', { outcomes: ['unknown'] }, { status: 'transferred' }],
		['an empty filter', { campaignId: '', directions: [], outcomes: [] }, { status: 'busy' }],
		['none of its fields', { ...every, outcomes: ['answered'] }, {}],
		['no values', { ...every, outcomes: ['answered'] }, { type: null, duration: null }],
	])('lets a call pass that has %s', async (_, filters, fields) => {
		expect(await starts(filters, { id: 1, status: 'completed', ...fields })).toBe(true);
	});

	it.each<[string, INodeParameters, object]>([
		['another campaign', { campaignId: '7' }, { campaign: { ...campaign, id: 71 } }],
		['another one of its lead', { campaignId: '7' }, { lead: { campaign: { id: 8 } } }],
		['no campaign', { campaignId: '7' }, { campaign: null }],
		['no lead', { campaignId: '7' }, { lead: null }],
		['another direction', { directions: ['inbound'] }, { type: 'outbound' }],
		['a shorter duration', { minimumDuration: 30 }, { duration: 29 }],
		['another outcome', { outcomes: ['answered'] }, { status: 'no-answer' }],
		['voicemail instead of a human', { outcomes: ['answered'] }, { answered_by: 'machine' }],
		['an unknown status', { outcomes: ['answered'] }, { status: 'transferred', duration: 31 }],
		['one of two filters only', { outcomes: ['answered'], minimumDuration: 30 }, { duration: 10 }],
	])('answers 200 and starts nothing for a call with %s', async (_, filters, fields) => {
		expect(await starts(filters, { id: 1, status: 'completed', ...fields })).toBe(false);
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
				`'Leave Out' must be one or more of: rawBody, rawBodyOfCalls, recording, transcript (the value is: ${shown}). Correct the field.`,
			),
		);
	});
});
