import { describe, expect, it } from '@jest/globals';
import { Journal } from '../../sandbox/src/http/journal.mts';
import { Store } from '../../sandbox/src/store/store.mts';
import { A_CALL, enableWebhook } from '../support/sandbox/calls.mts';
import { idOf } from '../support/sandbox/client.mts';
import { newAssistant, newTool } from '../support/sandbox/seed.mts';
import { startOwnService } from '../support/sandbox/testService.mts';
import { updateTool } from '../support/sandbox/tools.mts';
import { serviceAndReceiver } from '../support/sandbox/webhooks.mts';

const { service, receiver } = await serviceAndReceiver();

/** What happened since the reset, oldest first. */
const story = async (query = {}) =>
	(await service.control.events({ limit: 1000, ...query }))
		.filter(({ kind }) => kind !== 'sandbox')
		.reverse();
const texts = async (query = {}) => (await story(query)).map(({ text }) => text);
const list = async (query: string) => await service.control.request('GET', `/events?${query}`);

describe('the timeline', () => {
	it.each(['kind', 'level'])('refuses a %s that there is none of', async (field) => {
		const { status, text } = await list(`${field}=webhook-fialed`);
		expect(status).toBe(422);
		expect(text).toContain('webhook-fialed');
	});

	it('tells what happened to a lead, from its creation to the webhook that failed', async () => {
		receiver.respondWith((_arrival, response) => response.writeHead(404).end());
		await enableWebhook(service.alice, 1, `${receiver.url}/hook?secret=1`);
		const lead = idOf(
			await service.alice.post('/user/lead', { campaign_id: 1, phone_number: '+4915112345622' }),
		);
		await service.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		await service.control.advance(A_CALL);

		const events = await story({ lead_id: lead });
		expect(events.map(({ kind, level, text }) => [kind, level, text])).toEqual([
			['lead-added', 'info', 'Lead 102 (+4915112345622) was added to campaign 1 “Spring”.'],
			[
				'call-started',
				'info',
				'Call 2 to +4915112345622 began, scenario answered, with assistant 1 “Caller”, for lead 102 (+4915112345622) of campaign 1 “Spring”.',
			],
			['call-ringing', 'info', 'Call 2 to +4915112345622 is ringing.'],
			['call-answered', 'info', 'Call 2 to +4915112345622 was answered.'],
			['call-ended', 'info', 'Call 2 to +4915112345622 ended after 60 seconds: completed.'],
			['lead-changed', 'info', 'Lead 102 (+4915112345622) is completed.'],
			[
				'webhook-failed',
				'error',
				'The webhook of call 2 failed: the receiver answered 404. No further attempt is planned.',
			],
		]);
		for (const event of events) {
			expect(event).toMatchObject({ campaign_id: 1, user_id: 1, message_id: null });
		}
		expect(events.at(-1)).toMatchObject({ assistant_id: 1, call_id: 2, delivery_id: 2 });
		expect(await texts({ kind: 'campaign-started' })).toEqual([
			'Campaign 1 “Spring” was started. Its leads are called by assistant 1 “Caller”.',
		]);
		expect(await texts({ kind: 'assistant-changed' })).toEqual([
			`Assistant 1 “Caller” was changed: is_webhook_active, webhook_url. It sends a webhook after calls to ${receiver.url}/hook.`,
		]);
	});

	it('tells how it goes on with a lead that is not reached', async () => {
		await service.alice.put('/user/leads/1', { phone_number: '+4915112399901' });
		await service.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		await service.control.advance('P1D');
		const outcomes = await texts({ kind: 'lead-changed' });
		expect(outcomes).toEqual([
			expect.stringMatching(
				/^Lead 1 \(\+4915112399901\) was changed: phone_number\. Its number was \+\d+\.$/,
			),
			expect.stringMatching(
				/^Lead 1 \(\+4915112399901\) was not reached in attempt 1 of 3, and is called again after 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/,
			),
			expect.stringContaining('in attempt 2 of 3'),
			'Lead 1 (+4915112399901) is reached-max-retries.',
		]);
	});

	it('tells that a lead stays completed when nobody answers a later call', async () => {
		const { alice, control } = service;
		await alice.put('/user/leads/1', { status: 'completed' });
		await control.outbound({ assistant_id: 1, to: '+4915112399901', lead_id: 1 });
		await control.advance(A_CALL);
		expect(await texts({ kind: 'lead-changed' })).toContainEqual(
			expect.stringMatching(/^Lead 1 \(\+\d+\) stays completed\.$/),
		);
	});

	it('finds all about a lead by its name, also what does not say its name', async () => {
		receiver.respondWith((_arrival, response) => response.writeHead(404).end());
		await enableWebhook(service.alice, 1, receiver.url);
		await service.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		await service.control.advance(A_CALL);
		const about = await texts({ lead_id: 1 });
		expect(about).toContainEqual(expect.stringMatching(/^The webhook of call \d+ failed/));
		expect(await texts({ search: 'Lead 1' })).toEqual(about);
		expect(await texts({ search: ' call  1 ' })).toEqual(await texts({ call_id: 1 }));
		expect(await texts({ search: 'lead 1', kind: 'webhook-failed' })).toHaveLength(1);
	});

	it('tells of webhooks that are delivered, tried again, and cancelled', async () => {
		await using own = await startOwnService({
			assume: { 'webhook-retries': ['PT1M'], 'webhook-delay': 'PT1M' },
		});
		const told = async () =>
			(await own.control.events({ kind: 'webhook-delivered,webhook-failed,webhook-cancelled' }))
				.map(({ level, text }) => [level, text])
				.reverse();
		receiver.respondWith((_arrival, response) =>
			response.writeHead(receiver.arrivals.length === 1 ? 503 : 200).end(),
		);
		await enableWebhook(own.alice, 1, receiver.url);
		await own.control.outbound({ assistant_id: 1, to: '+4915112345611', scenario: 'busy' });
		await own.control.advance(A_CALL);
		expect(await told()).toEqual([
			[
				'warning',
				expect.stringMatching(
					/^The webhook of call 1 failed: the receiver answered 503\. The next attempt is at .*\d UTC\.$/,
				),
			],
			['info', `The webhook of call 1 was delivered to ${receiver.url}/, which answered 200.`],
		]);

		await own.control.outbound({ assistant_id: 1, to: '+4915112345611', scenario: 'busy' });
		await own.control.advance('PT4S');
		await own.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
		await own.control.advance('PT1M');
		expect((await told()).at(-1)).toEqual([
			'warning',
			'The webhook of call 2 was not sent, because it was disabled before.',
		]);
	});

	it('tells of tools in calls', async () => {
		await updateTool(service.alice, 1, { endpoint: receiver.url });
		receiver.respondWith((_arrival, response) => response.end('Sunny.'));
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611', tool: {} });
		await service.control.advance(A_CALL);
		receiver.respondWith((_arrival, response) => response.writeHead(500).end());
		await service.control.outbound({ assistant_id: 1, to: '+4915112345611', tool: {} });
		await service.control.advance(A_CALL);
		expect(await story({ kind: 'tool-changed,tool-called,tool-answered' })).toMatchObject([
			{ text: 'Tool 1 “get_weather” was changed: endpoint.', user_id: 1 },
			{
				text: `Call 1 to +4915112345611: the assistant calls tool 1 “get_weather” with GET ${receiver.url}/.`,
				tool_request_id: 1,
			},
			{
				text: expect.stringMatching(
					/^The tool “get_weather” answered call 1 with status 200 after \d+ ms\.$/,
				),
				level: 'info',
			},
			{ call_id: 2, tool_request_id: 2 },
			{
				text: 'The request to the tool “get_weather” in call 2 failed: the tool answered 500.',
				level: 'error',
				tool_request_id: 2,
			},
		]);
	});

	it('tells of SMS, of new records, of inbound webhooks, and of a campaign that is stopped', async () => {
		await service.alice.post('/user/sms', { from: 1, to: '+4915112345611', body: 'Hello' });
		await service.alice.post('/user/assistant', { ...newAssistant, assistant_name: 'New' });
		await service.alice.post('/user/tools', newTool);
		const hook = { assistant_id: 2, webhook_url: 'https://user:secret@example.com/in?key=secret' };
		await service.alice.post('/user/assistants/enable-inbound-webhook', hook);
		await service.alice.post('/user/assistants/disable-inbound-webhook', { assistant_id: 2 });
		await service.alice.post('/user/assistants/disable-webhook', { assistant_id: 2 });
		await service.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'stop' });
		expect(await texts()).toEqual([
			expect.stringMatching(
				/^SMS 1 was sent from \+4915112345601 to \+4915112345611 for 0\.\d+\.$/,
			),
			'Assistant 102 “New” was created. It sends no webhook after calls.',
			'Tool 102 “get_weather” was created.',
			'Assistant 2 “Receiver” sends a webhook after inbound calls to https://example.com/in.',
			'Assistant 2 “Receiver” has no webhook after inbound calls any more.',
			'Assistant 2 “Receiver” has no webhook after calls any more.',
			'Campaign 1 “Spring” was stopped. It starts no new calls; running ones finish.',
		]);
		expect(JSON.stringify(await story())).not.toContain('secret');
	});

	it('tells of the clock, of faults and of a reset', async () => {
		await service.control.advance('PT1M');
		await service.control.fault({ operation: 'createLead', status: 429, times: 2 });
		await service.control.fault({ body_field: { name: 'to', equals: 'secret' }, status: 500 });
		await service.control.request('POST', '/faults', { preset: 'outage' });
		await service.control.clearFaults();
		const told = (await service.control.events({ kind: 'sandbox' })).map(({ text }) => text);
		expect(told.reverse()).toEqual([
			'The sandbox was reset.',
			expect.stringMatching(/^The clock was moved forward to .*:01:00 UTC\. Jobs that ran: 0\.$/),
			'Fault 1 was added: operation createLead, status 429, times 2.',
			'Fault 2 was added: body_field to, status 500, times 1.',
			expect.stringMatching(/^Fault 3 was added: status 503, preset outage, until .*:11:00 UTC\.$/),
			'All faults were removed.',
		]);
		await service.control.reset();
		expect(await service.control.events()).toMatchObject([
			{ id: 1, text: 'The sandbox was reset.' },
		]);
	});

	it('has nothing of what was undone', async () => {
		const duplicate = { campaign_id: 1, phone_number: '+4915112345611' };
		expect((await service.alice.post('/user/lead', duplicate)).status).toBe(422);
		expect((await story()).map(({ kind }) => kind)).toEqual(['request-refused']);
	});
});

describe('a list of events', () => {
	const numbers = ['+4915112345621', '+4915112345622', '+4915112345623'];
	const addLeads = async () => {
		for (const phone_number of numbers) {
			await service.alice.post('/user/lead', { campaign_id: 1, phone_number });
		}
	};

	it('has pages, newest first, forwards and backwards', async () => {
		await addLeads();
		expect((await list('limit=2')).body).toMatchObject({
			data: [{ id: 4 }, { id: 3 }],
			more: true,
		});
		expect((await list('limit=2&before=3')).body).toMatchObject({
			data: [{ id: 2 }, { id: 1 }],
			more: false,
		});
		expect((await list('after=3')).body).toMatchObject({ data: [{ id: 4 }], more: false });
	});

	it('can be limited by kind, level, text, and what they are about', async () => {
		await addLeads();
		await service.alice.get('/user/nothing').catch(() => undefined);
		await service.alice.request('GET', '/nothing');
		await service.control.outbound({ assistant_id: 2, to: '+4915112345699' });
		const count = async (query: object) => (await story(query)).length;
		expect(await count({ kind: 'lead-added,call-started' })).toBe(4);
		expect(await count({ level: 'warning,error' })).toBeGreaterThan(0);
		expect(await count({ level: 'warning', kind: 'lead-added' })).toBe(0);
		expect(await count({ search: 'CAMPAIGN 1 “spr' })).toBe(3);
		expect(await count({ search: '%' })).toBe(0);
		expect(await count({ assistant_id: 2 })).toBe(1);
		expect(await count({ campaign_id: 1 })).toBe(3);
		expect(await count({ lead_id: 3 })).toBe(0);
		expect(await count({ lead_id: 103 })).toBe(1);
		expect(await count({ call_id: 1 })).toBe(1);
	});

	it('has at most the newest 100,000, and the log the newest 10,000 requests', () => {
		const store = new Store(undefined);
		const journal = new Journal(store.requests, store.state.tokens, 0);
		store.transaction(() => {
			for (let at = 1; at <= 101_500; at += 1) {
				store.state.events.add({ at, kind: 'sandbox', text: 'Something happened.' });
			}
			for (let id = 1; id <= 11_500; id += 1) {
				const request = { at: '', method: 'GET', path: '/', query: {}, operation: null };
				journal.end(
					journal.begin({ ...request, body: null, user: null }, {}, undefined),
					undefined,
				);
			}
		});
		const { data, more } = store.state.events.list({ limit: 100_000 });
		expect([data.length, more, data.at(-1)?.id]).toEqual([100_000, false, 1501]);
		const requests = journal.newest();
		expect([requests.length, journal.total, requests[0]?.id]).toEqual([10_000, 10_000, 1501]);
		expect(journal.find(1000)).toBeUndefined();
		store.close();
	});

	it.each(['limit=0', 'limit=1001', 'before=x', 'level=', 'colour=red'])(
		'is refused with a query that is none: %s',
		async (query) => {
			expect((await list(query)).status).toBe(422);
		},
	);
});
