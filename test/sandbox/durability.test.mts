import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSandboxClient } from '../../sandbox/client.mts';
import { A_CALL, assistantRecord, callsOf, enableWebhook } from '../support/sandbox/calls.mts';
import { idOf, rowsOf, serviceClient } from '../support/sandbox/client.mts';
import { asObject } from '../support/sandbox/contract.mts';
import { folderPerTest, processesPerTest, runToEnd } from '../support/sandbox/process.mts';
import { startReceiver } from '../support/sandbox/receiver.mts';
import { ALICE, newAssistant, newTool, twoUsers } from '../support/sandbox/seed.mts';
import { newestTranscript, updateTool } from '../support/sandbox/tools.mts';

const { startProcess } = processesPerTest();
const folder = folderPerTest();
const receiver = await startReceiver();
beforeEach(() => receiver.clear());
afterAll(() => receiver.close());

/** Starts the command line with a data file, the seed of two users, and a manual clock. */
async function start() {
	const seed = join(folder(), 'seed.json');
	await writeFile(seed, JSON.stringify(twoUsers()));
	const sandbox = await startProcess(
		'--data',
		join(folder(), 'state.db'),
		'--seed',
		seed,
		'--clock',
		'manual',
	);
	return {
		...sandbox,
		alice: serviceClient(sandbox.url, ALICE),
		control: createSandboxClient(sandbox.control),
	};
}

describe('kill -9 right after an answer, and start again', () => {
	it('everything that was acknowledged is there: records, ids, balance, quota', async () => {
		const first = await start();
		const { alice } = first;
		const assistant = idOf(
			await alice.post('/user/assistant', { ...newAssistant, assistant_name: 'Survivor' }),
		);
		const tools = [idOf(await alice.post('/user/tools', newTool))];
		await alice.put(`/user/assistant/${assistant}`, { tool_ids: tools });
		await enableWebhook(alice, assistant, 'https://example.com/hook');
		await alice.post('/user/assistants/enable-inbound-webhook', {
			assistant_id: 2,
			webhook_url: 'https://example.com/in',
		});
		const newLead = { campaign_id: 1, phone_number: '+4915112345699' };
		const lead = idOf(await alice.post('/user/lead', newLead));
		const sms = { from: 1, to: '+4915112345699', body: 'Hello' };
		for (let sent = 0; sent < 125; sent += 1) await alice.post('/user/sms', sms);
		await alice.put('/user/assistant/1', { assistant_name: 'The very last write' });
		await first.kill();

		const again = (await start()).alice;
		expect(await assistantRecord(again, 1)).toMatchObject({ name: 'The very last write' });
		expect(await assistantRecord(again, 2)).toMatchObject({
			inbound_webhook_url: 'https://example.com/in',
		});
		expect(await assistantRecord(again, assistant)).toMatchObject({
			name: 'Survivor',
			is_webhook_active: true,
			webhook_url: 'https://example.com/hook',
			tools: [expect.objectContaining({ id: tools[0] })],
		});
		expect((await again.put(`/user/leads/${lead}`, {})).status).toBe(200);
		expect((await again.post('/user/lead', newLead)).status).toBe(422);
		expect((await again.post('/user/sms', sms)).body).toEqual({
			message: 'Insufficient balance to send SMS',
		});
		for (let free = 0; free < 2; free += 1)
			tools.push(idOf(await again.post('/user/tools', newTool)));
		expect(new Set([1, 2, ...tools]).size).toBe(5);
		expect((await again.post('/user/tools', newTool)).status).toBe(422);
	});

	it('in the middle of many writes: those that were answered are there, once each', async () => {
		const first = await start();
		const answered: number[] = [];
		/** Writes until the sandbox no longer responds. */
		const write = async (): Promise<never> => {
			for (;;) {
				answered.push(idOf(await first.alice.post('/user/assistant', newAssistant)));
				if (answered.length === 20) void first.kill();
			}
		};
		await Promise.allSettled(Array.from({ length: 10 }, write));
		await first.kill();
		expect(answered.length).toBeGreaterThanOrEqual(20);

		const second = await start();
		const there: unknown[] = [];
		for (let page = 1, last = 1; page <= last; page += 1) {
			const response = await second.alice.get('/user/assistants/get', { per_page: 100, page });
			there.push(...rowsOf(response).map((row) => row.id));
			last = Number(asObject(response.body, 'list').last_page);
		}
		expect(there).toEqual(expect.arrayContaining(answered));
		expect(new Set(there).size).toBe(there.length);
	});

	it('calls in progress go on, and so does a started campaign; every webhook comes once', async () => {
		const first = await start();
		await enableWebhook(first.alice, 1, receiver.url);
		for (let lead = 10; lead < 22; lead += 1) {
			const phone_number = `+49151123457${lead}`;
			await first.alice.post('/user/lead', { campaign_id: 1, phone_number });
		}
		// sandbox/README.md, Calls: a call to a number that ends in 99901 is not answered.
		await first.alice.put('/user/leads/1', { phone_number: '+4915112399901' });
		await first.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		await first.control.advance('PT40S');
		const begun = await callsOf(first.alice);
		expect(begun.some((call) => call.status === 'in-progress')).toBe(true);
		expect(begun.some((call) => call.status === 'no-answer')).toBe(true);
		expect(begun.length).toBeLessThan(13);
		const toldBefore = receiver.arrivals.length;
		await first.kill();

		const second = await start();
		expect(await callsOf(second.alice)).toEqual(begun);
		expect(receiver.arrivals).toHaveLength(toldBefore);
		await second.control.advance('P1D');
		const calls = await callsOf(second.alice);
		const statuses = calls.map((call) => call.status);
		expect(statuses.filter((status) => status === 'completed')).toHaveLength(12);
		expect(statuses.filter((status) => status === 'no-answer')).toHaveLength(3);
		expect(statuses).toHaveLength(15);
		for (const call of calls) expect(call.webhook_response).toMatchObject({ status: 200 });
		const told = receiver.arrivals.map((arrival) => arrival.body.id);
		expect(told.sort()).toEqual(calls.map((call) => call.id).sort());
	});

	it('a webhook that was on its way is delivered after the restart', async () => {
		const first = await start();
		await enableWebhook(first.alice, 1, receiver.url);
		receiver.respondWith(() => undefined);
		await first.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		const advancing = first.control.advance(A_CALL).catch(() => undefined);
		await receiver.arrived(1);
		await first.kill();
		await advancing;

		receiver.respondWith((_arrival, response) => response.writeHead(200).end('{}'));
		const second = await start();
		await second.control.advance('PT1S');
		await receiver.arrived(2);
		await second.control.advance('PT1M');
		expect(receiver.arrivals).toHaveLength(2);
		expect(receiver.arrivals[1]?.body).toEqual(receiver.arrivals[0]?.body);
		expect((await callsOf(second.alice))[0]?.webhook_response).toMatchObject({ status: 200 });
	});

	it('a tool that was being asked is asked again with the same arguments, and the call goes on', async () => {
		const first = await start();
		await updateTool(first.alice, 1, {
			method: 'POST',
			endpoint: receiver.url,
			schema: [{ name: 'guests', type: 'number', description: 'How many guests come' }],
		});
		receiver.respondWith(() => undefined);
		await first.control.outbound({ assistant_id: 1, to: '+4915112345611', tool: {} });
		const advancing = first.control.advance(A_CALL).catch(() => undefined);
		await receiver.arrived(1);
		await first.kill();
		await advancing;

		receiver.respondWith((_arrival, response) => response.end('A table is free.'));
		const second = await start();
		await receiver.arrived(2);
		await second.control.advance(A_CALL);
		expect(receiver.arrivals).toHaveLength(2);
		expect(receiver.arrivals[1]?.body).toEqual(receiver.arrivals[0]?.body);
		expect(await second.control.toolRequests()).toMatchObject([{ id: 1, state: 'answered' }]);
		expect(await callsOf(second.alice)).toMatchObject([{ status: 'completed', duration: 60 }]);
		expect(await newestTranscript(second.alice)).toContain('Assistant: A table is free.');
	});

	it('a call whose tool has answered goes on after the restart, and the tool is not asked again', async () => {
		const first = await start();
		await updateTool(first.alice, 1, { endpoint: receiver.url });
		receiver.respondWith((_arrival, response) => response.end('A table is free.'));
		await first.control.outbound({ assistant_id: 1, to: '+4915112345611', tool: {} });
		await first.control.advance('PT20S');
		expect(receiver.arrivals).toHaveLength(1);
		await first.kill();

		const second = await start();
		await second.control.advance(A_CALL);
		expect(receiver.arrivals).toHaveLength(1);
		expect(await callsOf(second.alice)).toMatchObject([{ status: 'completed', duration: 60 }]);
		expect(await newestTranscript(second.alice)).toContain('Assistant: A table is free.');
	});

	it('a speed that is not right is refused for kept data, too', async () => {
		const first = await start();
		await first.interrupt();
		const kept = ['--data', join(folder(), 'state.db')];
		const { code, stderr } = await runToEnd(
			...['--port', '0', '--clock', 'accelerated', '--speed', '0', ...kept],
		);
		expect([code, stderr]).toEqual([2, expect.stringMatching(/speed.*above 0/)]);
	});

	it('an interrupted sandbox ends with code 0, and starts again with its data', async () => {
		const first = await start();
		await first.alice.put('/user/assistant/1', { assistant_name: 'Kept' });
		expect(await first.interrupt()).toBe(0);
		expect(await assistantRecord((await start()).alice, 1)).toMatchObject({ name: 'Kept' });
	});
});
