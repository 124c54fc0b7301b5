import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { A_CALL } from '../../../sandbox/test/support/calls.mts';
import { ALICE } from '../../../sandbox/test/support/seed.mts';
import { startWebhookServer } from '../../support/trigger/webhookServer.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { command, expectForAnySteps, LIMIT_MS } from '../../support/trigger/anySteps.mts';
import { isFulfilled, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, type WebhookKind } from '../../support/trigger/triggerNode.mts';

/**
 * Two n8n installations, an old one and a new one, have two workflows each. All workflows are copies of
 * each other. They and a person share one assistant, and act in any order.
 */
const ACTORS = ['old 1', 'old 2', 'new 1', 'new 2'] as const;
type Actor = (typeof ACTORS)[number];

const STEPS = ['publish', 'unpublish', 'listen', 'stopListening', 'restart'] as const;
/** What the steps have led to. */
interface Model {
	/** The registered address of the assistant. */
	url: string | null;
	/** Who registered it; undefined if no address is registered. */
	holder?: { actor: Actor | 'person'; kind: WebhookKind };
	isServiceDown: boolean;
}

type Lifecycles = Record<Actor, EmulatedLifecycle>;

const environment = await startTriggerEnvironment();
const { control } = environment.service;
const tokenProxy = await startTokenProxy(environment.service.url, ALICE);
const webhookServers = { old: await startWebhookServer(), new: await startWebhookServer() };

const getSite = (actor: Actor) => (actor.startsWith('old') ? 'old' : 'new');

async function begin(): Promise<{ model: Model; real: Lifecycles }> {
	await environment.service.reset();
	letTimePass();
	tokenProxy.tokens = new Set(['token-of-old', 'token-of-new']);
	const entries = ACTORS.map((actor) => {
		const site = getSite(actor);
		const instance = environment.instance({
			id: `instance-${site}`,
			webhookUrl: webhookServers[site].url,
			baseUrl: tokenProxy.url,
			apiToken: `token-of-${site}`,
		});
		// Copies made through the public API have the same webhook id and node id.
		const workflowId = actor.endsWith('1') ? 'workflow-1' : 'workflow-2';
		const node = new TriggerNode(instance, { workflowId });
		return [actor, new EmulatedLifecycle(node, site === 'old' ? '2.0' : '2.41')] as const;
	});
	const real = Object.fromEntries(entries) as Lifecycles;
	webhookServers.old.serve(real['old 1'], real['old 2']);
	webhookServers.new.serve(real['new 1'], real['new 2']);
	return { model: { url: null, isServiceDown: false }, real };
}

const setServiceDown = (isDown: boolean) =>
	isDown ? environment.fault('listAssistants', { drop: true }) : control.clearFaults();

/** The registered address, also while the service is down. */
async function registeredUrl({ isServiceDown }: Model): Promise<string | null> {
	if (isServiceDown) await setServiceDown(false);
	const url = await environment.webhookUrl();
	if (isServiceDown) await setServiceDown(true);
	return url;
}

/** Expects that a completed call starts the workflow of an actor, and no other one. */
async function expectReached(actor: Actor, { node }: EmulatedLifecycle): Promise<void> {
	const { executions } = webhookServers[getSite(actor)];
	const before = executions.length;
	await control.outbound({ assistant_id: 1, to: '+4915112345611' });
	await control.advance(A_CALL);
	expect(executions.slice(before).map((execution) => execution.node)).toEqual([node]);
}

/** One step of n8n with one of the workflows. */
const act = (actor: Actor, step: (typeof STEPS)[number]) =>
	command(`${actor}: ${step}`, async (model: Model, lifecycles: Lifecycles) => {
		const { holder, url: before } = model;
		const lifecycle = lifecycles[actor];
		const wasPublished = lifecycle.isPublished;
		const isDone = await isFulfilled(lifecycle[step]());
		const after = await registeredUrl(model);
		model.url = after;

		if (after !== before) {
			expect([undefined, actor]).toContain(holder?.actor);
			if (step === 'listen' || step === 'stopListening') {
				expect(holder?.kind).not.toBe('production');
			}
			const kind = after?.includes('/webhook-test/') ? 'test' : 'production';
			model.holder = after === null ? undefined : { actor, kind };
		}
		if (step === 'publish' && !model.isServiceDown) {
			if (holder === undefined && !wasPublished) expect(isDone).toBe(true);
			const ranHooks = !wasPublished || lifecycle.version === '2.0';
			if (isDone && ranHooks) await expectReached(actor, lifecycle);
		}
	});

/** A person registers an address, or removes the registered one. */
const byHand = (url: string | null) =>
	command(`person: ${url ?? 'takes the address off'}`, async (model: Model) => {
		// For a minute, a list without the address could be an old one.
		letTimePass();
		if (url === null) await environment.unregister();
		else await environment.register('callCompleted', url);
		model.url = url;
		model.holder = url === null ? undefined : { actor: 'person', kind: 'production' };
	});

/** An installation gets another API token, and the old one is revoked. */
const rotate = (site: 'old' | 'new') =>
	command(`${site}: API token rotated`, (_: Model, lifecycles: Lifecycles) => {
		for (const actor of ACTORS.filter((one) => getSite(one) === site)) {
			const { credential } = lifecycles[actor].node.instance.n8n;
			tokenProxy.tokens.delete(credential.apiToken);
			credential.apiToken += '+';
			tokenProxy.tokens.add(credential.apiToken);
		}
		return Promise.resolve();
	});

/** The service goes down or comes up again. */
const goDown = (isDown: boolean) =>
	command(`service: ${isDown ? 'down' : 'up'}`, async (model: Model) => {
		model.isServiceDown = isDown;
		await setServiceDown(isDown);
	});

it(
	'workflows never remove or replace an address that is not their own, and are reached once published',
	() =>
		expectForAnySteps(
			begin,
			// All entries are equally likely: most steps are n8n's, and the service is mostly up.
			[
				...STEPS.map((step) => fc.constantFrom(...ACTORS).map((actor) => act(actor, step))),
				...STEPS.map((step) => fc.constant(act('new 1', step))),
				fc.constantFrom(null, 'https://crm.example.org/calls').map(byHand),
				fc.constantFrom('old' as const, 'new' as const).map(rotate),
				fc.constantFrom(true, false, false).map(goDown),
			],
			30,
		),
	LIMIT_MS,
);
