import { describe, expect, it } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BOB } from '../../../sandbox/test/support/seed.mts';
import { stubServersPerTest, type StubResponse } from '../../support/n8n/stubServer.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import {
	failureMessage,
	getFailure,
	startTriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import {
	EVENTS_IN_N8N,
	onAssistant,
	TriggerNode,
	type Instance,
} from '../../support/trigger/triggerNode.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import { sampled } from '../../support/sample.mts';

const environment = await startTriggerEnvironment();
const otherService = await startTriggerEnvironment();
const { expectUnchanged, register, requestedOperations } = environment;
const [oldServer, newServer] = [await startWebhookServer(), await startWebhookServer()];
const startStub = stubServersPerTest();

const CRM_URL = 'https://crm.example.org/hooks/calls?key=1';
const THIRD_URL = 'https://erp.example.org/calls';

/** Nobody listens here. */
const CLOSED_URL = 'http://127.0.0.1:1';

/** As n8n says it. */
const NOT_REGISTERED = 'The requested webhook "GET w/workflow-1/node-1" is not registered.';

/** Each has its own webhook, of the node and at the assistant. */
const OTHER_EVENTS = {
	callCompleted: 'inboundCallStarting',
	inboundCallCompleted: 'callCompleted',
	inboundCallStarting: 'callCompleted',
} as const;

const REPLACING = { options: { replaceExisting: true } };

describe.each(EVENTS_IN_N8N)('a second n8n with the same key, for $event in n8n $version', (at) => {
	const { event, version } = at;
	const row = EVENTS_IN_N8N.indexOf(at);

	const address = () => environment.webhookUrl(event);
	const onFirst = (others: INodeParameters = {}) => onAssistant(1, event, others);

	function workflow(webhookUrl = oldServer.url, others: INodeParameters = {}) {
		const instance = environment.instance({ webhookUrl });
		const node = new TriggerNode(instance, { parameters: onFirst(others) });
		return new EmulatedLifecycle(node, version);
	}

	async function published(webhookUrl?: string, others?: INodeParameters) {
		const lifecycle = workflow(webhookUrl, others);
		if (webhookUrl === undefined) oldServer.serve(lifecycle);
		await lifecycle.publish();
		return lifecycle;
	}

	/** What another n8n has, after the data of the first one were copied to it. */
	function copyOf(
		{ staticData }: EmulatedLifecycle,
		others: INodeParameters = {},
		changed: Partial<Instance> = {},
	) {
		const { node } = workflow(newServer.url, others);
		const copy = new EmulatedLifecycle(
			node.copyWith({}, { ...node.instance, ...changed }),
			version,
		);
		copy.staticData = structuredClone(staticData);
		letTimePass();
		return newServer.serve(copy);
	}

	const warningsOf = ({ node }: EmulatedLifecycle) => node.instance.warnings;

	it('takes nothing of the first one, and says so', async () => {
		const copy = copyOf(await published());
		await expectUnchanged(() => copy.unpublish());
		expect(warningsOf(copy)).toEqual([
			expect.stringContaining(
				`The trigger leaves the webhook URL of the assistant 'Caller' (ID 1) as it is, because it leads to the host ${new URL(oldServer.url).host} and not to this n8n.`,
			),
		]);
		await expectUnchanged(async () => {
			expect(await failureMessage(copy.publish())).toContain(
				`already go to the host ${new URL(oldServer.url).host}`,
			);
			await copy.unpublish();
		});
		// Once, although n8n 2.41 calls the hook after each attempt.
		expect(warningsOf(copy)).toHaveLength(1);
	});

	it('takes the calls with Replace Existing Webhook, and gives them back', async () => {
		const first = await published();
		const before = await address();
		const copy = copyOf(first, REPLACING);
		await copy.publish();
		expect(await address()).toContain(newServer.url);
		await expectUnchanged(() => first.unpublish());
		await copy.unpublish();
		expect(await address()).toBe(before);
	});

	it.each(['unpublished there', 'gone'])(
		'registers anew when the first one is %s, also at another path, and puts back what that one replaced',
		async (how) => {
			await register(event, CRM_URL);
			const first = await published(how === 'gone' ? CLOSED_URL : undefined, REPLACING);
			if (how !== 'gone') oldServer.serve(workflow());
			// Its log names the address to which the calls went.
			const moved = copyOf(first, {}, { webhookPath: 'n8n/webhook', infos: [] });
			await moved.unpublish();
			expect(warningsOf(moved)).toHaveLength(1);
			await moved.publish();
			expect(await address()).toContain(`${newServer.url}/n8n/webhook/`);
			expect(moved.node.instance.infos).toContainEqual(
				expect.stringContaining('where no n8n receives them for this trigger'),
			);
			await moved.unpublish();
			expect(await address()).toBe(CRM_URL);
		},
	);

	it('recognises itself at the same address with a new database and another key', async () => {
		await published();
		const instance = { ...environment.instance({ webhookUrl: oldServer.url }), id: 'instance-2' };
		const { node } = workflow();
		const parameters = onFirst(REPLACING);
		const fresh = new EmulatedLifecycle(node.copyWith({ parameters }, instance), version);
		letTimePass();
		await fresh.publish();
		await fresh.unpublish();
		// The URL of its former self is not put back.
		expect(await address()).toBeNull();
	});

	it('removes a URL with the former path of the same host', async () => {
		const first = await published();
		const { node } = workflow();
		const moved = new EmulatedLifecycle(
			node.copyWith({}, { ...node.instance, webhookPath: 'n8n/webhook' }),
			version,
		);
		moved.staticData = first.staticData;
		letTimePass();
		await moved.unpublish();
		expect(await address()).toBeNull();
	});

	const answers: Array<[string, StubResponse]> = [
		['a 404 of other words', { status: 404, body: { code: 404, message: 'No such webhook' } }],
		['the words of n8n with another status', { body: { message: NOT_REGISTERED } }],
		['a page with 404', { status: 404, body: '<h1>Not Found</h1>' }],
		['502', { status: 502, body: '<h1>Bad Gateway</h1>' }],
		['401 of other words', { status: 401, body: { message: 'Log in' } }],
		['a redirect', { status: 301, headers: { location: CLOSED_URL } }],
	];
	it.each(sampled(answers, 3, row))(
		'takes nothing where %s does not prove that nobody is there',
		async (_, answer) => {
			const first = await startStub(() => answer);
			const copy = copyOf(await published(first.origin));
			await expectUnchanged(async () => {
				const message = await failureMessage(copy.publish());
				expect(message).toContain(`already go to the host ${new URL(first.origin).host}`);
				expect(message).toContain("switch on 'Replace Existing Webhook'");
			});
			// No token is sent.
			for (const { method, url, authorization } of first.requests) {
				expect([method, url.includes('?'), authorization]).toEqual(['GET', false, undefined]);
			}
		},
	);

	it('registers after n8n was killed in the publish before', async () => {
		const lifecycle = workflow();
		const stored = structuredClone(lifecycle.staticData);
		await environment.fault('updateAssistant', { drop: true });
		await environment.fault('enableInboundWebhook', { drop: true });
		await withoutWaits(() => getFailure(lifecycle.node.hook('create', 'production', {})));
		await environment.service.control.clearFaults();
		// A new process, with the database as it was before.
		letTimePass();
		lifecycle.staticData = stored;
		await lifecycle.publish();
		expect(await address()).toContain(`${oldServer.url}/`);
	});

	it('registers again, at once, what another system has taken in between', async () => {
		const lifecycle = await published(undefined, REPLACING);
		await register(event, THIRD_URL);
		lifecycle.node.settings.nodeName = 'Renamed';
		await lifecycle.publish();
		expect(await address()).toContain(`${oldServer.url}/`);
		await register(event, THIRD_URL);
		await lifecycle.unpublish();
		const { alice } = environment.service;
		const disable = event === 'callCompleted' ? 'disable-webhook' : 'disable-inbound-webhook';
		await alice.post(`/user/assistants/${disable}`, { assistant_id: 1 });
		await lifecycle.publish();
		expect(await address()).toContain(`${oldServer.url}/`);
	});

	it('says nothing of a URL that somebody has taken off before the unpublish', async () => {
		const lifecycle = await published();
		const disable = event === 'callCompleted' ? 'disable-webhook' : 'disable-inbound-webhook';
		await environment.service.alice.post(`/user/assistants/${disable}`, { assistant_id: 1 });
		await lifecycle.unpublish();
		expect(warningsOf(lifecycle)).toEqual([]);
		expect(await address()).toBeNull();
	});

	describe('after a wrong credential was corrected', () => {
		const elsewhere = { baseUrl: otherService.service.url };
		const wrongs = [
			{ account: 'without the assistant', wrong: { apiToken: BOB }, isUnpublished: false },
			{ account: 'without the assistant', wrong: { apiToken: BOB }, isUnpublished: true },
			{ account: 'with such an assistant', wrong: elsewhere, isUnpublished: false },
			{ account: 'with such an assistant', wrong: elsewhere, isUnpublished: true },
		];
		it.each(sampled(wrongs, 3, row))(
			'puts back what was replaced: of an account $account, unpublished in between: $isUnpublished',
			async ({ wrong, isUnpublished }) => {
				await register(event, CRM_URL);
				const lifecycle = await published(undefined, REPLACING);
				const { credential } = lifecycle.node.instance.n8n;
				const right = { ...credential };
				Object.assign(credential, wrong);
				if (isUnpublished) await lifecycle.unpublish();
				// An edit, so that n8n 2.41 calls the hooks.
				lifecycle.node.settings.nodeName = 'Renamed';
				const isDone = await withoutWaits(() => lifecycle.publish()).then(
					() => true,
					() => false,
				);
				expect(isDone).toBe('baseUrl' in wrong);
				expect(warningsOf(lifecycle)).toContainEqual(
					expect.stringContaining(
						'may still be registered at the assistant 1, which the present credential does not show',
					),
				);
				letTimePass();
				if (isUnpublished && isDone) await lifecycle.unpublish();
				Object.assign(credential, right);
				lifecycle.node.settings.nodeName = 'Call Completed';
				await lifecycle.publish();
				expect(await address()).toContain(`${oldServer.url}/`);
				await lifecycle.unpublish();
				expect(await address()).toBe(CRM_URL);
			},
		);
	});

	it('takes off what it has registered for the former value of an expression', async () => {
		await register(event, CRM_URL);
		const { node, staticData } = await published(undefined, REPLACING);
		node.settings.parameters = onAssistant(2, event, REPLACING);
		const changed = structuredClone(staticData);
		await node.hook('delete', 'production', changed);
		expect(await address()).toBe(CRM_URL);

		const again = await published(undefined, REPLACING);
		again.node.settings.parameters = onAssistant(2, event, REPLACING);
		// n8n 2.0 asks at its start.
		await again.node.hook('create', 'production', again.staticData, 'init');
		expect(await address()).toBe(CRM_URL);
		expect(await environment.webhookUrl(event, 2)).toContain(`${oldServer.url}/`);
	});

	it.each([
		['assistant is empty', onAssistant('', event, REPLACING)],
		['event is another one', onAssistant(1, OTHER_EVENTS[event], REPLACING)],
		['event is none', { ...onAssistant(1, event, REPLACING), triggerOn: '' }],
	])('takes it off when the value of the expression for the %s', async (_, parameters) => {
		await register(event, CRM_URL);
		const { node, staticData } = await published(undefined, REPLACING);
		node.settings.parameters = parameters;
		await node.hook('delete', 'production', staticData);
		expect(await address()).toBe(CRM_URL);
		expect(warningsOf({ node } as EmulatedLifecycle)).toEqual([]);
	});

	it('takes over the dead URL of a cloned assistant', async () => {
		const first = await published();
		const url = (await address()) ?? '';
		await first.unpublish();
		await register(event, url, 2);
		const second = (others: IDataObject = {}) => {
			const parameters = onAssistant(2, event, others as INodeParameters);
			const node = first.node.copyWith({ workflowId: 'workflow-2', parameters });
			return new EmulatedLifecycle(node, version);
		};
		expect(await failureMessage(second().publish())).toContain(
			"It is not published, so nobody receives them. Switch on 'Replace Existing Webhook' to take them.",
		);
		const replacing = second(REPLACING);
		await replacing.publish();
		await replacing.unpublish();
		expect(await environment.webhookUrl(event, 2)).toBeNull();
	});
});

it('a publish whose failure may leave something says so', async () => {
	const assistant = { id: 1, name: 'Caller', webhook_url: null, is_webhook_active: false };
	const service = await startStub((_, index) =>
		index === 0 ? { body: { last_page: 1, data: [assistant] } } : { status: 502, body: '<html>' },
	);
	const node = new TriggerNode(environment.instance({ baseUrl: `${service.origin}/api` }));
	const message = await withoutWaits(() => failureMessage(node.hook('create')));
	expect(message).toContain(
		"The webhook URL of this trigger may be left at the assistant 'Caller' (ID 1): ",
	);
});

it('a copy at a service that does not show URLs takes nothing either', async () => {
	const assistant = { id: 1, name: 'Caller', is_webhook_active: true };
	const service = await startStub(() => ({ body: { last_page: 1, data: [assistant] } }));
	const baseUrl = `${service.origin}/api`;
	const first = new TriggerNode(environment.instance({ baseUrl, webhookUrl: oldServer.url }), {
		parameters: onAssistant(1, 'callCompleted', REPLACING),
	});
	const data = {};
	await first.hook('create', 'production', data);
	letTimePass();
	const copy = first.copyWith({}, environment.instance({ baseUrl, webhookUrl: newServer.url }));
	const before = service.requests.length;
	await copy.hook('delete', 'production', structuredClone(data));
	expect(service.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
	expect(copy.instance.warnings).toHaveLength(1);
});

it('an empty error of n8n gets words', async () => {
	const node = new TriggerNode(environment.instance());
	const asked = await requestedOperations(async () => {
		const { n8n } = node.instance;
		n8n.credential.baseUrl = `={{ (() => { throw new Error('') })() }}`;
		expect(await failureMessage(node.hook('create'))).toMatch(/receives no calls now\. \S/);
	});
	expect(asked).toEqual([]);
});
