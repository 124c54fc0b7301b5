import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { A_CALL, assistantRecord, callsOf, enableWebhook } from '../support/sandbox-calls.mts';
import { idOf, serviceClient } from '../support/sandbox-client.mts';
import { finishedProcess, startProcess, type SandboxProcess } from '../support/sandbox-process.mts';
import { startReceiver, type Receiver } from '../support/sandbox-receiver.mts';
import { controlOf } from '../support/sandbox-service.mts';
import { ALICE, newAssistant, newTool, twoUsers } from '../support/sandbox-world.mts';

let folder: string;
let receiver: Receiver;
let running: SandboxProcess[];
beforeAll(async () => {
	receiver = await startReceiver();
});
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
	running = [];
	receiver.forget();
});
afterEach(async () => {
	await Promise.all(running.map((sandbox) => sandbox.kill()));
	await rm(folder, { recursive: true, force: true });
});
afterAll(() => receiver.close());

/** Starts the command line with Alice's world in a data file, on a clock that only moves when told to. */
async function start() {
	const seed = join(folder, 'seed.json');
	await writeFile(seed, JSON.stringify(twoUsers()));
	const sandbox = await startProcess('--data', join(folder, 'state.db'), '--seed', seed, '--clock', 'manual');
	running.push(sandbox);
	return {
		...sandbox,
		alice: serviceClient(sandbox.url, ALICE),
		bob: serviceClient(sandbox.url, 'bob-token'),
		control: controlOf(sandbox.control),
	};
}

describe('kill -9 right after an answer, and start again', () => {
	it('everything that was acknowledged is there', async () => {
		const first = await start();
		const assistant = idOf(await first.alice.post('/user/assistant', { ...newAssistant, assistant_name: 'Survivor' }));
		const tool = idOf(await first.alice.post('/user/tools', newTool));
		await first.alice.put(`/user/assistant/${assistant}`, { tool_ids: [tool] });
		await enableWebhook(first.alice, assistant, 'https://example.com/hook');
		await first.alice.post('/user/assistants/enable-inbound-webhook', { assistant_id: 2, webhook_url: 'https://example.com/in' });
		const lead = idOf(await first.alice.post('/user/lead', { campaign_id: 1, phone_number: '+4915112345699' }));
		await first.kill();

		const second = await start();
		expect(await assistantRecord(second.alice, assistant)).toMatchObject({
			name: 'Survivor',
			is_webhook_active: true,
			webhook_url: 'https://example.com/hook',
			tools: [expect.objectContaining({ id: tool })],
		});
		expect(await assistantRecord(second.alice, 2)).toMatchObject({ inbound_webhook_url: 'https://example.com/in' });
		expect((await second.alice.put(`/user/leads/${lead}`, {})).status).toBe(200);
		const duplicate = await second.alice.post('/user/lead', { campaign_id: 1, phone_number: '+4915112345699' });
		expect(duplicate.status).toBe(422);
	});

	it('the very last write is there, whichever it was', async () => {
		for (let round = 1; round <= 3; round += 1) {
			const sandbox = await start();
			const answer = await sandbox.alice.put('/user/assistant/1', { assistant_name: `Round ${round}` });
			await sandbox.kill();
			expect(answer.status).toBe(200);
			const again = await start();
			expect(await assistantRecord(again.alice, 1)).toMatchObject({ name: `Round ${round}` });
			await again.kill();
		}
	});

	it('ids are not given twice, and the seed is not sown again', async () => {
		const first = await start();
		const ids = [idOf(await first.alice.post('/user/tools', newTool))];
		await first.alice.put('/user/assistant/1', { assistant_name: 'Changed' });
		await first.kill();
		const second = await start();
		ids.push(idOf(await second.alice.post('/user/tools', newTool)));
		expect(new Set(ids).size).toBe(2);
		expect(await assistantRecord(second.alice, 1)).toMatchObject({ name: 'Changed' });
	});

	it('the balance stays spent and the quota used', async () => {
		const first = await start();
		for (let sent = 0; sent < 125; sent += 1) {
			await first.alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' });
		}
		for (let tool = 0; tool < 3; tool += 1) await first.alice.post('/user/tools', newTool);
		await first.kill();
		const second = await start();
		const sms = await second.alice.post('/user/sms', { from: 1, to: '+4915112345699', body: 'Hello' });
		expect(sms.body).toEqual({ message: 'Insufficient balance to send SMS' });
		expect((await second.alice.post('/user/tools', newTool)).status).toBe(422);
	});

	it('a call in progress goes on, and its webhook is delivered once', async () => {
		const first = await start();
		await enableWebhook(first.alice, 1, receiver.url);
		await first.control.outbound({ assistant_id: 1, to: '+4915112345611', lead_id: 1 });
		await first.control.advance('PT1S');
		const [before] = await callsOf(first.alice);
		await first.kill();

		const second = await start();
		expect((await callsOf(second.alice))[0]).toEqual(before);
		await second.control.advance(A_CALL);
		const [after] = await callsOf(second.alice);
		expect(['completed', 'ended', 'ended_by_customer', 'ended_by_assistant']).toContain(after?.status);
		expect(receiver.arrivals.map((arrival) => arrival.body.id)).toEqual([before?.id]);
		expect(after?.webhook_response).toMatchObject({ status: 200 });
	});

	it('a started campaign goes on with the leads it has not called yet', async () => {
		const first = await start();
		for (let lead = 0; lead < 12; lead += 1) {
			await first.alice.post('/user/lead', { campaign_id: 1, phone_number: `+49151123457${10 + lead}` });
		}
		await first.alice.post('/user/campaigns/update-status', { campaign_id: 1, action: 'start' });
		await first.control.advance('PT2S');
		const begun = (await callsOf(first.alice)).length;
		expect(begun).toBeGreaterThan(0);
		expect(begun).toBeLessThan(13);
		await first.kill();

		const second = await start();
		await second.control.advance('P1D');
		const numbers = (await callsOf(second.alice)).map((call) => call.client_phone_number);
		expect(new Set(numbers).size).toBe(13);
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
		const [one, two] = receiver.arrivals;
		expect(two?.body).toEqual(one?.body);
		await second.control.advance('PT1M');
		expect(receiver.arrivals).toHaveLength(2);
		expect((await callsOf(second.alice))[0]?.webhook_response).toMatchObject({ status: 200 });
	});

	it('an interrupted sandbox ends with code 0 and starts again with its data', async () => {
		const first = await start();
		await first.alice.put('/user/assistant/1', { assistant_name: 'Kept' });
		expect(await first.interrupt()).toBe(0);
		const second = await start();
		expect(await assistantRecord(second.alice, 1)).toMatchObject({ name: 'Kept' });
	});
});

describe('the command line', () => {
	it('with --json says one line, and nothing else', async () => {
		const sandbox = await startProcess();
		running.push(sandbox);
		expect(JSON.parse(sandbox.line)).toEqual({
			url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
			token: 'sandbox-token',
			control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/__sandbox$/),
		});
		expect((await serviceClient(sandbox.url, sandbox.token).get('/user/assistants/get')).status).toBe(200);
		expect(await sandbox.interrupt()).toBe(0);
	});

	it.each([
		['YAML', 'seed.yaml', stringify],
		['YAML', 'seed.yml', stringify],
		['JSON', 'seed.json', JSON.stringify],
	])('takes a seed in %s (%s)', async (_format, name, write) => {
		const file = join(folder, name);
		await writeFile(file, write({ users: [{ token: 'mine', voices: [{ id: 7, name: 'Vera' }], assistants: [{ ...newAssistant, id: 70, voice_id: 7 }] }] }));
		const sandbox = await startProcess('--seed', file);
		running.push(sandbox);
		expect(sandbox.token).toBe('mine');
		expect(await assistantRecord(serviceClient(sandbox.url, 'mine'), 70)).toMatchObject({ voice_id: 7 });
	});

	it.each([
		['a file that is not there', undefined, /nowhere\.yaml/],
		['broken YAML', 'users: [', /\w/],
		['no users', '{}', /users/],
		['a user without a token', 'users: [{ balance: 5 }]', /token/],
		['a balance that is no number', 'users: [{ token: t, balance: lots }]', /balance/],
		['a field that does not exist', 'users: [{ token: t, assitants: [] }]', /assitants/],
		['an assistant that breaks the contract', stringify({ users: [{ token: 't', assistants: [{ ...newAssistant, id: 1, speech_speed: 9 }] }] }), /speech_speed/],
		['a campaign of an unknown assistant', 'users: [{ token: t, campaigns: [{ id: 1, name: C, assistant_id: 5 }] }]', /assistant/],
		['two things with one id', stringify({ users: [{ token: 't', assistants: [{ ...newAssistant, id: 1 }, { ...newAssistant, id: 1 }] }] }), /\b1\b/],
		['two users with one token', 'users: [{ token: t }, { token: t }]', /token/],
	])('refuses %s as seed, in words', async (_what, text, words) => {
		const file = join(folder, text === undefined ? 'nowhere.yaml' : 'seed.yaml');
		if (text !== undefined) await writeFile(file, text);
		const { code, stdout, stderr } = await finishedProcess('--json', '--port', '0', '--seed', file);
		expect(code).not.toBe(0);
		expect(stdout).toBe('');
		expect(stderr).toMatch(words);
		expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
	});

	it('a port that is taken is said in words', async () => {
		const taken = createServer().listen(0, '127.0.0.1');
		await once(taken, 'listening');
		const { port } = taken.address() as AddressInfo;
		const { code, stdout, stderr } = await finishedProcess('--json', '--port', String(port));
		taken.close();
		expect(code).not.toBe(0);
		expect(stdout).toBe('');
		expect(stderr).toContain(String(port));
		expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
	});

	it.each([
		['an unknown option', ['--colour', 'blue']],
		['a port that is none', ['--port', 'abc']],
		['an unknown clock', ['--clock', 'sundial']],
		['a speed that is none', ['--clock', 'accelerated', '--speed', 'fast']],
		['an unknown assumption', ['--assume', 'weather=1']],
	])('refuses %s, in words', async (_what, options) => {
		const { code, stdout, stderr } = await finishedProcess('--json', ...options);
		expect(code).not.toBe(0);
		expect(stdout).toBe('');
		expect(stderr).toMatch(/\w/);
		expect(stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
	});
});
