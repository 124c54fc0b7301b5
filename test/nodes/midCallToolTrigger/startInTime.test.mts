import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeExecutionData, WorkflowExecuteMode } from 'n8n-workflow';
import { asText } from '../../../nodes/shared/values/json.ts';
import { MID_CALL_TOOL_TRIGGER } from '../../../host/n8n/names.mts';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { startTestEnvironment } from '../../support/n8n/testEnvironment.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	newestTool,
	SECRET,
	toolTrigger,
	triggerParameters,
} from '../../support/trigger/toolTrigger.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();
const { n8n } = await startTestEnvironment();

/** The fallback leaves 8 s after the request (timeout: 10 s). */
const LIMIT_MS = 8_000;

/** What the trigger gives to n8n for a tool call, as it is `ms` later. */
async function received(ms = 0): Promise<INodeExecutionData> {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	await webhookServer.serve(new EmulatedLifecycle(toolTrigger(instance))).publish();
	const { endpoint, secret } = await newestTool(environment);
	const headers = { 'content-type': 'application/json', [SECRET]: secret };
	await sendRequest(endpoint, { method: 'POST', headers, body: '{"day": "Monday"}' });
	const [item] = webhookServer.executions.at(-1)?.items ?? [];
	const until = Date.parse(asText(item?.json.answer_until)) - ms;
	return { ...item, json: { ...item?.json, answer_until: new Date(until).toISOString() } };
}

/** The same where another process has received the request, whose clock is so far behind. */
async function receivedBy(process: string, ms: number): Promise<INodeExecutionData> {
	const { fallbackTimer, ...item } = await received(ms);
	return { ...item, fallbackTimer: { ...(fallbackTimer as IDataObject), process } };
}

/** Begins the run of a tool call. */
const begin = async (
	item: INodeExecutionData,
	mode: WorkflowExecuteMode = 'webhook',
	options: IDataObject = {},
) =>
	await n8n.runNode({
		type: MID_CALL_TOOL_TRIGGER,
		parameters: triggerParameters([1], { options }),
		wholeItems: [item],
		mode,
	});

describe('the run of a tool call', () => {
	it('fails at the trigger when its turn comes after the fallback', async () => {
		const item = await received(LIMIT_MS + 1);
		const { error, output } = await begin(item);
		expect(error).toMatchObject({
			message: `The assistant had already got the fallback, at ${asText(item.json.answer_until)}`,
			description: expect.stringContaining('retry this execution'),
		});
		expect(output[0]).toEqual([]);
	});

	it.each<[string, () => Promise<Parameters<typeof begin>>]>([
		['the assistant waits', async () => [await received()]],
		['the item has no time', () => Promise.resolve([{ json: {} }])],
		['somebody retries it', async () => [await received(LIMIT_MS + 1), 'retry']],
		['it is a run of the editor', async () => [await received(LIMIT_MS + 1), 'manual']],
		[
			'Start When Late is on',
			async () => [await received(LIMIT_MS + 1), 'webhook', { startWhenLate: true }],
		],
	])('begins with its item where %s', async (_, run) => {
		const [item, ...rest] = await run();
		const { error, output } = await begin(item, ...rest);
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json)).toEqual([item.json]);
	});
});

describe('the run of a tool call on a worker', () => {
	it.each([
		['10 s ahead', 10_000],
		['10 s behind', -10_000],
	])('has the time of the fallback by its own clock, which is %s', async (name, ms) => {
		const before = Date.now();
		const { error, output } = await begin(await receivedBy(name, ms));
		expect(error).toBeUndefined();
		const untilMs = Date.parse(asText(output[0][0]?.json.answer_until));
		expect(untilMs).toBeGreaterThanOrEqual(before + LIMIT_MS);
		expect(untilMs).toBeLessThanOrEqual(Date.now() + LIMIT_MS);
	});

	it('fails when it waited for its turn longer than another one by the time limit', async () => {
		await begin(await receivedBy('main', 10_000));
		const late = await begin(await receivedBy('main', 10_000 + LIMIT_MS + 1_000));
		expect(late.error?.message).toMatch(/^The assistant had already got the fallback, at /);
		const { error } = await begin(await receivedBy('main', 10_000 + LIMIT_MS - 1_000));
		expect(error).toBeUndefined();
	});
});
