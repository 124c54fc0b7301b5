import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { withoutOrigin } from '../../support/logLine.mts';
import { operationNamed } from '../../support/n8n/operations.mts';
import { stubServersPerTest, type StubResponse } from '../../support/n8n/stubServer.mts';
import { created, n8nAt } from '../../support/n8n/stubService.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { EmulatedPollNode } from '../../support/trigger/emulatedPollNode.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { getFailure, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	newestTool,
	SECRET,
	toolTrigger,
	triggerParameters,
} from '../../support/trigger/toolTrigger.mts';
import { onAssistant, TriggerNode } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import { onlyInFull } from '../../support/sample.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();
const startStub = stubServersPerTest();
afterEach(() => {
	jest.restoreAllMocks();
});

const ALMOST_AN_HOUR_MS = 3_500_000;
const MORE_MS = 200_000;

/** The infos and warnings of a trigger, in one list. */
function trigger(parameters: ReturnType<typeof onAssistant>) {
	const instance = environment.instance({ webhookUrl: webhookServer.url });
	instance.infos = instance.warnings;
	const lifecycle = new EmulatedLifecycle(new TriggerNode(instance, { parameters }));
	return { lifecycle: webhookServer.serve(lifecycle), lines: instance.warnings };
}

const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
	const { status } = await sendRequest(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	return status;
};

/** Does something three times in an hour, and once more after it. */
async function fourTimes(work: () => Promise<unknown>) {
	for (const afterMs of [0, 1_000, ALMOST_AN_HOUR_MS, MORE_MS]) {
		advanceClock(afterMs);
		await work();
	}
}

const once = (line: string) => [
	expect.stringMatching(new RegExp(`^${line}`)),
	expect.stringMatching(new RegExp(`^${line}.* Since the last such line: 2 more\\.$`)),
];

describe('what fails again and again is a warning, and then one an hour with a count', () => {
	const REFUSED = 'A request got 401, because its token is missing or is not that of';

	it('a delivery with a wrong token', async () => {
		const { lifecycle, lines } = trigger(onAssistant(1, 'callCompleted'));
		await lifecycle.publish();
		const url = (await environment.webhookUrl()) ?? '';
		await fourTimes(async () => {
			expect(await post(url.replace(/token=.*/, ''), { id: 1 })).toBe(401);
		});
		expect(lines).toEqual(once(REFUSED));
	});

	it('a tool call with a wrong token', async () => {
		const instance = environment.instance({ id: 'tools', webhookUrl: webhookServer.url });
		const node = toolTrigger(instance, { parameters: triggerParameters([1]) });
		await webhookServer.serve(new EmulatedLifecycle(node)).publish();
		const { endpoint } = await newestTool(environment);
		await fourTimes(async () => {
			expect(await post(endpoint, { day: 'Monday' }, { [SECRET]: 'wrong' })).toBe(401);
		});
		expect(instance.warnings).toEqual(once(REFUSED));
	});

	it('a poll', async () => {
		const empty = { body: { current_page: 1, data: [], last_page: 1, total: 0 } };
		let response: StubResponse = empty;
		const server = await startStub(() => response);
		const poller = new EmulatedPollNode(n8nAt(server));
		await poller.publish();
		response = { status: 401, body: { message: 'No.' } };
		await fourTimes(() => getFailure(withoutWaits(() => poller.poll())));
		expect(poller.warnings).toEqual(
			once('A poll failed: Authorization failed: The service did not accept the API token: No'),
		);
	});
});

it('a publish whose URL has a prefix says that the proxy must remove it', async () => {
	for (const [path, lines] of [
		['', []],
		['/n8n', [expect.stringMatching(/has \/n8n in front of \/webhook\/.* N8N_PATH/)]],
	] as const) {
		const instance = environment.instance({ webhookUrl: `https://n8n.example.com${path}` });
		instance.infos = [];
		const node = new TriggerNode(instance, { parameters: onAssistant(2, 'callCompleted') });
		const lifecycle = new EmulatedLifecycle(node);
		await lifecycle.publish();
		await lifecycle.unpublish();
		expect(instance.infos).toEqual(lines);
	}
});

onlyInFull(it)(
	'a healthy day of 1,000 calls, each with an SMS that takes long, writes fewer than ten lines',
	async () => {
		const { lifecycle, lines } = trigger(onAssistant(1, 'callCompleted'));
		await lifecycle.publish();
		const url = (await environment.webhookUrl()) ?? '';
		const server = await startStub(() => {
			// Longer than the time after which a run reports how far it is.
			advanceClock(6_000);
			// A provider that leaves fields out does so in each answer.
			return { body: created() };
		});
		const log = (line: string) => void lines.push(withoutOrigin(line));
		const logger: Partial<ExecuteContext['logger']> = { warn: log, info: log };
		jest
			.spyOn(ExecuteContext.prototype, 'logger', 'get')
			.mockReturnValue(logger as ExecuteContext['logger']);
		const n8n = n8nAt(server);
		for (let id = 1; id <= 1_000; id++) {
			const call = { id, status: 'completed', duration: 30, client_phone_number: '+4915112345611' };
			expect(await post(url, call)).toBe(200);
			const { error } = await n8n.runNode({
				parameters: operationNamed('sms: send').parameters,
			});
			expect(error).toBeUndefined();
		}
		expect(webhookServer.items).toHaveLength(1_000);
		expect(server.requests).toHaveLength(1_000);
		expect(lines.length).toBeLessThan(10);
	},
);
