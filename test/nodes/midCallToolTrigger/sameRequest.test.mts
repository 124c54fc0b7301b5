import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { ANSWER_HEADER } from '../../../nodes/shared/answers/answer.ts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { flushEventLoop } from '../../support/eventLoop.mts';
import { TurnedClock } from '../../support/n8n/turnedClock.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { failureMessage, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	newestTool,
	SECRET,
	toolTrigger,
	triggerParameters,
} from '../../support/trigger/toolTrigger.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

const FALLBACK = { answer: 'I cannot look that up at the moment.' };
const MONDAY = { day: 'Monday' };
const JANE = { 'X-Call-Customer-Phone': '+4915112345611', 'X-Call-Assistant-Id': '1' };

/** The responses of the workflows that run, oldest first. */
let running: ServerResponse[];
beforeEach(() => {
	running = [];
	webhookServer.respond = (response) => void running.push(response);
});

/** What n8n does when the workflow that was started last answers. */
const answer = (text: string) => {
	const response = running.at(-1);
	response?.setHeader(ANSWER_HEADER, 'true');
	response?.end(JSON.stringify({ answer: text }));
};

/** What n8n does when it fails. */
const fail = () => {
	const response = running.at(-1);
	if (response) response.statusCode = 500;
	response?.end('{"message":"Error in workflow"}');
};

/** A published tool, and how an assistant calls it. */
async function publishedTool(parameters: IDataObject = {}) {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	const all = triggerParameters([1], parameters);
	const lifecycle = new EmulatedLifecycle(toolTrigger(instance, { parameters: all }));
	webhookServer.serve(lifecycle);
	await lifecycle.publish();
	const { endpoint, secret } = await newestTool(environment);
	const ask = async (
		body: object = MONDAY,
		caller: Record<string, string> = JANE,
		signal?: AbortSignal,
	) => {
		const response = await sendRequest(endpoint, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [SECRET]: secret, ...caller },
			body: JSON.stringify(body),
			signal,
		});
		return response.body;
	};
	/** Asks, and answers when the workflow has started, if it starts. */
	const askAndAnswer = async (text: string, ...request: Parameters<typeof ask>) => {
		const before = running.length;
		const asked = ask(...request);
		await flushEventLoop();
		if (running.length > before) answer(text);
		return await asked;
	};
	return { lifecycle, node: lifecycle.node, ask, askAndAnswer };
}

describe('the same request of the same caller', () => {
	it('gets the answer of the first one for a minute, and starts no second execution', async () => {
		const { askAndAnswer } = await publishedTool();
		expect(await askAndAnswer('Ten')).toEqual({ answer: 'Ten' });
		advanceClock(58_000);
		expect(await askAndAnswer('Eleven')).toEqual({ answer: 'Ten' });
		advanceClock(2_000);
		expect(await askAndAnswer('Twelve')).toEqual({ answer: 'Twelve' });
	});

	it('gets it also after somebody wanted to listen for a test event', async () => {
		const { lifecycle, askAndAnswer } = await publishedTool();
		await askAndAnswer('One');
		expect(await failureMessage(lifecycle.listen())).toContain('This workflow is published');
		expect(await askAndAnswer('Two')).toEqual({ answer: 'One' });
	});

	it.each([
		[0, 1_000, 'Two'],
		[300, 299_000, 'One'],
		[300, 300_000, 'Two'],
	])('has Same Answer For of %d seconds: after %d ms, it hears %s', async (seconds, ms, heard) => {
		const { askAndAnswer } = await publishedTool({ options: { sameAnswerSeconds: seconds } });
		await askAndAnswer('One');
		advanceClock(ms);
		expect(await askAndAnswer('Two')).toEqual({ answer: heard });
	});

	it('waits while the first one runs, and both get its answer', async () => {
		const { ask } = await publishedTool();
		const both = [ask(), ask()];
		await flushEventLoop();
		expect(running).toHaveLength(1);
		answer('Ten');
		expect(await Promise.all(both)).toEqual([{ answer: 'Ten' }, { answer: 'Ten' }]);
	});

	it('gets the late answer of a workflow that goes on after its fallback', async () => {
		const { ask } = await publishedTool();
		using clock = new TurnedClock();
		const first = ask();
		await flushEventLoop();
		await clock.advanceUntilSettled(first);
		expect(await first).toEqual(FALLBACK);
		const second = ask();
		await flushEventLoop();
		answer('Ten');
		expect(await second).toEqual({ answer: 'Ten' });
		expect(await ask()).toEqual({ answer: 'Ten' });
		expect(running).toHaveLength(1);
	});

	it('gets the fallback after its own time limit', async () => {
		const { ask } = await publishedTool();
		using clock = new TurnedClock();
		const first = ask();
		await flushEventLoop();
		await clock.advanceUntilSettled(first);
		const second = ask();
		const waitedMs = await clock.advanceUntilSettled(second);
		expect(Math.round(waitedMs / 1_000)).toBe(8);
		expect(await second).toEqual(FALLBACK);
		expect(running).toHaveLength(1);
	});

	it('gets the fallback when the workflow fails, and starts one of its own afterwards', async () => {
		const { ask, askAndAnswer } = await publishedTool();
		const both = [ask(), ask()];
		await flushEventLoop();
		fail();
		expect(await Promise.all(both)).toEqual([FALLBACK, FALLBACK]);
		expect(await askAndAnswer('Ten')).toEqual({ answer: 'Ten' });
		expect(running).toHaveLength(2);
	});

	it('gets the answer when the first connection was closed', async () => {
		const { ask } = await publishedTool();
		const assistant = new AbortController();
		const closed = ask(MONDAY, JANE, assistant.signal).catch(() => 'closed');
		await flushEventLoop();
		assistant.abort();
		expect(await closed).toBe('closed');
		const second = ask();
		await flushEventLoop();
		answer('Ten');
		expect(await second).toEqual({ answer: 'Ten' });
		expect(running).toHaveLength(1);
	});
});

describe('a request starts an execution of its own', () => {
	it.each<[string, object, Record<string, string>]>([
		['with other parameters', { day: 'Friday' }, JANE],
		['of another caller', MONDAY, { ...JANE, 'X-Call-Customer-Phone': '+4915112345612' }],
	])('%s', async (_, body, caller) => {
		const { askAndAnswer } = await publishedTool();
		await askAndAnswer('One');
		expect(await askAndAnswer('Two', body, caller)).toEqual({ answer: 'Two' });
	});

	it.each([
		...['0', '00', '266696687', '+266696687', 'anonymous', 'Private 1', '12345'],
		'sip:anonymous@10.0.0.1',
	])('where the number is hidden: %s', async (hidden) => {
		const { askAndAnswer } = await publishedTool();
		const caller = { ...JANE, 'X-Call-Customer-Phone': hidden };
		await askAndAnswer('One', MONDAY, caller);
		expect(await askAndAnswer('Two', MONDAY, caller)).toEqual({ answer: 'Two' });
	});

	it('where only the number is told from which the call came: it is the same for all that the assistant calls', async () => {
		const detail = [{ name: 'from_number', placeholder: 'from_number' }];
		const { askAndAnswer } = await publishedTool({ options: { callDetailNames: { detail } } });
		const caller = { 'X-Call-From-Number': '+4915112345601' };
		await askAndAnswer('One', MONDAY, caller);
		expect(await askAndAnswer('Two', MONDAY, caller)).toEqual({ answer: 'Two' });
	});

	it.each<[string, IDataObject, Record<string, string>]>([
		['does not say who calls', {}, { 'X-Call-Assistant-Id': '1' }],
		['does not fill in who calls', {}, { ...JANE, 'X-Call-Customer-Phone': '{{customer_phone}}' }],
		['is not asked for it', { options: { callDetails: false } }, JANE],
	])('where the service %s', async (_, parameters, caller) => {
		const { askAndAnswer } = await publishedTool(parameters);
		await askAndAnswer('One', MONDAY, caller);
		expect(await askAndAnswer('Two', MONDAY, caller)).toEqual({ answer: 'Two' });
	});

	it('after the workflow was published again, or another node of it has changed', async () => {
		const { lifecycle, node, askAndAnswer } = await publishedTool();
		await askAndAnswer('One');
		await lifecycle.unpublish();
		await lifecycle.publish();
		expect(await askAndAnswer('Two')).toEqual({ answer: 'Two' });
		node.settings.nextParameters = { resource: 'sms' };
		expect(await askAndAnswer('Three')).toEqual({ answer: 'Three' });
	});
});

it('the ID of a call tells which call it is', async () => {
	const detail = [{ name: 'call_id', placeholder: 'call_id' }];
	const { askAndAnswer } = await publishedTool({ options: { callDetailNames: { detail } } });
	await askAndAnswer('One', MONDAY, { 'X-Call-Call-Id': '7' });
	expect(await askAndAnswer('Two', MONDAY, { 'X-Call-Call-Id': '7' })).toEqual({ answer: 'One' });
	expect(await askAndAnswer('Two', MONDAY, { 'X-Call-Call-Id': '8' })).toEqual({ answer: 'Two' });
});
