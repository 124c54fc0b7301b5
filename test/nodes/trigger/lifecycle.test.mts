import { describe, expect, it } from '@jest/globals';
import { A_CALL } from '../../../sandbox/test/support/calls.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import {
	SECOND_N8N_URL,
	failureMessage,
	getFailure,
	startTriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const { expectUnchanged } = environment;
const { control } = environment.service;
const webhookServer = await startWebhookServer();

const OTHER_URL = 'https://crm.example.org/hooks/calls';

const PHONE = '+4915112345611';

describe.each([
	{ version: '2.0', event: 'callCompleted' },
	{ version: '2.41', event: 'callCompleted' },
	{ version: '2.41', event: 'inboundCallCompleted' },
] as const)('a workflow in n8n $version, for $event', ({ version, event }) => {
	const otherEvent = event === 'callCompleted' ? 'inboundCallCompleted' : 'callCompleted';
	const tries = version === '2.0' ? 1 : 5;

	function workflow(): EmulatedLifecycle {
		const instance = environment.instance({ webhookUrl: webhookServer.url });
		const node = new TriggerNode(instance, { parameters: onAssistant(1, event) });
		return webhookServer.serve(new EmulatedLifecycle(node, version));
	}

	async function published(): Promise<EmulatedLifecycle> {
		const lifecycle = workflow();
		await lifecycle.publish();
		return lifecycle;
	}

	const address = () => environment.webhookUrl(event);

	/** Expects that a completed call of the assistant starts an execution, or starts none. */
	async function expectReached(isReached = true): Promise<void> {
		const before = webhookServer.executions.length;
		if (event === 'callCompleted') await control.outbound({ assistant_id: 1, to: PHONE });
		else await control.inbound({ assistant_id: 1, from: PHONE });
		await control.advance(A_CALL);
		expect(webhookServer.executions).toHaveLength(before + (isReached ? 1 : 0));
	}

	/** Expects that the workflow receives calls, and leaves nothing behind when it is unpublished. */
	async function expectReachedUntilUnpublished(lifecycle: EmulatedLifecycle): Promise<void> {
		await expectReached();
		await lifecycle.unpublish();
		expect(await address()).toBeNull();
		await expectReached(false);
	}

	it.each([
		['assistant', 2, event],
		['event', 1, otherEvent],
	] as const)('moves to another %s, and frees the first', async (_, assistantId, newEvent) => {
		const lifecycle = await published();
		const before = await address();
		lifecycle.node.settings.parameters = onAssistant(assistantId, newEvent);
		await lifecycle.publish();
		expect(await address()).toBeNull();
		const after = await environment.webhookUrl(newEvent, assistantId);
		expect(after).toContain('?token=');
		// The new token is another one, so a late delivery of the first registration is refused.
		expect(after).not.toBe(before);
	});

	it('keeps its address when the node is renamed, so that calls on their way arrive', async () => {
		const lifecycle = await published();
		const before = await address();
		lifecycle.node.settings.nodeName = 'Renamed';
		await lifecycle.publish();
		expect(await address()).toBe(before);
		await expectReachedUntilUnpublished(lifecycle);
	});

	it('stays registered over a restart, and nothing is written', async () => {
		const lifecycle = await published();
		await expectUnchanged(() => lifecycle.restart());
		await expectReached();
	});

	it('registers at its new address after WEBHOOK_URL has changed', async () => {
		const lifecycle = await published();
		lifecycle.node.instance.webhookUrl = SECOND_N8N_URL;
		await lifecycle.restart();
		// n8n 2.41 calls no hook at its start: the old address stays until the workflow is published again.
		const isHealed = version === '2.0';
		expect((await address())?.startsWith(SECOND_N8N_URL)).toBe(isHealed);
		await lifecycle.unpublish();
		expect(lifecycle.node.instance.warnings).toHaveLength(isHealed ? 0 : 1);
		// The old address leads to the same n8n, which is no other one.
		await lifecycle.publish();
		expect((await address())?.startsWith(SECOND_N8N_URL)).toBe(true);
	});

	it('replaces the address of a test that never ended, at the next publish', async () => {
		const lifecycle = workflow();
		await lifecycle.listen();
		await lifecycle.restart();
		expect(await address()).toContain('/webhook-test/');
		await lifecycle.publish();
		await expectReachedUntilUnpublished(lifecycle);
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
			await expectReached();
			expect(await address()).toBeNull();
		}
	});

	it('can be published while a test listens, and stays registered when the test ends', async () => {
		const lifecycle = workflow();
		await lifecycle.listen();
		await lifecycle.publish();
		await expectUnchanged(() => lifecycle.stopListening());
		await expectReached();
	});

	it("is refused while someone else's address is registered, and unpublishing does not change that address", async () => {
		await environment.register(event, OTHER_URL);
		const lifecycle = workflow();
		const asked = await environment.requestedOperations(async () => {
			expect(await failureMessage(lifecycle.publish())).toContain('crm.example.org');
			await lifecycle.unpublish();
		});
		// Each try asks twice, and unpublishing asks once.
		expect(asked).toEqual(Array<string>(2 * tries + 1).fill('listAssistants'));
		expect(await address()).toBe(OTHER_URL);
	});

	it('does not remove the address of someone who replaced it', async () => {
		const lifecycle = await published();
		await environment.register(event, OTHER_URL);
		await expectUnchanged(async () => {
			await lifecycle.unpublish();
			await getFailure(lifecycle.publish());
			await lifecycle.unpublish();
		});
	});
});

describe.each(['2.0', '2.41'] as const)('in n8n %s, a change of the assistant', (version) => {
	const [ID, OTHER_ID] = [1, 2];
	const assistant = (id: number) => onAssistant(id, 'callCompleted');
	const workflow = (workflowId: string, id: number) => {
		const settings = { workflowId, parameters: assistant(id) };
		return new EmulatedLifecycle(new TriggerNode(environment.instance(), settings), version);
	};
	const NEITHER =
		/^No assistant sends its calls to this workflow now: it was taken off the assistant '[^']+' \(ID 1\) before\. /;

	it('that another workflow has is refused with the name of that workflow, and leaves neither', async () => {
		const lifecycle = workflow('workflow-1', ID);
		await workflow('workflow-2', OTHER_ID).publish();
		await lifecycle.publish();
		lifecycle.node.settings.parameters = assistant(OTHER_ID);
		const message = await failureMessage(lifecycle.publish());
		expect(message).toMatch(NEITHER);
		expect(message).toContain(
			" already go to the workflow 'Workflow under test' (/workflow/workflow-2) on this n8n. ",
		);
		expect(await environment.webhookUrl('callCompleted')).toBeNull();
	});

	it('that is refused twice says so twice, and does not when the first assistant is chosen again', async () => {
		await workflow('workflow-2', OTHER_ID).publish();
		const lifecycle = workflow('workflow-1', ID);
		await lifecycle.publish();
		lifecycle.node.settings.parameters = assistant(OTHER_ID);
		expect(await failureMessage(lifecycle.publish())).toMatch(NEITHER);
		expect(await failureMessage(lifecycle.publish())).toMatch(NEITHER);
		await environment.register('callCompleted', OTHER_URL);
		lifecycle.node.settings.parameters = assistant(ID);
		expect(await failureMessage(lifecycle.publish())).toMatch(/^This trigger receives no calls/);
	});
});
