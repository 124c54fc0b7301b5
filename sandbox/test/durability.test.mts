import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSandboxClient } from '../client.mts';
import { onlyInFull } from '../../test/support/sample.mts';
import { A_CALL, assistantRecord, getCalls, enableWebhook } from './support/calls.mts';
import { getId, getRows, serviceClient, type ServiceClient } from './support/client.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { folderPerTest, processesPerTest } from './support/process.mts';
import { startReceiver } from './support/receiver.mts';
import { ALICE, newAssistant, newTool, twoUsers } from './support/seed.mts';
import type { Service } from './support/service.mts';
import { startOwnService } from './support/testService.mts';
import { newestTranscript, updateTool } from './support/toolCalls.mts';

const { startProcess } = processesPerTest();
const folder = folderPerTest();
const receiver = await startReceiver();
beforeEach(() => receiver.clear());
afterAll(() => receiver.close());

const dataFile = () => join(folder(), 'state.db');

/** Starts the command line with a data file, the seed of two users, and a manual clock. */
async function startFirst() {
	const seed = join(folder(), 'seed.json');
	await writeFile(seed, JSON.stringify(twoUsers()));
	const options = ['--data', dataFile(), '--seed', seed, '--clock', 'manual'];
	const sandbox = await startProcess(...options);
	return {
		...sandbox,
		alice: serviceClient(sandbox.url, ALICE),
		control: createSandboxClient(sandbox.control),
	};
}
/** Starts again with the data file, in this process. */
const startSecond = () => startOwnService({ dataFile: dataFile() });

/** Lets assistant 1 call somebody, and kills the sandbox while the receiver has not answered. */
async function killDuringCall(
	first: Awaited<ReturnType<typeof startFirst>>,
	fields: JsonObject = {},
): Promise<void> {
	receiver.respondWith(() => undefined);
	await first.control.outbound({ assistant_id: 1, to: '+4915112345611', ...fields });
	const advancing = first.control.advance(A_CALL).catch(() => undefined);
	await receiver.arrived(1);
	await first.kill();
	await advancing;
}

describe('kill -9 right after an answer, and start again', () => {
	onlyInFull(it)(
		'everything that was acknowledged is there: records, ids, balance, quota',
		async () => {
			const first = await startFirst();
			const { alice } = first;
			const tool = getId(await alice.post('/user/tools', newTool));
			const fields = { ...newAssistant, tool_ids: [tool] };
			const assistant = getId(await alice.post('/user/assistant', fields));
			await enableWebhook(alice, assistant, 'https://example.com/hook');
			const inboundWebhook = { assistant_id: 2, webhook_url: 'https://example.com/in' };
			await alice.post('/user/assistants/enable-inbound-webhook', inboundWebhook);
			const newLead = { campaign_id: 1, phone_number: '+4915112345699' };
			await alice.post('/user/lead', newLead);
			await alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' });
			const everything = async ({ alice, control }: Pick<Service, 'alice' | 'control'>) => [
				getRows(await alice.get('/user/assistants/get')),
				...(await Promise.all(
					['leads', 'tools', 'messages', 'users/1'].map(
						async (path) => (await control.request('GET', `/records/${path}`)).body,
					),
				)),
			];
			const before = await everything(first);
			expect(before.at(-1)).toMatchObject({ balance: 9.92 });
			const rename = (client: ServiceClient, assistant_name: string) =>
				client.put('/user/assistant/1', { assistant_name });
			await rename(alice, 'The very last write');
			await first.kill();

			await using second = await startSecond();
			const again = second.alice;
			expect(await assistantRecord(again, 1)).toMatchObject({ name: 'The very last write' });
			await rename(again, 'Caller');
			expect(await everything(second)).toEqual(before);
			expect((await again.post('/user/lead', newLead)).status).toBe(422);
			const tools = [1, 2, tool];
			for (let free = 0; free < 2; free += 1)
				tools.push(getId(await again.post('/user/tools', newTool)));
			expect(new Set(tools).size).toBe(5);
			expect((await again.post('/user/tools', newTool)).status).toBe(422);
		},
	);

	it('in the middle of many writes: those that were answered are there, once each', async () => {
		const first = await startFirst();
		const answered: number[] = [];
		/** Writes until the sandbox no longer responds. */
		const write = async (): Promise<never> => {
			for (;;) {
				answered.push(getId(await first.alice.post('/user/assistant', newAssistant)));
				if (answered.length === 20) void first.kill();
			}
		};
		await Promise.allSettled(Array.from({ length: 10 }, write));
		await first.kill();
		expect(answered.length).toBeGreaterThanOrEqual(20);

		await using second = await startSecond();
		const there: unknown[] = [];
		for (let page = 1, last = 1; page <= last; page += 1) {
			const response = await second.alice.get('/user/assistants/get', { per_page: 100, page });
			there.push(...getRows(response).map((row) => row.id));
			last = Number(asObject(response.body, 'list').last_page);
		}
		expect(there).toEqual(expect.arrayContaining(answered));
		expect(new Set(there).size).toBe(there.length);

		const { control, alice } = second;
		const logged = await control.requests();
		expect(logged.length).toBeGreaterThanOrEqual(answered.length);
		const events = await control.events({ kind: 'assistant-changed', limit: 1000 });
		expect(events.length).toBeGreaterThanOrEqual(answered.length);
		await alice.get('/user/calls');
		const last = (await control.requests()).at(-1);
		expect(last).toMatchObject({ operation: 'listCalls', in_flight: 1 });
		const newest = Math.max(...events.map(({ request_id }) => request_id ?? 0));
		expect(last?.id).toBeGreaterThan(newest);
	});

	onlyInFull(it)(
		'calls in progress go on, and so does a started campaign; every webhook comes once',
		async () => {
			const first = await startFirst();
			await enableWebhook(first.alice, 1, receiver.url);
			for (let lead = 10; lead < 22; lead += 1) {
				const phone_number = `+49151123457${lead}`;
				await first.alice.post('/user/lead', { campaign_id: 1, phone_number });
			}
			// sandbox/README.md, Calls: a call to a number that ends in 99901 is not answered.
			await first.alice.put('/user/leads/1', { phone_number: '+4915112399901' });
			await first.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
			await first.control.advance('PT40S');
			const begun = await getCalls(first.alice);
			expect(begun.some((call) => call.status === 'in-progress')).toBe(true);
			expect(begun.some((call) => call.status === 'no-answer')).toBe(true);
			expect(begun.length).toBeLessThan(13);
			const toldBefore = receiver.arrivals.length;
			await first.kill();

			await using second = await startSecond();
			expect(await getCalls(second.alice)).toEqual(begun);
			expect(receiver.arrivals).toHaveLength(toldBefore);
			await second.control.advance('P1D');
			const calls = await getCalls(second.alice);
			const statuses = calls.map((call) => call.status);
			expect(statuses.filter((status) => status === 'completed')).toHaveLength(12);
			expect(statuses.filter((status) => status === 'no-answer')).toHaveLength(3);
			expect(statuses).toHaveLength(15);
			for (const call of calls) expect(call.webhook_response).toMatchObject({ status: 200 });
			const told = receiver.arrivals.map((arrival) => arrival.body.id);
			expect(told.sort()).toEqual(calls.map((call) => call.id).sort());
		},
	);

	onlyInFull(it)('a webhook that was on its way is delivered after the restart', async () => {
		const first = await startFirst();
		await enableWebhook(first.alice, 1, receiver.url);
		await killDuringCall(first);

		receiver.respond(200, '{}');
		await using second = await startSecond();
		await second.control.advance('PT1S');
		await receiver.arrived(2);
		await second.control.advance('PT1M');
		expect(receiver.arrivals).toHaveLength(2);
		expect(receiver.arrivals[1]?.body).toEqual(receiver.arrivals[0]?.body);
		expect((await getCalls(second.alice))[0]?.webhook_response).toMatchObject({ status: 200 });
	});

	it.each([
		['a tool that was being asked is asked again with the same arguments', 2],
		['a tool that has answered is not asked again', 1],
	])('%s, and the call goes on', async (_what, requests) => {
		const first = await startFirst();
		await updateTool(first.alice, 1, {
			method: 'POST',
			endpoint: receiver.url,
			schema: [{ name: 'guests', type: 'number', description: 'How many guests come' }],
		});
		receiver.respond(200, 'A table is free.');
		if (requests === 2) {
			await killDuringCall(first, { tool: {} });
		} else {
			await first.control.outbound({ assistant_id: 1, to: '+4915112345611', tool: {} });
			await first.control.advance('PT20S');
			await first.kill();
		}
		expect(receiver.arrivals).toHaveLength(1);

		receiver.respond(200, 'A table is free.');
		await using second = await startSecond();
		await receiver.arrived(requests);
		await second.control.advance(A_CALL);
		expect(receiver.arrivals).toHaveLength(requests);
		expect(receiver.arrivals.at(-1)?.body).toEqual(receiver.arrivals[0]?.body);
		expect(await second.control.toolRequests()).toMatchObject([{ id: 1, state: 'answered' }]);
		expect(await getCalls(second.alice)).toMatchObject([{ status: 'completed', duration: 60 }]);
		expect(await newestTranscript(second.alice)).toContain('Assistant: A table is free.');
	});
});
