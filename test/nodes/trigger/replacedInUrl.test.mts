import { describe, expect, it } from '@jest/globals';
import { sendRequest } from '../../../sandbox/test/support/client.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { advanceClock } from '../../support/trigger/letTimePass.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { onAssistant, TriggerNode } from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const environments = {
	contract: await startTriggerEnvironment(),
	current: await startTriggerEnvironment({ service: 'current' }),
};
const webhookServer = await startWebhookServer();

const CRM_URL = 'https://crm.example.org/hooks/8f14e45fceea?key=b6d767d2f8ed5d21';
const THIRD_URL = 'https://erp.example.org/calls';

/** Longer than a process remembers what was replaced. */
const FORGOTTEN_MS = 31 * 24 * 60 * 60 * 1_000;

describe.each([
	{ service: 'contract', event: 'callCompleted', version: '2.0' },
	{ service: 'current', event: 'callCompleted', version: '2.41' },
	{ service: 'contract', event: 'inboundCallStarting', version: '2.41' },
] as const)(
	'what a trigger replaced is in its URL, for $event at the service $service in n8n $version',
	({ service, event, version }) => {
		const environment = environments[service];
		const address = () => environment.webhookUrl(event);
		const registering = event === 'callCompleted' ? 'updateAssistant' : 'enableInboundWebhook';

		function workflow(): EmulatedLifecycle {
			const instance = environment.instance({ webhookUrl: webhookServer.url });
			const options = { replaceExisting: true };
			const parameters = onAssistant(1, event, { calls: 'all', options });
			const node = new TriggerNode(instance, { parameters });
			return webhookServer.serve(new EmulatedLifecycle(node, version));
		}

		const onlyCompleted = async () =>
			(await environment.assistant()).send_webhook_only_on_completed;

		/** Replaces a webhook, and n8n is killed before it stores the static data. */
		async function killed(lifecycle = workflow(), url = CRM_URL): Promise<EmulatedLifecycle> {
			await environment.register(event, url);
			await environment.updateAssistant({ send_webhook_only_on_completed: true });
			const { node, staticData } = lifecycle;
			await node.hook('create', 'production', structuredClone(staticData));
			expect(await address()).toMatch(/\?token=[0-9a-f]{64}&replaced=[\w-]+$/);
			expect(await onlyCompleted()).toBe(event !== 'callCompleted');
			advanceClock(FORGOTTEN_MS);
			return lifecycle;
		}

		it.each<[string, (lifecycle: EmulatedLifecycle) => Promise<unknown>]>([
			['unpublished', () => Promise.resolve()],
			['published again and unpublished', (lifecycle) => lifecycle.publish()],
			[
				'published three times and unpublished',
				async (lifecycle) => {
					for (const nodeName of ['One', 'Two', 'Three']) {
						lifecycle.node.settings.nodeName = nodeName;
						await lifecycle.publish();
					}
				},
			],
			[
				'published with another setting and unpublished',
				async (lifecycle) => {
					const calls = { calls: 'onlyCompleted', options: {} };
					lifecycle.node.settings.parameters = onAssistant(1, event, calls);
					await lifecycle.publish();
					advanceClock(FORGOTTEN_MS);
				},
			],
		])('it comes back when n8n was killed and the workflow is %s', async (_, change) => {
			const lifecycle = await killed();
			await change(lifecycle);
			expect(await address()).toContain(webhookServer.url);
			await lifecycle.unpublish();
			expect(await address()).toBe(CRM_URL);
			expect(await onlyCompleted()).toBe(true);
		});

		it('counts more than what the static data have from an earlier publish', async () => {
			await environment.register(event, THIRD_URL);
			const lifecycle = workflow();
			await lifecycle.publish();
			await killed(lifecycle);
			await lifecycle.unpublish();
			expect(await address()).toBe(CRM_URL);
		});

		it('is in no item, and nobody else can read it', async () => {
			const lifecycle = await killed();
			await lifecycle.publish();
			const url = (await address()) ?? '';
			expect(url).not.toContain('crm');
			const body = JSON.stringify({ id: 1, status: 'completed', duration: 3 });
			const headers = { 'content-type': 'application/json' };
			const deliver = async (to: string) =>
				(await sendRequest(to, { method: 'POST', headers, body })).status;
			expect(await deliver(url)).toBe(200);
			expect(await deliver(url.replace('token=', 'token=0'))).toBe(401);
			expect(await deliver(url.replace(/&replaced=.*/, ''))).toBe(200);
			const [, sealed = ''] = url.split('replaced=');
			const { warnings, infos = [] } = lifecycle.node.instance;
			const shown = JSON.stringify([webhookServer.items, warnings, infos]);
			expect(shown).not.toContain(sealed);
		});

		it('is not put back by an n8n with another key, which says so', async () => {
			const lifecycle = await killed();
			const { node } = lifecycle;
			const other = node.copyWith({}, { ...node.instance, id: 'instance-2', warnings: [] });
			const fresh = new EmulatedLifecycle(other, version);
			await fresh.publish();
			await fresh.unpublish();
			expect(await address()).toBeNull();
			expect(other.instance.warnings.join()).toContain('the encryption key of n8n was changed');
		});

		it.each([
			['refuses', { status: 422, body: { message: 'Validation failed' } }],
			['fails at', { status: 500, body: { message: 'Server Error' } }],
		])('is left out where the service %s a longer URL', async (_, fault) => {
			await environment.register(event, CRM_URL);
			await environment.fault(registering, { ...fault, times: 1 });
			const lifecycle = workflow();
			await withoutWaits(() => lifecycle.node.hook('create', 'production', lifecycle.staticData));
			expect(await address()).toMatch(/\?token=[0-9a-f]{64}$/);
			expect(await lifecycle.node.hook('checkExists', 'production', lifecycle.staticData)).toBe(
				true,
			);
			await lifecycle.unpublish();
			expect(await address()).toBe(CRM_URL);
		});

		it('is left out where it has no room', async () => {
			const long = `${CRM_URL}&more=${'x'.repeat(1_600)}`;
			await environment.register(event, long);
			const lifecycle = workflow();
			await lifecycle.publish();
			expect(await address()).toMatch(/\?token=[0-9a-f]{64}$/);
			await lifecycle.unpublish();
			expect(await address()).toBe(long);
		});
	},
);
