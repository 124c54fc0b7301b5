import { describe, expect, it } from '@jest/globals';
import { assistantRecord, completeCall } from '../support/calls.mts';
import { getData } from '../support/client.mts';
import { addLead, ask, firstRow } from '../support/providers.mts';
import { startReceiver } from '../support/receiver.mts';
import { newTool } from '../support/seed.mts';
import { startOwnService } from '../support/testService.mts';

it.each([201, 202])('success-status %d: where the contract names none', async (status) => {
	await using own = await startOwnService({ assume: { 'success-status': status } });
	const webhook = { assistant_id: 2, webhook_url: 'https://example.com/' };
	const sms = { from: 1, to: '+4915112345699', body: 'Hi' };
	for (const [method, path, json, expected] of [
		['PUT', '/user/leads/1', { status: 'completed' }, status],
		['POST', '/user/campaigns/update-status', { campaign_id: 1, action: 'stop' }, status],
		['POST', '/user/assistants/enable-inbound-webhook', webhook, status],
		['POST', '/user/assistants/disable-inbound-webhook', { assistant_id: 2 }, status],
		['POST', '/user/sms', sms, status],
		['POST', '/user/assistants/disable-webhook', { assistant_id: 1 }, 200],
		['PUT', '/user/assistant/1', {}, 200],
		['POST', '/user/tools', newTool, 201],
		['GET', '/user/calls', undefined, 200],
		['PUT', '/user/leads/999', {}, 404],
	] as const) {
		const response = await ask(own, method, path, json);
		expect({ path, status: response.status }).toEqual({ path, status: expected });
	}
	expect((await addLead(own)).status).toBe(200);
});

it('lead-duplicates allowed: unless the request forbids them', async () => {
	await using own = await startOwnService({ assume: { 'lead-duplicates': 'allowed' } });
	const statuses = [
		await addLead(own),
		await addLead(own),
		await addLead(own, { allow_dupplicate: false }),
	].map(({ status }) => status);
	expect(statuses).toEqual([200, 200, 422]);
});

it('tool-ids-update added: an update removes none', async () => {
	await using own = await startOwnService({ assume: { 'tool-ids-update': 'added' } });
	const tools = async (tool_ids: number[]) => {
		await own.alice.put('/user/assistant/1', { tool_ids });
		return (await assistantRecord(own.alice, 1)).tools;
	};
	expect(await tools([2, 1])).toMatchObject([{ id: 1 }, { id: 2 }]);
	expect(await tools([])).toMatchObject([{ id: 1 }, { id: 2 }]);
	await own.alice.put('/user/assistant/1', { assistant_name: 'Renamed' });
	expect((await assistantRecord(own.alice, 1)).tools).toHaveLength(2);
});

it.each([
	['merged', { a: 1, b: 3, c: 4 }],
	['replaced', { b: 3, c: 4 }],
])('assistant-variables-update %s', async (form, variables) => {
	await using own = await startOwnService({ assume: { 'assistant-variables-update': form } });
	await own.alice.put('/user/assistant/1', { variables: { a: 1, b: 2 } });
	await own.alice.put('/user/assistant/1', { variables: { b: 3, c: 4 } });
	expect(await assistantRecord(own.alice, 1)).toMatchObject({ variables });
});

describe('webhook-url-form', () => {
	it.each([
		['normalised', 'HTTPS://Example.com:443', 'https://example.com/'],
		['normalised', 'http://example.com:80/a?b=C#d', 'http://example.com/a?b=C#d'],
		['trailing-slash', 'HTTPS://Example.com', 'HTTPS://Example.com/'],
		['trailing-slash', 'http://example.com:80/a?b=c/#d', 'http://example.com:80/a/?b=c/#d'],
		['trailing-slash', 'http://example.com/a/', 'http://example.com/a/'],
		['kept', 'HTTPS://Example.com:443', 'HTTPS://Example.com:443'],
	])('%s: %s is stored as %s', async (form, webhook_url, stored) => {
		await using own = await startOwnService({ assume: { 'webhook-url-form': form } });
		await own.alice.put('/user/assistant/1', { webhook_url });
		const enable = '/user/assistants/enable-inbound-webhook';
		await own.alice.post(enable, { assistant_id: 1, webhook_url });
		expect(await assistantRecord(own.alice, 1)).toMatchObject({
			webhook_url: stored,
			inbound_webhook_url: stored,
		});
		await own.alice.put('/user/assistant/1', { webhook_url: null });
		expect(await assistantRecord(own.alice, 1)).toMatchObject({ webhook_url: null });
	});

	it('webhooks go to what is stored', async () => {
		await using own = await startOwnService({ assume: { 'webhook-url-form': 'trailing-slash' } });
		const receiver = await startReceiver();
		const webhook_url = `${receiver.url}/calls`;
		await own.alice.put('/user/assistant/1', { webhook_url, is_webhook_active: true });
		await completeCall(own);
		await receiver.arrived(1);
		expect(receiver.arrivals.map(({ path }) => path)).toEqual(['/calls/']);
		await receiver.close();
	});
});

describe('tool-headers-form', () => {
	it.each([
		['masked', [{ name: 'X-Key', value: '********' }]],
		['absent', undefined],
		['shown', [{ name: 'X-Key', value: 'secret' }]],
	])('%s, but the tool gets them', async (form, headers) => {
		await using own = await startOwnService({ assume: { 'tool-headers-form': form } });
		const receiver = await startReceiver();
		const endpoint = `${receiver.url}/tool`;
		const change = { endpoint, headers: [{ name: 'X-Key', value: 'secret' }] };
		const updated = getData(await ask(own, 'PUT', '/user/tools/1', change));
		const created = getData(
			await ask(own, 'POST', '/user/tools', { ...newTool, ...change, name: 'other' }),
		);
		const { tools } = await firstRow(own, '/user/assistants/get');
		for (const tool of [updated, created, ...(tools as object[])]) {
			expect(tool).toMatchObject({ endpoint });
			expect(Reflect.get(tool, 'headers')).toEqual(headers);
		}
		await completeCall(own, { scenario: 'tool-call' });
		expect(receiver.arrivals).toMatchObject([{ headers: { 'x-key': 'secret' } }]);
		await receiver.close();
	});
});
