import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSandboxClient } from '../client.mts';
import { onlyInFull } from '../../test/support/sample.mts';
import { A_CALL, getCalls, enableWebhook } from './support/calls.mts';
import { getId, getRows, serviceClient } from './support/client.mts';
import { asObject, type JsonObject } from './support/contract.mts';
import { folderPerTest, processesPerTest } from './support/process.mts';
import { startReceiver } from './support/receiver.mts';
import { ALICE, newAssistant, twoUsers } from './support/seed.mts';
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

onlyInFull(describe)('kill -9 right after an answer, and start again', () => {
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

	it('calls in progress go on, and so does a started campaign; every webhook comes once', async () => {
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
