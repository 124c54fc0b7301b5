import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../support/n8n/engine.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { failureOf, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
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

/** Published, with both options as given. @returns the settings before, and while it is published */
async function publishedWith(before: boolean, value: string) {
	await setSettings({
		include_recording_in_webhook: before,
		send_webhook_only_on_completed: before,
	});
	const options = { includeRecording: value, onlyCompletedCalls: value };
	const parameters = onAssistant(1, 'callCompleted', { options });
	const lifecycle = new Lifecycle(new TriggerNode(environment.instance(), { parameters }));
	await lifecycle.publish();
	const during = await settings();
	await lifecycle.unpublish();
	expect(await settings()).toEqual({ includeRecording: before, onlyCompletedCalls: before });
	return during;
}

describe.each(['legacy', 'default'])('an option by an expression, in the %s engine', (engine) => {
	if (engine === 'default') useDefaultEngine();

	it.each<[expression: string, wanted: boolean | undefined]>([
		['true', true],
		['"TRUE"', true],
		['" True "', true],
		['1', true],
		['"1"', true],
		['false', false],
		['"FALSE"', false],
		['0', false],
		['"0"', false],
		['undefined', undefined],
		['null', undefined],
		['""', undefined],
	])('{{ %s }} sets both settings to %p, and nothing if it is empty', async (value, wanted) => {
		for (const before of [true, false]) {
			const expected = wanted ?? before;
			expect(await publishedWith(before, `={{ ${value} }}`)).toEqual({
				includeRecording: expected,
				onlyCompletedCalls: expected,
			});
		}
	});

	it.each([
		['includeRecording', '"yes"', 'Include Recording', 'yes'],
		['includeRecording', '2', 'Include Recording', '2'],
		['onlyCompletedCalls', '"banana"', 'Only Completed Calls', 'banana'],
		['onlyCompletedCalls', '[true]', 'Only Completed Calls', '[true]'],
		['onlyCompletedCalls', '({ on: true })', 'Only Completed Calls', '{"on":true}'],
		['replaceExisting', '"on"', 'Replace Existing Webhook', 'on'],
		['includeRecording', '"x".repeat(1000)', 'Include Recording', `${'x'.repeat(60)}…`],
	])('%s: refuses {{ %s }} by the name of the option', async (name, value, label, shown) => {
		const options = { [name]: `={{ ${value} }}` };
		const parameters = onAssistant(1, 'callCompleted', { options });
		const lifecycle = new Lifecycle(new TriggerNode(environment.instance(), { parameters }));
		const asked = await environment.requestedOperations(async () => {
			expect((await failureOf(lifecycle.node.hook('create', 'production', {}))).message).toBe(
				`The option '${label}' must be true or false. The value is: ${shown}. Correct the option, then publish again.`,
			);
		});
		expect(asked).toEqual([]);
	});
});

describe('an option with a wrong value', () => {
	const wrong = { options: { includeRecording: '={{ "yes" }}' } };

	it('does not concern a trigger that has no such setting', async () => {
		const parameters = onAssistant(1, 'inboundCallCompleted', wrong);
		const lifecycle = new Lifecycle(new TriggerNode(environment.instance(), { parameters }));
		await lifecycle.publish();
		expect((await environment.registration('inboundCallCompleted')).url).toContain('/webhook/');
		await lifecycle.unpublish();
	});

	it('leaves a trigger registered that an earlier version published, and unpublishes it', async () => {
		const node = new TriggerNode(environment.instance());
		const lifecycle = new Lifecycle(node, '2.0');
		await lifecycle.publish();
		node.settings.parameters = onAssistant(1, 'callCompleted', wrong);
		expect(await environment.isUnchangedBy(() => lifecycle.restart())).toBe(true);
		await lifecycle.unpublish();
		expect((await environment.registration('callCompleted')).url).toBeNull();
	});
});
