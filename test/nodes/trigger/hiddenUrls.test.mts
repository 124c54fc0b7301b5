import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { stubServersPerTest, type StubServer } from '../../support/n8n/stubServer.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { failureMessage, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { EVENTS_IN_N8N, onAssistant, TriggerNode } from '../../support/trigger/triggerNode.mts';

const environment = await startTriggerEnvironment();
const startStub = stubServersPerTest();

const CRM_URL = 'https://crm.example.org/hooks/calls?key=1';
const REPLACING = { options: { replaceExisting: true } };

/** A service that shows no URL of its two assistants. Both have a webhook. */
const hiding = async () => {
	const data = [1, 2].map((id) => ({ id, name: `Assistant ${id}`, is_webhook_active: true }));
	return await startStub(({ method }) => ({
		body: method === 'GET' ? { last_page: 1, data } : { message: 'Done', data: {} },
	}));
};

/** The changes that a service got: what was done, and to which assistant. */
const changes = ({ requests }: StubServer): unknown[] =>
	requests
		.filter(({ method }) => method !== 'GET')
		.map(({ url, body }) => {
			const { assistant_id: id, webhook_url: to } = body as IDataObject;
			return [to ? 'register' : 'unregister', Number(id ?? url.split('/').at(-1))];
		});

const UNSEEN =
	'may still be registered at the assistant 1, which the present credential does not show';

describe.each(EVENTS_IN_N8N)(
	'a service that hides the webhook URL, for $event',
	({ event, version }) => {
		const workflow = (baseUrl: string, others: IDataObject = REPLACING) => {
			const node = new TriggerNode(environment.instance({ baseUrl }), {
				parameters: onAssistant(1, event, others as typeof REPLACING),
			});
			return new EmulatedLifecycle(node, version);
		};

		async function published(baseUrl: string): Promise<EmulatedLifecycle> {
			const lifecycle = workflow(baseUrl);
			await lifecycle.publish();
			letTimePass();
			return lifecycle;
		}

		/** The user enters another provider, where the assistant has the same ID. */
		const moveTo = ({ node }: EmulatedLifecycle, baseUrl: string, apiToken = 'other-token') =>
			Object.assign(node.instance.n8n.credential, { baseUrl, apiToken });

		const warningsOf = ({ node }: EmulatedLifecycle) => node.instance.warnings;
		const apiOf = ({ origin }: StubServer) => `${origin}/api`;

		it('loses nothing when the workflow was published at another service, whose URL is put back there', async () => {
			await environment.register(event, CRM_URL);
			const lifecycle = await published(environment.service.url);
			const { baseUrl, apiToken } = { ...lifecycle.node.instance.n8n.credential };
			const other = await hiding();
			moveTo(lifecycle, apiOf(other));
			// n8n calls `delete`, and then asks for the new version, which is refused.
			lifecycle.node.settings.parameters = onAssistant(1, event);
			expect(await failureMessage(lifecycle.publish())).toContain(
				'The service does not show whether',
			);
			expect(warningsOf(lifecycle)).toContainEqual(expect.stringContaining(UNSEEN));
			await lifecycle.unpublish();
			expect(changes(other)).toEqual([]);

			moveTo(lifecycle, baseUrl, apiToken);
			letTimePass();
			await lifecycle.publish();
			await lifecycle.unpublish();
			expect(await environment.webhookUrl(event)).toBe(CRM_URL);
		});

		it('keeps its registration when the workflow is unpublished at another one that hides it too', async () => {
			const [first, other] = [await hiding(), await hiding()];
			const lifecycle = await published(apiOf(first));
			moveTo(lifecycle, apiOf(other));
			await lifecycle.unpublish();
			expect(warningsOf(lifecycle)).toContainEqual(expect.stringContaining(UNSEEN));
			expect([changes(first), changes(other)]).toEqual([[['register', 1]], []]);

			moveTo(lifecycle, apiOf(first));
			await lifecycle.node.hook('delete', 'production', lifecycle.staticData);
			expect(changes(first)).toEqual([
				['register', 1],
				['unregister', 1],
			]);
		});

		it('is named in the log when the workflow is registered at another one', async () => {
			const [first, other] = [await hiding(), await hiding()];
			const { node, staticData } = await published(apiOf(first));
			moveTo({ node } as EmulatedLifecycle, apiOf(other));
			node.instance.warnings = [];
			// n8n 2.0 asks at its start, without `delete`.
			expect(await node.hook('checkExists', 'production', staticData, 'init')).toBe(false);
			await node.hook('create', 'production', staticData, 'init');
			expect(node.instance.warnings).toContainEqual(expect.stringContaining(UNSEEN));
			expect(changes(other)).toEqual([['register', 1]]);
			await node.hook('delete', 'production', staticData);
			expect(changes(other)).toEqual([
				['register', 1],
				['unregister', 1],
			]);
		});

		it('gets its registration removed after the API token was changed', async () => {
			const service = await hiding();
			const lifecycle = await published(apiOf(service));
			moveTo(lifecycle, `${apiOf(service)}/`);
			await lifecycle.unpublish();
			expect(changes(service)).toEqual([
				['register', 1],
				['unregister', 1],
			]);
		});

		it('gets the registration of the former value of an expression removed, and keeps the new one', async () => {
			const service = await hiding();
			const { node, staticData } = await published(apiOf(service));
			node.settings.parameters = onAssistant(2, event, REPLACING);
			await node.hook('create', 'production', staticData, 'init');
			expect(changes(service)).toEqual([
				['register', 1],
				['register', 2],
				['unregister', 1],
			]);
			await node.hook('delete', 'production', staticData);
			expect(changes(service).at(-1)).toEqual(['unregister', 2]);
		});

		it('is named in the log when it has the registration of the former value of an expression', async () => {
			const [first, other] = [await hiding(), await hiding()];
			const { node, staticData } = await published(apiOf(first));
			moveTo({ node } as EmulatedLifecycle, apiOf(other));
			node.settings.parameters = onAssistant(2, event, REPLACING);
			node.instance.warnings = [];
			await node.hook('create', 'production', staticData, 'init');
			expect(changes(other)).toEqual([['register', 2]]);
			expect(node.instance.warnings).toContainEqual(expect.stringContaining(UNSEEN));
		});
	},
);
