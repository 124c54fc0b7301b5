import { beforeEach, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../support/n8n/engine.mts';
import { EmulatedLifecycle, type N8nVersion } from '../../support/trigger/emulatedLifecycle.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import {
	SECOND_N8N_URL,
	failureMessage,
	getFailure,
	startTriggerEnvironment,
	type EventName,
} from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const { expectUnchanged, register, registration, webhookUrl, whileDown } = environment;

const OTHER_URL = 'https://crm.example.org/hooks/calls?key=1';
const THIRD_URL = 'https://erp.example.org/calls';

const on = { replaceExisting: true };

const expectOwnUrl = async ({ node }: EmulatedLifecycle, event?: EventName) =>
	expect(await webhookUrl(event)).toContain(`${await node.url('production')}?token=`);

/** Moves a trigger to another assistant. It is not published. */
const moveTo = ({ node }: EmulatedLifecycle, assistantId: number) => {
	node.settings.parameters = onAssistant(assistantId, 'callCompleted', { options: on });
};

function workflow(options: INodeParameters, event?: EventName, version?: N8nVersion) {
	const parameters = onAssistant(1, event, { options });
	return new EmulatedLifecycle(new TriggerNode(environment.instance(), { parameters }), version);
}

describe.each(['2.0', '2.41'] as const)('Replace Existing Webhook in n8n %s', (version) => {
	const replacing = (event?: EventName) => workflow(on, event, version);

	/** A published workflow that has replaced the webhook of another system. */
	async function published(event: EventName = 'callCompleted'): Promise<EmulatedLifecycle> {
		await register(event, OTHER_URL);
		const lifecycle = replacing(event);
		await lifecycle.publish();
		return lifecycle;
	}

	it.each(['callCompleted', 'inboundCallCompleted'] as const)(
		'takes over, and puts back the URL of the other system (%s)',
		async (event) => {
			const lifecycle = await published(event);
			await expectOwnUrl(lifecycle, event);
			await lifecycle.unpublish();
			expect(await registration(event)).toEqual({ url: OTHER_URL, isActive: true });
		},
	);

	it('puts back that the URL was switched off', async () => {
		await register('callCompleted', OTHER_URL);
		await environment.switchOff();
		const lifecycle = replacing();
		await lifecycle.publish();
		expect((await registration()).isActive).toBe(true);
		await lifecycle.unpublish();
		expect(await registration()).toEqual({ url: OTHER_URL, isActive: false });
	});

	it('never replaces a URL while listening for a test event', async () => {
		await register('callCompleted', OTHER_URL);
		await expectUnchanged(async () => {
			expect(await failureMessage(replacing().listen())).toContain('a test does not change that');
		});
	});

	it.each<[string, (lifecycle: EmulatedLifecycle) => Promise<unknown>]>([
		['after a restart', (lifecycle) => lifecycle.restart()],
		[
			'and does not take its own URL for it, when it is published again',
			async (lifecycle) => {
				for (let count = 0; count < 3; count++) await lifecycle.publish();
				await expectOwnUrl(lifecycle);
			},
		],
		[
			'when the trigger is renamed',
			async (lifecycle) => {
				lifecycle.node.settings.nodeName = 'Renamed';
				await lifecycle.publish();
				await expectOwnUrl(lifecycle);
			},
		],
		[
			'when the service was down as the trigger was renamed',
			async (lifecycle) => {
				lifecycle.node.settings.nodeName = 'Renamed';
				await whileDown(() => getFailure(lifecycle.publish()));
				await lifecycle.publish();
			},
		],
		[
			'when the service was down as the trigger moved to another assistant',
			async (lifecycle) => {
				moveTo(lifecycle, 2);
				await whileDown(() => getFailure(lifecycle.publish()));
				await lifecycle.publish();
				await expectOwnUrl(lifecycle);
				moveTo(lifecycle, 1);
				await lifecycle.publish();
			},
		],
		[
			'when the trigger moves to another assistant',
			async (lifecycle) => {
				moveTo(lifecycle, 2);
				await lifecycle.publish();
				expect(await webhookUrl()).toBe(OTHER_URL);
			},
		],
		[
			'when another trigger of the workflow cannot be published',
			async ({ node }) => {
				// n8n 2.0 calls `delete` without the static data of the failed publish.
				await node.hook('delete');
				expect(await webhookUrl()).toBe(OTHER_URL);
			},
		],
	])('puts the other URL back %s', async (_, change) => {
		const lifecycle = await published();
		await change(lifecycle);
		await lifecycle.unpublish();
		expect(await webhookUrl()).toBe(OTHER_URL);
		expect(await webhookUrl('callCompleted', 2)).toBeNull();
	});

	it('does not take its own URL for the other one when it was switched off and registers again', async () => {
		const lifecycle = await published();
		await environment.switchOff();
		const { node, staticData } = lifecycle;
		expect(await node.hook('checkExists', 'production', staticData)).toBe(false);
		await node.hook('create', 'production', staticData);
		await lifecycle.unpublish();
		expect(await registration()).toEqual({ url: OTHER_URL, isActive: true });
	});

	it('puts back nothing when somebody registered since', async () => {
		const lifecycle = await published();
		await register('callCompleted', THIRD_URL);
		await expectUnchanged(() => lifecycle.unpublish());
	});

	it('forgets the other URL when its registration was removed since', async () => {
		const lifecycle = await published();
		await environment.unregister();
		await lifecycle.unpublish();
		await lifecycle.publish();
		await lifecycle.unpublish();
		expect(await webhookUrl()).toBeNull();
	});

	it('puts the other URL back when a response is lost as it takes over', async () => {
		await register('callCompleted', OTHER_URL);
		await environment.fault('updateAssistant', { drop: 'after', times: 1 });
		const lifecycle = replacing();
		await lifecycle.publish();
		await expectOwnUrl(lifecycle);
		await lifecycle.unpublish();
		expect(await webhookUrl()).toBe(OTHER_URL);
	});

	it('does not put back what the original of a copy replaced', async () => {
		const { staticData, node } = await published();
		const elsewhere = environment.instance({ id: 'instance-2', webhookUrl: SECOND_N8N_URL });
		const copy = node.copyWith({}, elsewhere);
		await register('callCompleted', THIRD_URL);
		const data = structuredClone(staticData);
		await copy.hook('create', 'production', data);
		await copy.hook('delete', 'production', data);
		expect(await webhookUrl()).toBe(THIRD_URL);
	});
});

const BOTH_ON = { includeRecording: true, onlyCompletedCalls: true };
const BOTH_OFF = { includeRecording: false, onlyCompletedCalls: false };

async function settings() {
	const record = await environment.assistant();
	return {
		includeRecording: record.include_recording_in_webhook,
		onlyCompletedCalls: record.send_webhook_only_on_completed,
	};
}

const setSettings = ({ includeRecording, onlyCompletedCalls }: typeof BOTH_ON) =>
	environment.updateAssistant({
		include_recording_in_webhook: includeRecording,
		send_webhook_only_on_completed: onlyCompletedCalls,
	});

/** The settings while a workflow is published. Expects that they are then as before. */
async function settingsDuring(lifecycle: EmulatedLifecycle, before = BOTH_OFF) {
	await setSettings(before);
	await lifecycle.publish();
	const during = await settings();
	await lifecycle.unpublish();
	expect(await settings()).toEqual(before);
	return during;
}

const ONE_ON = { ...BOTH_OFF, includeRecording: true };

describe.each(['2.0', '2.41'] as const)("the assistant's settings in n8n %s", (version) => {
	beforeEach(() => setSettings(BOTH_OFF));

	const withOptions = (options: INodeParameters, event?: EventName) =>
		workflow(options, event, version);

	it('change in the write that registers, and in the write that unregisters', async () => {
		expect(await settings()).toEqual(BOTH_OFF);
		const lifecycle = withOptions(BOTH_ON);
		const asked = await environment.requestedOperations(() => lifecycle.publish());
		expect(asked.filter((operation) => operation !== 'listAssistants')).toEqual([
			'updateAssistant',
		]);
		expect(await settings()).toEqual(BOTH_ON);
		expect(await environment.requestedOperations(() => lifecycle.unpublish())).toEqual([
			'listAssistants',
			'updateAssistant',
		]);
		expect(await settings()).toEqual(BOTH_OFF);
		expect(await environment.registration()).toEqual({ url: null, isActive: false });
	});

	it.each([
		['can be switched off for the trigger', { includeRecording: '={{ false }}' }, ONE_ON, BOTH_OFF],
		['stay when the trigger has no option for them', {}, BOTH_ON, BOTH_ON],
		['are not put back when they were as wanted', { includeRecording: true }, ONE_ON, ONE_ON],
	])('%s, and are as before when it is unpublished', async (_, options, before, during) => {
		expect(await settingsDuring(withOptions(options), before)).toEqual(during);
	});

	it('do not concern inbound calls', async () => {
		const lifecycle = withOptions(BOTH_ON, 'inboundCallCompleted');
		expect(await settingsDuring(lifecycle)).toEqual(BOTH_OFF);
	});

	it('are put back as they were first, however often the workflow is published', async () => {
		const lifecycle = withOptions(BOTH_ON);
		for (let count = 0; count < 3; count++) await lifecycle.publish();
		await lifecycle.restart();
		await lifecycle.unpublish();
		expect(await settings()).toEqual(BOTH_OFF);
	});

	it('are put back when the option is removed', async () => {
		const lifecycle = withOptions(BOTH_ON);
		await lifecycle.publish();
		const options = { includeRecording: true };
		lifecycle.node.settings.parameters = onAssistant(1, 'callCompleted', { options });
		await lifecycle.publish();
		expect(await settings()).toEqual(ONE_ON);
	});

	it('are put back together with the webhook of another system', async () => {
		await environment.register('callCompleted', OTHER_URL);
		const lifecycle = withOptions({ ...BOTH_ON, replaceExisting: true });
		expect(await settingsDuring(lifecycle)).toEqual(BOTH_ON);
		expect(await environment.webhookUrl()).toBe(OTHER_URL);
	});

	it('stay while the user listens for a test event', async () => {
		const lifecycle = withOptions(BOTH_ON);
		await lifecycle.listen();
		expect(await settings()).toEqual(BOTH_OFF);
		await lifecycle.stopListening();
		expect(await environment.webhookUrl()).toBeNull();
	});
});

describe.each(['legacy', 'default'])('an option by an expression, in the %s engine', (engine) => {
	if (engine === 'default') useDefaultEngine();

	it.each<[expression: string, wanted: boolean | undefined]>([
		['" True "', true],
		['1', true],
		['false', false],
		['"0"', false],
		['undefined', undefined],
		['null', undefined],
		['""', undefined],
	])('{{ %s }} sets both settings to %p, and nothing if it is empty', async (value, wanted) => {
		const option = `={{ ${value} }}`;
		const lifecycle = workflow({ includeRecording: option, onlyCompletedCalls: option });
		const wantedSettings = wanted ? BOTH_ON : BOTH_OFF;
		expect(await settingsDuring(lifecycle, ONE_ON)).toEqual(
			wanted === undefined ? ONE_ON : wantedSettings,
		);
	});

	it.each([
		['includeRecording', '"yes"', 'Include Recording', 'yes'],
		['includeRecording', '2', 'Include Recording', '2'],
		['onlyCompletedCalls', '"banana"', 'Only Completed Calls', 'banana'],
		['onlyCompletedCalls', '[true]', 'Only Completed Calls', '[true]'],
		['onlyCompletedCalls', '({ on: true })', 'Only Completed Calls', '{"on":true}'],
		['repeatedDeliveries', '"no"', 'Start on Repeated Deliveries', 'no'],
		['replaceExisting', '"on"', 'Replace Existing Webhook', 'on'],
		['includeRecording', '"x".repeat(1000)', 'Include Recording', `${'x'.repeat(60)}…`],
	])('%s: refuses {{ %s }} by the name of the option', async (name, value, label, shown) => {
		const { node } = workflow({ [name]: `={{ ${value} }}` });
		expect(await environment.failure(() => node.hook('create'))).toMatchObject({
			message: notPublished(
				`The option '${label}' must be true or false (the value is: ${shown}). Correct the option.`,
			),
			asked: [],
		});
	});
});

describe('an option with a wrong value', () => {
	const wrong = { includeRecording: '={{ "yes" }}' };

	it('does not concern a trigger that has no such setting', async () => {
		await workflow(wrong, 'inboundCallCompleted').publish();
		expect(await environment.webhookUrl('inboundCallCompleted')).toContain('/webhook/');
	});

	it('leaves a trigger registered that an earlier version published, and unpublishes it', async () => {
		const lifecycle = workflow({}, 'callCompleted', '2.0');
		await lifecycle.publish();
		lifecycle.node.settings.parameters = onAssistant(1, 'callCompleted', { options: wrong });
		await environment.expectUnchanged(() => lifecycle.restart());
		await lifecycle.unpublish();
		expect(await environment.webhookUrl()).toBeNull();
	});
});
