import { describe, expect, it } from '@jest/globals';
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
import { sampled } from '../../support/sample.mts';

const environment = await startTriggerEnvironment();
const { expectUnchanged, register, registration, webhookUrl, whileDown } = environment;

const OTHER_URL = 'https://crm.example.org/hooks/calls?key=1';
const THIRD_URL = 'https://erp.example.org/calls';

const on = { replaceExisting: true };

const VERSIONS = ['2.0', '2.41'] as const;

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

describe.each(VERSIONS)('Replace Existing Webhook in n8n %s', (version) => {
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

	const changes: Array<[string, (lifecycle: EmulatedLifecycle) => Promise<unknown>]> = [
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
				// The publish takes off what the unpublish before could not.
				expect(await webhookUrl()).toBe(OTHER_URL);
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
	];
	it.each(sampled(changes, 2, VERSIONS.indexOf(version)))(
		'puts the other URL back %s',
		async (_, change) => {
			const lifecycle = await published();
			await change(lifecycle);
			await lifecycle.unpublish();
			expect(await webhookUrl()).toBe(OTHER_URL);
			expect(await webhookUrl('callCompleted', 2)).toBeNull();
		},
	);

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
const ONE_ON = { ...BOTH_OFF, includeRecording: true };
const ALL_CALLS = { ...BOTH_ON, onlyCompletedCalls: false };

/** What a user chooses, so that both settings are on. */
const CHOOSE_ON = { calls: 'onlyCompleted', options: { recording: 'include' } };

const current = await startTriggerEnvironment({ service: 'current' });

const SERVICES = [
	{ service: 'the contract', version: '2.0', own: environment },
	{ service: 'the contract', version: '2.41', own: environment },
	{ service: 'current', version: '2.41', own: current },
] as const;

describe.each(SERVICES)(
	"the assistant's settings at the service $service in n8n $version",
	(at) => {
		const { own, version } = at;

		async function settings() {
			const record = await own.assistant();
			return {
				includeRecording: record.include_recording_in_webhook,
				onlyCompletedCalls: record.send_webhook_only_on_completed,
			};
		}

		const setSettings = ({ includeRecording, onlyCompletedCalls }: typeof BOTH_ON) =>
			own.updateAssistant({
				include_recording_in_webhook: includeRecording,
				send_webhook_only_on_completed: onlyCompletedCalls,
			});

		const choosing = (others: INodeParameters, event?: EventName) =>
			new EmulatedLifecycle(
				new TriggerNode(own.instance(), { parameters: onAssistant(1, event, others) }),
				version,
			);

		/** The settings while a workflow is published. Expects that they are then as before. */
		async function settingsDuring(lifecycle: EmulatedLifecycle, before = BOTH_OFF) {
			await setSettings(before);
			await lifecycle.publish();
			const during = await settings();
			await lifecycle.restart();
			expect(await settings()).toEqual(during);
			await lifecycle.unpublish();
			expect(await settings()).toEqual(before);
			return during;
		}

		it('change in the write that registers, and in the write that unregisters', async () => {
			await setSettings(BOTH_OFF);
			const lifecycle = choosing(CHOOSE_ON);
			const asked = await own.requestedOperations(() => lifecycle.publish());
			expect(asked.filter((operation) => operation !== 'listAssistants')).toEqual([
				'updateAssistant',
			]);
			expect(await settings()).toEqual(BOTH_ON);
			expect(await own.requestedOperations(() => lifecycle.unpublish())).toEqual([
				'listAssistants',
				'updateAssistant',
			]);
			expect(await settings()).toEqual(BOTH_OFF);
			expect(await own.registration()).toEqual({ url: null, isActive: false });
		});

		const choices: Array<[string, INodeParameters, typeof BOTH_ON, typeof BOTH_ON]> = [
			['send all calls unless the user says otherwise', {}, BOTH_ON, ALL_CALLS],
			['send all calls', { calls: 'all' }, BOTH_ON, ALL_CALLS],
			['send all calls by an expression', { calls: '={{ "all" }}' }, BOTH_ON, ALL_CALLS],
			['send all calls as before', { calls: 'all' }, BOTH_OFF, BOTH_OFF],
			[
				'send only completed calls',
				{ calls: 'onlyCompleted' },
				BOTH_OFF,
				{ ...BOTH_OFF, onlyCompletedCalls: true },
			],
			['stay', { calls: 'asAssistant' }, BOTH_ON, BOTH_ON],
			['stay where a choice is empty', { calls: '={{ "" }}' }, BOTH_ON, BOTH_ON],
			['send the recording', { options: { recording: 'include' } }, BOTH_OFF, ONE_ON],
			['send no recording', { options: { recording: 'leaveOut' } }, ALL_CALLS, BOTH_OFF],
			['stay, by the option', { options: { recording: 'asAssistant' } }, ONE_ON, ONE_ON],
		];
		it.each(sampled(choices, 3, SERVICES.indexOf(at)))(
			'%s, also after a restart, and are then as before',
			async (_, others, before, during) => {
				const lifecycle = choosing(others);
				expect(await settingsDuring(lifecycle, before)).toEqual(during);
			},
		);

		it('do not concern inbound calls', async () => {
			const lifecycle = choosing(CHOOSE_ON, 'inboundCallCompleted');
			expect(await settingsDuring(lifecycle)).toEqual(BOTH_OFF);
		});

		it('are put back as they were first, however often the workflow is published', async () => {
			await setSettings(BOTH_OFF);
			const lifecycle = choosing(CHOOSE_ON);
			for (let count = 0; count < 3; count++) await lifecycle.publish();
			await lifecycle.restart();
			await lifecycle.unpublish();
			expect(await settings()).toEqual(BOTH_OFF);
		});

		it('are put back when the choice is taken back', async () => {
			await setSettings(BOTH_OFF);
			const lifecycle = choosing(CHOOSE_ON);
			await lifecycle.publish();
			const others = { ...CHOOSE_ON, calls: 'asAssistant' };
			lifecycle.node.settings.parameters = onAssistant(1, 'callCompleted', others);
			await lifecycle.publish();
			expect(await settings()).toEqual(ONE_ON);
		});

		it('are put back together with the webhook of another system', async () => {
			await own.register('callCompleted', OTHER_URL);
			const options = { ...CHOOSE_ON.options, replaceExisting: true };
			const lifecycle = choosing({ ...CHOOSE_ON, options });
			expect(await settingsDuring(lifecycle)).toEqual(BOTH_ON);
			expect(await own.webhookUrl()).toBe(OTHER_URL);
		});

		it('are put back where somebody has removed the URL since', async () => {
			await setSettings(BOTH_ON);
			const lifecycle = choosing({});
			await lifecycle.publish();
			await own.unregister();
			expect(await settings()).toEqual(ALL_CALLS);
			await lifecycle.unpublish();
			expect(await settings()).toEqual(BOTH_ON);
			expect(await own.webhookUrl()).toBeNull();
		});

		it('stay where somebody else has registered since', async () => {
			await setSettings(BOTH_ON);
			const lifecycle = choosing({});
			await lifecycle.publish();
			await own.register('callCompleted', OTHER_URL);
			await lifecycle.unpublish();
			expect(await settings()).toEqual(ALL_CALLS);
			expect(await own.webhookUrl()).toBe(OTHER_URL);
		});

		it('stay while the user listens for a test event', async () => {
			await setSettings(BOTH_ON);
			const lifecycle = choosing({});
			await lifecycle.listen();
			expect(await settings()).toEqual(BOTH_ON);
			await lifecycle.stopListening();
			expect(await own.webhookUrl()).toBeNull();
		});
	},
);

const ENGINES = ['legacy', 'default'];

describe.each(ENGINES)('a value by an expression, in the %s engine', (engine) => {
	if (engine === 'default') useDefaultEngine();

	const choices = "'Calls' must be one of: all, onlyCompleted, asAssistant";
	const recordings = "The option 'Recording' must be one of: include, leaveOut, asAssistant";
	const booleans = 'must be true or false';

	const values: Array<[name: string, value: string, problem: string, shown: string]> = [
		['calls', '"All"', choices, 'All'],
		['calls', 'false', choices, 'false'],
		['recording', '"yes"', recordings, 'yes'],
		['recording', 'true', recordings, 'true'],
		['recording', '[true]', recordings, '[true]'],
		['recording', '({ on: true })', recordings, '{"on":true}'],
		['recording', '"x".repeat(1000)', recordings, `${'x'.repeat(60)}…`],
		['repeatedDeliveries', '"no"', `The option 'Start on Repeated Deliveries' ${booleans}`, 'no'],
		['replaceExisting', '"on"', `The option 'Replace Existing Webhook' ${booleans}`, 'on'],
	];
	it.each(sampled(values, 2, ENGINES.indexOf(engine)))(
		'%s: refuses {{ %s }} by its name',
		async (name, value, problem, shown) => {
			const given = { [name]: `={{ ${value} }}` };
			const others = name === 'calls' ? given : { options: given };
			const parameters = onAssistant(1, 'callCompleted', others);
			const node = new TriggerNode(environment.instance(), { parameters });
			const what = name === 'calls' ? 'field' : 'option';
			expect(await environment.failure(() => node.hook('create'))).toMatchObject({
				message: notPublished(`${problem} (the value is: ${shown}). Correct the ${what}.`),
				asked: [],
			});
		},
	);
});

describe('an option with a wrong value', () => {
	const wrong = { recording: '={{ "yes" }}' };

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
