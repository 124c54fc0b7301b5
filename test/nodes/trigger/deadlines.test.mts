import { describe, expect, it } from '@jest/globals';
import { EmulatedLifecycle, type N8nVersion } from '../../support/trigger/emulatedLifecycle.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { failureMessage, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const environment = await startTriggerEnvironment();

const CRM_URL = 'https://crm.example.org/hooks/calls?key=1';

/** n8n 2.41 makes five attempts to publish, and has 84 seconds for all of them. */
const ATTEMPT_LIMIT_MS = 7_000;

const askForPause = (seconds: number) => ({
	status: 429,
	headers: { 'retry-after': String(seconds) },
});

/** A trigger for completed calls, and one for inbound calls that replaces the webhook of another system. */
const first = () => new TriggerNode(environment.instance(), { parameters: onAssistant(1) });
const replacing = () =>
	new TriggerNode(environment.instance(), {
		workflowId: 'workflow-2',
		nodeId: '3c1d7a34-0000-4000-8000-000000000002',
		nodeName: 'Inbound',
		parameters: onAssistant(1, 'inboundCallCompleted', { options: { replaceExisting: true } }),
	});

/** The workflow of {@link replacing}, published. */
async function publishedReplacing(version: N8nVersion): Promise<EmulatedLifecycle> {
	await environment.register('inboundCallCompleted', CRM_URL);
	const lifecycle = new EmulatedLifecycle(replacing(), version);
	await lifecycle.publish();
	return lifecycle;
}

const inboundUrl = () => environment.webhookUrl('inboundCallCompleted');

/** Waits until the service has got a request to an operation, with or without an answer. */
async function untilAsked(
	operation: string,
	isMeant: (request: { status?: number | null }) => boolean = () => true,
): Promise<void> {
	const requests = await environment.service.control.requests();
	if (requests.some((request) => request.operation === operation && isMeant(request))) return;
	await untilAsked(operation, isMeant);
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

describe('a publish', () => {
	it.each([
		['the list', 'listAssistants'],
		['the write', 'updateAssistant'],
	])(
		'fails at once when %s wants a pause of a minute, and delete sends nothing',
		async (_, operation) => {
			const node = first();
			await environment.fault(operation, askForPause(60));
			const asked = await environment.requestedOperations(async () => {
				const ms = await elapsed(async () => {
					expect(await failureMessage(node.hook('create'))).toContain(
						'The service is receiving too many requests',
					);
					await node.hook('delete');
				});
				expect(ms).toBeLessThan(ATTEMPT_LIMIT_MS);
			});
			expect(asked.at(-1)).toBe(operation);
			expect(node.instance.warnings).toEqual([]);
		},
		90_000,
	);
});

/**
 * Publishes while the service asks for two pauses, which take almost all of the time.
 *
 * @returns how long the publish has waited
 */
async function failWithPauses(lifecycle: EmulatedLifecycle): Promise<number> {
	let waitedMs = 0;
	await environment.fault('listAssistants', askForPause(27));
	await withoutWaits(
		() => failureMessage(lifecycle.publish()),
		(ms) => {
			waitedMs += ms;
			advanceClock(ms);
		},
	);
	await environment.service.control.clearFaults();
	return waitedMs;
}

describe.each(['2.0', '2.41'] as const)('a publish in n8n %s', (version) => {
	it('shares its time among its attempts, and with unpublishing the edited version', async () => {
		const lifecycle = new EmulatedLifecycle(first(), version);
		expect(await failWithPauses(lifecycle)).toBe(54_000);
		advanceClock(4_000);
		await lifecycle.publish();
		lifecycle.node.settings.parameters = onAssistant(2);
		advanceClock(20_000);
		expect(await failWithPauses(lifecycle)).toBe(54_000);
	});

	it('has all of its time right after one that failed', async () => {
		const lifecycle = new EmulatedLifecycle(first(), version);
		await failWithPauses(lifecycle);
		advanceClock(4_000);
		expect(await failWithPauses(lifecycle)).toBe(54_000);
		advanceClock(4_000);
		await lifecycle.publish();
		expect(await environment.webhookUrl()).toContain('token=');
	});

	it('takes no time away from an unpublish, although it failed right before', async () => {
		const lifecycle = new EmulatedLifecycle(first(), version);
		await failWithPauses(lifecycle);
		advanceClock(10_000);
		await failWithPauses(lifecycle);
		advanceClock(5_000);
		const asked = await environment.requestedOperations(() => lifecycle.unpublish());
		expect(asked).toEqual(['listAssistants']);
		expect(lifecycle.node.instance.warnings).toEqual([]);
	});
});

describe.each(['2.0', '2.41'] as const)('unpublishing in n8n %s', (version) => {
	it('succeeds while another workflow is published on the same assistant and has to pause', async () => {
		const second = await publishedReplacing(version);
		const publishing = new EmulatedLifecycle(first(), version);
		await environment.fault('updateAssistant', { ...askForPause(60), times: 1 });
		const published = publishing.publish().catch(() => undefined);
		await untilAsked('updateAssistant');
		await second.unpublish();
		await published;
		expect(second.node.instance.warnings).toEqual([]);
		expect(await inboundUrl()).toBe(CRM_URL);
		// n8n 2.0 does not try again.
		expect(await environment.webhookUrl()).toEqual(
			version === '2.0' ? null : expect.stringContaining('token='),
		);
	});

	it('is over before a publish asks whether the trigger is registered', async () => {
		const lifecycle = new EmulatedLifecycle(first(), version);
		await lifecycle.publish();
		await environment.fault('updateAssistant', { delay_ms: 1_000, times: 1 });
		// n8n gives up an unpublish that takes long, and does not wait for it.
		const unpublished = lifecycle.unpublish();
		await untilAsked('updateAssistant', ({ status }) => !status);
		await lifecycle.publish();
		await unpublished;
		expect(await environment.webhookUrl()).toContain('token=');
	});

	it('waits for a pause of almost a minute, also with two triggers on one assistant', async () => {
		const second = await publishedReplacing(version);
		const other = new EmulatedLifecycle(first(), version);
		await other.publish();
		await environment.fault('enableInboundWebhook', { ...askForPause(55), times: 1 });
		await environment.fault('updateAssistant', { ...askForPause(55), times: 1 });
		await withoutWaits(() => Promise.all([second.unpublish(), other.unpublish()]));
		expect(await inboundUrl()).toBe(CRM_URL);
		expect(await environment.webhookUrl()).toBeNull();
	});

	it('waits for a pause before an edited version is published', async () => {
		const lifecycle = await publishedReplacing(version);
		lifecycle.node.settings.parameters = onAssistant(2, 'inboundCallCompleted');
		await environment.fault('enableInboundWebhook', { ...askForPause(55), times: 1 });
		await withoutWaits(() => lifecycle.publish());
		expect(await inboundUrl()).toBe(CRM_URL);
		expect(await environment.webhookUrl('inboundCallCompleted', 2)).toContain('token=');
	});

	it('sends nothing when its time is over, and says in the log how to repair it', async () => {
		const lifecycle = await publishedReplacing(version);
		let waitedMs = 0;
		await environment.fault('enableInboundWebhook', askForPause(40));
		const asked = await environment.requestedOperations(async () => {
			await withoutWaits(
				() => lifecycle.unpublish(),
				(ms) => {
					waitedMs += ms;
					advanceClock(ms);
				},
			);
		});
		expect(waitedMs).toBe(40_000);
		expect(asked).toEqual(['listAssistants', 'enableInboundWebhook', 'enableInboundWebhook']);
		expect(lifecycle.node.instance.warnings).toEqual([
			"The trigger may still be registered at the assistant 1: The service is receiving too many requests: Too Many Attempts. Publish the workflow and unpublish it again to repair this. 'Voice Assistant → Get Webhook Status' shows what is registered.",
		]);
		expect(await inboundUrl()).toContain('token=');

		// The next time puts everything right.
		await environment.service.control.clearFaults();
		await lifecycle.publish();
		await lifecycle.unpublish();
		expect(await inboundUrl()).toBe(CRM_URL);
	});
});
