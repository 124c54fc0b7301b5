import { describe, expect, it } from '@jest/globals';
import { Journal } from '../src/http/journal.mts';
import { Store } from '../src/store/store.mts';
import { A_CALL, completeCall, enableWebhook, setCampaign, startCall } from './support/calls.mts';
import { getId } from './support/client.mts';
import { newAssistant, newTool } from './support/seed.mts';
import { startOwnService } from './support/testService.mts';
import { updateTool } from './support/toolCalls.mts';
import { serviceAndReceiver } from './support/webhooks.mts';
import { onlyInFull } from '../../test/support/sample.mts';

const { service, receiver } = await serviceAndReceiver();

/** What happened since the reset, oldest first. */
const story = async (query = {}) =>
	(await service.control.events({ limit: 1000, ...query }))
		.filter(({ kind }) => kind !== 'sandbox')
		.reverse();
/** The same in lines. */
const lines = async (query = {}) =>
	(await story(query)).map(({ kind, level, text }) => `${kind}, ${level}: ${text}`);
const texts = async (query = {}) => (await story(query)).map(({ text }) => text);

describe('the timeline', () => {
	it('tells what happened to a lead, from its creation to the webhook that failed', async () => {
		receiver.respond(404);
		await enableWebhook(service.alice, 1, `${receiver.url}/hook?secret=1`);
		const newLead = { campaign_id: 1, phone_number: '+4915112345622' };
		const lead_id = getId(await service.alice.post('/user/lead', newLead));
		await setCampaign(service, 'start');
		await service.control.advance(A_CALL);

		expect(await lines({ lead_id })).toEqual([
			'lead-added, info: Lead 102 (+4915112345622) was added to campaign 1 “Spring”.',
			'call-started, info: Call 2 to +4915112345622 began with assistant 1 “Caller”, for lead 102 (+4915112345622) of campaign 1 “Spring”. Scenario: Somebody answers, and they talk for a minute (answered).',
			'call-ringing, info: Call 2 to +4915112345622 is ringing.',
			'call-answered, info: Call 2 to +4915112345622 was answered.',
			'call-ended, info: Call 2 to +4915112345622 ended after 60 seconds: completed.',
			'lead-changed, info: Lead 102 (+4915112345622) is “completed”.',
			'webhook-failed, error: The webhook of call 2 failed: the receiver answered 404. No further attempt is planned.',
		]);
		const events = await story({ lead_id });
		for (const event of events) {
			expect(event).toMatchObject({ campaign_id: 1, user_id: 1, message_id: null });
		}
		expect(events.at(-1)).toMatchObject({ assistant_id: 1, call_id: 2, delivery_id: 2 });
		expect(await texts({ kind: 'campaign-started' })).toEqual([
			'Campaign 1 “Spring” was started. Its leads are called by assistant 1 “Caller”.',
		]);
		expect(await texts({ kind: 'assistant-changed' })).toEqual([
			`Assistant 1 “Caller” was changed: is_webhook_active, webhook_url, send_webhook_only_on_completed. It sends a webhook after calls to ${receiver.url}/hook.`,
		]);
	});

	it('tells how it goes on with a lead that is not reached', async () => {
		await service.alice.put('/user/leads/1', { phone_number: '+4915112399901' });
		await setCampaign(service, 'start');
		await service.control.advance('P1D');
		expect(await texts({ kind: 'lead-changed' })).toEqual([
			expect.stringMatching(
				/^Lead 1 \(\+4915112399901\) was changed: phone_number\. Its number was \+\d+\.$/,
			),
			expect.stringMatching(
				/^Lead 1 \(\+4915112399901\) was not reached in attempt 1 of 3, and is called again after 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/,
			),
			expect.stringContaining('in attempt 2 of 3'),
			'Lead 1 (+4915112399901) is “reached max retries”.',
		]);
	});

	it('tells that a lead stays completed when nobody answers a later call', async () => {
		await service.alice.put('/user/leads/1', { status: 'completed' });
		await completeCall(service, { to: '+4915112399901', lead_id: 1 });
		const stays = expect.stringMatching(/^Lead 1 \(\+\d+\) stays “completed”\.$/);
		expect(await texts({ kind: 'lead-changed' })).toContainEqual(stays);
	});

	it('finds all about a lead by its name, also what does not say its name', async () => {
		receiver.respond(404);
		await enableWebhook(service.alice, 1, receiver.url);
		await setCampaign(service, 'start');
		await service.control.advance(A_CALL);
		const about = await texts({ lead_id: 1 });
		expect(about).toContainEqual(expect.stringMatching(/^The webhook of call \d+ failed/));
		expect(await texts({ search: 'Lead 1' })).toEqual(about);
		expect(await texts({ search: ' call  1 ' })).toEqual(await texts({ call_id: 1 }));
		expect(await texts({ search: 'lead 1', kind: 'webhook-failed' })).toHaveLength(1);
	});

	it('tells of webhooks that are delivered, tried again, cancelled, and left out', async () => {
		const assume = { 'webhook-retries': ['PT1M'], 'webhook-delay': 'PT1M' };
		await using own = await startOwnService({ assume });
		receiver.respondWith((_arrival, response) =>
			response.writeHead(receiver.arrivals.length === 1 ? 503 : 200).end(),
		);
		await enableWebhook(own.alice, 1, receiver.url);
		await completeCall(own, { scenario: 'busy' });
		await startCall(own, { scenario: 'busy' });
		await own.control.advance('PT4S');
		await own.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
		await own.control.advance('PT1M');
		await completeCall(own, { scenario: 'busy' });
		await enableWebhook(own.alice, 1, receiver.url, { send_webhook_only_on_completed: true });
		await completeCall(own, { scenario: 'busy' });
		const kind = 'webhook-delivered,webhook-failed,webhook-cancelled,webhook-left-out';
		const told = (await own.control.events({ kind })).map(({ level, text }) => `${level}: ${text}`);
		expect(told.reverse()).toEqual([
			'warning: The webhook of call 1 failed: the receiver answered 503. The next attempt is at 2026-03-02 09:02:04 UTC.',
			`info: The webhook of call 1 was delivered to ${receiver.url}/, which answered 200.`,
			'warning: The webhook of call 2 was not sent, because it was disabled before.',
			'info: No webhook is sent for call 3 to +4915112345611: assistant 1 “Caller” has no active webhook for it.',
			'info: No webhook is sent for call 4 to +4915112345611: assistant 1 “Caller” leaves out calls that are not completed (send_webhook_only_on_completed).',
		]);
	});

	it('tells of tools in calls', async () => {
		await updateTool(service.alice, 1, { endpoint: receiver.url });
		for (const status of [200, 500]) {
			receiver.respond(status, 'Sunny.');
			await completeCall(service, { tool: {} });
		}
		const kind = 'tool-changed,tool-called,tool-answered';
		const calls = `the assistant calls tool 1 “get_weather” with GET ${receiver.url}/.`;
		expect((await lines({ kind })).map((line) => line.replace(/\d+ ms/, 'some ms'))).toEqual([
			'tool-changed, info: Tool 1 “get_weather” was changed: endpoint.',
			`tool-called, info: Call 1 to +4915112345611: ${calls}`,
			'tool-answered, info: The tool “get_weather” answered call 1 with status 200 after some ms.',
			`tool-called, info: Call 2 to +4915112345611: ${calls}`,
			'tool-answered, error: The request to the tool “get_weather” in call 2 failed: the tool answered 500.',
		]);
		expect(await story({ kind })).toMatchObject([
			{ user_id: 1 },
			...[1, 1, 2, 2].map((id) => ({ call_id: id, tool_request_id: id })),
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
		await setCampaign(service, 'stop');
		expect(await service.control.events({ kind: 'sms-sent' })).toMatchObject([{ lead_id: 1 }]);
		expect(await texts()).toEqual([
			expect.stringMatching(
				/^SMS 1 was sent from \+4915112345601 to \+4915112345611 for 0\.\d+ units\.$/,
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
			'Fault 1 was turned on: operation createLead, status 429, times 2.',
			'Fault 2 was turned on: body_field to, status 500, times 1.',
			expect.stringMatching(/^Fault 3 “Outage” was turned on: status 503, until .*:11:00 UTC\.$/),
			'All faults were turned off.',
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
		const expectPage = async (query: string, ids: number[], more: boolean, total: number) =>
			expect((await service.control.request('GET', `/events?${query}`)).body).toMatchObject({
				data: ids.map((id) => ({ id })),
				more,
				total,
			});
		await expectPage('limit=2', [4, 3], true, 4);
		await expectPage('limit=2&before=3', [2, 1], false, 4);
		await expectPage('after=3', [4], false, 1);
	});

	it('can be limited by kind, level, text, and what they are about', async () => {
		await addLeads();
		await service.alice.request('GET', '/nothing');
		await service.control.outbound({ assistant_id: 2, to: '+4915112345699' });
		const COUNTS: [query: object, count: number][] = [
			[{ kind: 'lead-added,call-started' }, 4],
			[{ level: 'warning,error' }, 1],
			[{ level: 'warning', kind: 'lead-added' }, 0],
			[{ search: 'CAMPAIGN 1 “spr' }, 3],
			[{ search: '%' }, 0],
			[{ assistant_id: 2 }, 1],
			[{ campaign_id: 1 }, 3],
			[{ lead_id: 3 }, 0],
			[{ lead_id: 103 }, 1],
			[{ call_id: 1 }, 1],
		];
		for (const [query, count] of COUNTS) {
			expect({ query, count: (await story(query)).length }).toEqual({ query, count });
		}
	});

	onlyInFull(it)('has at most the newest 100,000, and the log the newest 10,000 requests', () => {
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
		const { data: requests, total } = journal.list({ limit: 10_000 });
		expect([requests.length, total, requests.at(-1)?.id]).toEqual([10_000, 10_000, 1501]);
		expect(journal.find(1000)).toBeUndefined();
		store.close();
	});
});
