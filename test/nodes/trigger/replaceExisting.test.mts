import { describe, expect, it } from '@jest/globals';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import {
	SECOND_N8N_URL,
	failureOf,
	startTriggerEnvironment,
	type EventName,
} from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, onAssistant } from '../../support/trigger/triggerNode.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const environment = await startTriggerEnvironment();

const OTHER_URL = 'https://crm.example.org/hooks/calls?key=1';
const THIRD_URL = 'https://erp.example.org/calls';

const on = { replaceExisting: true };

describe.each(['2.0', '2.41'] as const)('Replace Existing Webhook in n8n %s', (version) => {
	function workflow(event: EventName = 'callCompleted', options = on): Lifecycle {
		const parameters = onAssistant(1, event, { options });
		return new Lifecycle(new TriggerNode(environment.instance(), { parameters }), version);
	}

	/** A published workflow that has replaced the webhook of another system. */
	async function published(event: EventName = 'callCompleted'): Promise<Lifecycle> {
		await environment.register(event, OTHER_URL);
		const lifecycle = workflow(event);
		await lifecycle.publish();
		return lifecycle;
	}

	const registration = (event: EventName = 'callCompleted') => environment.registration(event);
	const ours = async ({ node }: Lifecycle) =>
		expect.stringContaining(`${await node.url('production')}?token=`);

	it.each(['callCompleted', 'inboundCallCompleted'] as const)(
		'takes over, and puts back the URL of the other system (%s)',
		async (event) => {
			const lifecycle = await published(event);
			expect((await registration(event)).url).toEqual(await ours(lifecycle));
			await lifecycle.unpublish();
			expect(await registration(event)).toEqual({ url: OTHER_URL, isActive: true });
		},
	);

	it('puts back that the URL was switched off', async () => {
		await environment.register('callCompleted', OTHER_URL);
		await environment.switchOff();
		const lifecycle = workflow();
		await lifecycle.publish();
		expect((await registration()).isActive).toBe(true);
		await lifecycle.unpublish();
		const { webhook_url: url, is_webhook_active: isActive } = await environment.assistant();
		expect({ url, isActive }).toEqual({ url: OTHER_URL, isActive: false });
	});

	it('is off unless the user switches it on', async () => {
		await environment.register('callCompleted', OTHER_URL);
		const refused = async () => {
			await failureOf(workflow('callCompleted', { replaceExisting: false }).publish());
		};
		expect(await environment.isUnchangedBy(refused)).toBe(true);
	});

	it('never replaces a URL while listening for a test event', async () => {
		await environment.register('callCompleted', OTHER_URL);
		const refused = async () => {
			const { message } = await failureOf(workflow().listen());
			expect(message).toContain('a test does not change that');
		};
		expect(await environment.isUnchangedBy(refused)).toBe(true);
	});

	it('puts the other URL back after a restart', async () => {
		const lifecycle = await published();
		await lifecycle.restart();
		await lifecycle.unpublish();
		expect((await registration()).url).toBe(OTHER_URL);
	});

	it('does not take its own URL for the other one when it is published again', async () => {
		const lifecycle = await published();
		for (let count = 0; count < 3; count++) await lifecycle.publish();
		expect((await registration()).url).toEqual(await ours(lifecycle));
		await lifecycle.unpublish();
		expect((await registration()).url).toBe(OTHER_URL);
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

	it('remembers the other URL when the trigger is renamed', async () => {
		const lifecycle = await published();
		lifecycle.node.settings.nodeName = 'Renamed';
		await lifecycle.publish();
		expect((await registration()).url).toEqual(await ours(lifecycle));
		await lifecycle.unpublish();
		expect((await registration()).url).toBe(OTHER_URL);
	});

	it('remembers the other URL when the service was down as the trigger was renamed', async () => {
		const lifecycle = await published();
		await environment.fault('listAssistants', { drop: true });
		lifecycle.node.settings.nodeName = 'Renamed';
		await withoutWaits(() => failureOf(lifecycle.publish()));
		await environment.service.control.clearFaults();
		await lifecycle.publish();
		await lifecycle.unpublish();
		expect((await registration()).url).toBe(OTHER_URL);
	});

	it('puts the other URL back when the trigger moves to another assistant', async () => {
		const lifecycle = await published();
		lifecycle.node.settings.parameters = onAssistant(2, 'callCompleted', { options: on });
		await lifecycle.publish();
		expect((await registration()).url).toBe(OTHER_URL);
		await lifecycle.unpublish();
		expect((await environment.registration('callCompleted', 2)).url).toBeNull();
	});

	it('remembers the other URL when the service was down as the trigger moved to another assistant', async () => {
		const lifecycle = await published();
		await environment.fault('listAssistants', { drop: true });
		lifecycle.node.settings.parameters = onAssistant(2, 'callCompleted', { options: on });
		await withoutWaits(() => failureOf(lifecycle.publish()));
		await environment.service.control.clearFaults();
		await lifecycle.publish();
		expect((await registration()).url).toEqual(await ours(lifecycle));

		lifecycle.node.settings.parameters = onAssistant(1, 'callCompleted', { options: on });
		await lifecycle.publish();
		await lifecycle.unpublish();
		expect((await registration()).url).toBe(OTHER_URL);
		expect((await environment.registration('callCompleted', 2)).url).toBeNull();
	});

	it('puts back nothing when somebody registered since', async () => {
		const lifecycle = await published();
		await environment.register('callCompleted', THIRD_URL);
		expect(await environment.isUnchangedBy(() => lifecycle.unpublish())).toBe(true);
	});

	it('forgets the other URL when its registration was removed since', async () => {
		const lifecycle = await published();
		await environment.service.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
		await lifecycle.unpublish();
		await lifecycle.publish();
		await lifecycle.unpublish();
		expect((await registration()).url).toBeNull();
	});

	it('puts the other URL back when a response is lost as it takes over', async () => {
		await environment.register('callCompleted', OTHER_URL);
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
		expect((await registration()).url).toEqual(isPublished ? await ours(lifecycle) : OTHER_URL);
		await lifecycle.unpublish();
		expect((await registration()).url).toBe(OTHER_URL);
	});

	it('puts the other URL back when another trigger of the workflow cannot be published', async () => {
		const lifecycle = await published();
		// n8n 2.0 calls `delete` without the static data of the failed publish.
		await lifecycle.node.hook('delete', 'production', {});
		expect((await registration()).url).toBe(OTHER_URL);
	});

	it('does not put back what the original of a copy replaced', async () => {
		const { staticData, node } = await published();
		const copy = node.copyWith(
			{},
			environment.instance({ id: 'instance-2', webhookUrl: SECOND_N8N_URL }),
		);
		await environment.register('callCompleted', THIRD_URL);
		const data = structuredClone(staticData);
		await copy.hook('create', 'production', data);
		await copy.hook('delete', 'production', data);
		expect((await registration()).url).toBe(THIRD_URL);
	});
});
