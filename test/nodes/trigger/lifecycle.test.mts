import { describe, expect, it } from '@jest/globals';
import { A_CALL } from '../../support/sandbox/calls.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { Lifecycle, type N8nVersion } from '../../support/trigger/lifecycle.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import {
	SECOND_N8N_URL,
	failureOf,
	startTriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const webhookServer = await startWebhookServer();

const OTHER_URL = 'https://crm.example.org/hooks/calls';

const address = async (assistantId = 1) =>
	(await environment.registration('callCompleted', assistantId)).url;

describe.each(['2.0', '2.41'] as const)('a workflow in n8n %s', (version: N8nVersion) => {
	const tries = version === '2.0' ? 1 : 5;
	const node = () => new TriggerNode(environment.instance({ webhookUrl: webhookServer.url }));

	function workflow(its = node()): Lifecycle {
		const lifecycle = new Lifecycle(its, version);
		webhookServer.serve(lifecycle);
		return lifecycle;
	}

	async function published(): Promise<Lifecycle> {
		const lifecycle = workflow();
		await lifecycle.publish();
		return lifecycle;
	}

	/** Whether a completed call of the assistant starts an execution. */
	async function isReached(): Promise<boolean> {
		const before = webhookServer.executions.length;
		await environment.service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await environment.service.control.advance(A_CALL);
		return webhookServer.executions.length === before + 1;
	}

	it('is registered while it is published', async () => {
		const { node: trigger, ...rest } = await published();
		expect(rest.version).toBe(version);
		expect(await address()).toContain(`${await trigger.url('production')}?token=`);
		expect(await isReached()).toBe(true);
	});

	it('is not registered any more once it is unpublished', async () => {
		const lifecycle = await published();
		await lifecycle.unpublish();
		expect(await address()).toBeNull();
		expect(await isReached()).toBe(false);
	});

	it('keeps its address when it is published again, so that calls on their way arrive', async () => {
		const lifecycle = await published();
		const before = await address();
		const asked = await environment.requestedOperations(() => lifecycle.publish());
		expect(await address()).toBe(before);
		expect(asked).toEqual(
			version === '2.0'
				? [
						'listAssistants',
						'disableWebhook',
						'listAssistants',
						'listAssistants',
						'updateAssistant',
						'listAssistants',
					]
				: [],
		);
	});

	it('moves to another assistant, and frees the first', async () => {
		const lifecycle = await published();
		const before = await address();
		lifecycle.node.settings.parameters = onAssistant(2);
		await lifecycle.publish();
		expect(await address(1)).toBeNull();
		const after = await address(2);
		expect(after).toContain('?token=');
		// The new token is another one, so a late delivery of the first assistant is refused.
		expect(after).not.toBe(before);
	});

	it('moves to the other event, and frees the first', async () => {
		const lifecycle = await published();
		lifecycle.node.settings.parameters = onAssistant(1, 'inboundCallCompleted');
		await lifecycle.publish();
		expect(await address()).toBeNull();
		expect((await environment.registration('inboundCallCompleted')).url).toContain('/webhook/');
	});

	it('stays registered when the node is renamed', async () => {
		const lifecycle = await published();
		const before = await address();
		lifecycle.node.settings.nodeName = 'Renamed';
		await lifecycle.publish();
		expect(await address()).toBe(before);
		expect(await isReached()).toBe(true);
		await lifecycle.unpublish();
		expect(await address()).toBeNull();
	});

	it('stays registered over a restart, and nothing is written', async () => {
		const lifecycle = await published();
		expect(await environment.isUnchangedBy(() => lifecycle.restart())).toBe(true);
		expect(await isReached()).toBe(true);
	});

	it('stays registered over a restart while the service is down', async () => {
		const lifecycle = await published();
		await environment.fault('listAssistants', { drop: true });
		await withoutWaits(() => lifecycle.restart());
		await environment.service.control.clearFaults();
		expect(await isReached()).toBe(true);
	});

	it('registers at its new address after WEBHOOK_URL has changed', async () => {
		const lifecycle = await published();
		lifecycle.node.instance.webhookUrl = SECOND_N8N_URL;
		await lifecycle.restart();
		// n8n 2.41 calls no hook at its start: the old address stays until the workflow is published again.
		const isHealed = version === '2.0';
		expect((await address())?.startsWith(SECOND_N8N_URL)).toBe(isHealed);
		await lifecycle.unpublish();
		expect(await address()).toBeNull();
		await lifecycle.publish();
		expect((await address())?.startsWith(SECOND_N8N_URL)).toBe(true);
	});

	it('replaces the address of a test that never ended, at the next publish', async () => {
		const lifecycle = workflow();
		await lifecycle.listen();
		await lifecycle.restart();
		expect(await address()).toContain('/webhook-test/');
		await lifecycle.publish();
		expect(await isReached()).toBe(true);
		await lifecycle.unpublish();
		expect(await address()).toBeNull();
	});

	it('replaces the address of a test that never ended, at the next test', async () => {
		const lifecycle = workflow();
		await lifecycle.listen();
		await lifecycle.restart();
		await lifecycle.listen();
		await lifecycle.stopListening();
		expect(await address()).toBeNull();
	});

	it('can listen for a second test event after the first one', async () => {
		const lifecycle = workflow();
		for (let run = 0; run < 2; run++) {
			await lifecycle.listen();
			expect(await isReached()).toBe(true);
			expect(await address()).toBeNull();
		}
	});

	it('stays registered when a user listens for a test event', async () => {
		const lifecycle = await published();
		const listened = async () => {
			const { message } = await failureOf(lifecycle.listen());
			expect(message).toContain('This trigger is published');
		};
		expect(await environment.isUnchangedBy(listened)).toBe(true);
		expect(await isReached()).toBe(true);
	});

	it('can be published while a test listens, and stays registered when the test ends', async () => {
		const lifecycle = workflow();
		await lifecycle.listen();
		await lifecycle.publish();
		expect(await environment.isUnchangedBy(() => lifecycle.stopListening())).toBe(true);
		expect(await isReached()).toBe(true);
	});

	it("is refused while someone else's address is registered, and unpublishing does not change that address", async () => {
		await environment.register('callCompleted', OTHER_URL);
		const lifecycle = workflow();
		const asked = await environment.requestedOperations(async () => {
			const refused = async () => {
				expect((await failureOf(lifecycle.publish())).message).toContain('crm.example.org');
				await lifecycle.unpublish();
			};
			expect(await environment.isUnchangedBy(refused)).toBe(true);
		});
		// Each try asks three times and unpublishing asks once. This test itself asks twice.
		expect(asked).toEqual(Array<string>(3 * tries + 1 + 2).fill('listAssistants'));
	});

	it('does not remove the address of someone who replaced it', async () => {
		const lifecycle = await published();
		await environment.register('callCompleted', OTHER_URL);
		const worked = async () => {
			await lifecycle.unpublish();
			await failureOf(lifecycle.publish());
			await lifecycle.unpublish();
		};
		expect(await environment.isUnchangedBy(worked)).toBe(true);
	});

	it('does not unregister production if it is a copy on another n8n', async () => {
		const live = await published();
		const staging = environment.instance({ id: 'instance-2', webhookUrl: SECOND_N8N_URL });
		const copy = new Lifecycle(live.node.copyWith({}, staging), version);
		const worked = async () => {
			await failureOf(copy.listen());
			await failureOf(copy.publish());
			await copy.unpublish();
		};
		expect(await environment.isUnchangedBy(worked)).toBe(true);
		expect(await isReached()).toBe(true);
	});

	it('can be unregistered later if the service was down when it was unpublished', async () => {
		const lifecycle = await published();
		await environment.fault('listAssistants', { drop: true });
		await withoutWaits(() => lifecycle.unpublish());
		await environment.service.control.clearFaults();
		expect(await address()).not.toBeNull();

		await lifecycle.publish();
		await lifecycle.unpublish();
		expect(await address()).toBeNull();
	});

	it('ends published or unregistered when a response was lost', async () => {
		await environment.service.control.fault({
			operation: 'updateAssistant',
			drop: 'after',
			times: 1,
		});
		const lifecycle = workflow();
		const isPublished = await lifecycle.publish().then(
			() => true,
			() => false,
		);
		expect(isPublished).toBe(version === '2.41');
		expect(await isReached()).toBe(isPublished);
		if (!isPublished) expect(await address()).toBeNull();
	});
});
