import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();

const bothOn = { includeRecording: true, onlyCompletedCalls: true };

async function settings() {
	const record = await environment.assistant();
	return {
		includeRecording: record.include_recording_in_webhook,
		onlyCompletedCalls: record.send_webhook_only_on_completed,
	};
}

const setSettings = async (values: Record<string, boolean>) => {
	const { status } = await environment.service.alice.put('/user/assistant/1', values);
	expect(status).toBe(200);
};

describe.each(['2.0', '2.41'] as const)("the assistant's settings in n8n %s", (version) => {
	function workflow(
		options: INodeParameters,
		event: 'callCompleted' | 'inboundCallCompleted' = 'callCompleted',
	) {
		const parameters = onAssistant(1, event, { options });
		return new Lifecycle(new TriggerNode(environment.instance(), { parameters }), version);
	}

	it('change in the write that registers, and in the write that unregisters', async () => {
		const before = await settings();
		expect(before).toEqual({ includeRecording: false, onlyCompletedCalls: false });
		const lifecycle = workflow(bothOn);
		const asked = await environment.requestedOperations(async () => {
			await lifecycle.publish();
		});
		expect(asked.filter((operation) => operation !== 'listAssistants')).toEqual([
			'updateAssistant',
		]);
		expect(await settings()).toEqual(bothOn);
		expect(await environment.requestedOperations(() => lifecycle.unpublish())).toEqual([
			'listAssistants',
			'updateAssistant',
		]);
		expect(await settings()).toEqual(before);
		expect(await environment.registration('callCompleted')).toEqual({ url: null, isActive: false });
	});

	it('can be switched off for the trigger, and on again', async () => {
		await setSettings({ include_recording_in_webhook: true });
		const lifecycle = workflow({ includeRecording: '={{ false }}' });
		await lifecycle.publish();
		expect(await settings()).toMatchObject({ includeRecording: false });
		await lifecycle.unpublish();
		expect(await settings()).toMatchObject({ includeRecording: true });
	});

	it('stay when the trigger has no option for them', async () => {
		await setSettings({ include_recording_in_webhook: true, send_webhook_only_on_completed: true });
		const lifecycle = workflow({});
		await lifecycle.publish();
		expect(await settings()).toEqual(bothOn);
		await lifecycle.unpublish();
		expect(await settings()).toEqual(bothOn);
	});

	it('are not put back when they were as wanted before', async () => {
		await setSettings({ include_recording_in_webhook: true });
		const lifecycle = workflow({ includeRecording: true });
		await lifecycle.publish();
		await lifecycle.unpublish();
		expect(await settings()).toMatchObject({ includeRecording: true });
	});

	it('are put back as they were first, however often the workflow is published', async () => {
		const lifecycle = workflow(bothOn);
		for (let count = 0; count < 3; count++) await lifecycle.publish();
		await lifecycle.restart();
		await lifecycle.unpublish();
		expect(await settings()).toEqual({ includeRecording: false, onlyCompletedCalls: false });
	});

	it('are put back when the option is removed', async () => {
		const lifecycle = workflow(bothOn);
		await lifecycle.publish();
		lifecycle.node.settings.parameters = onAssistant(1, 'callCompleted', {
			options: { includeRecording: true },
		});
		await lifecycle.publish();
		expect(await settings()).toEqual({ includeRecording: true, onlyCompletedCalls: false });
	});

	it('are put back together with the webhook of another system', async () => {
		const url = 'https://crm.example.org/hooks/calls';
		await environment.register('callCompleted', url);
		const lifecycle = workflow({ ...bothOn, replaceExisting: true });
		await lifecycle.publish();
		expect(await settings()).toEqual(bothOn);
		await lifecycle.unpublish();
		expect(await settings()).toEqual({ includeRecording: false, onlyCompletedCalls: false });
		expect((await environment.registration('callCompleted')).url).toBe(url);
	});

	it('stay while the user listens for a test event', async () => {
		const lifecycle = workflow(bothOn);
		await lifecycle.listen();
		expect(await settings()).toEqual({ includeRecording: false, onlyCompletedCalls: false });
		await lifecycle.stopListening();
		expect((await environment.registration('callCompleted')).url).toBeNull();
	});

	it('do not concern inbound calls', async () => {
		const lifecycle = workflow(bothOn, 'inboundCallCompleted');
		await lifecycle.publish();
		expect(await settings()).toEqual({ includeRecording: false, onlyCompletedCalls: false });
		await lifecycle.unpublish();
	});

	it('stay when somebody else has registered since', async () => {
		const lifecycle = workflow(bothOn);
		await lifecycle.publish();
		await environment.register('callCompleted', 'https://crm.example.org/hooks/calls');
		expect(await environment.isUnchangedBy(() => lifecycle.unpublish())).toBe(true);
	});
});
