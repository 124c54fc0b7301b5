import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { A_CALL } from '../../support/sandbox/calls.mts';
import { ALICE } from '../../support/sandbox/seed.mts';
import { startWebhookServer, type WebhookServer } from '../../support/trigger/webhookServer.mts';
import { startTokenProxy } from '../../support/trigger/tokenProxy.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import { TriggerNode, type WebhookKind } from '../../support/trigger/triggerNode.mts';

/**
 * Two n8n installations, an old one and a new one, have two workflows each. All workflows are copies of
 * each other. They and a person share one assistant, and act in any order.
 */
const ACTORS = ['old 1', 'old 2', 'new 1', 'new 2'] as const;
type Actor = (typeof ACTORS)[number];

const STEPS = ['publish', 'unpublish', 'listen', 'stopListening', 'restart'] as const;
type Step = (typeof STEPS)[number];

interface Model {
	/** The registered address of the assistant. */
	url: string | null;
	/** Who registered it; undefined if no address is registered. */
	holder?: { actor: Actor | 'person'; kind: WebhookKind };
}

interface Real {
	lifecycles: Record<Actor, Lifecycle>;
	webhookServers: Record<'old' | 'new', WebhookServer>;
	isDown: boolean;
}

type Command = fc.AsyncCommand<Model, Real>;

const environment = await startTriggerEnvironment();
const tokenProxy = await startTokenProxy(environment.service.url, ALICE);
const webhookServers = { old: await startWebhookServer(), new: await startWebhookServer() };

const address = async () => (await environment.registration('callCompleted')).url;

const siteOf = (actor: Actor) => (actor.startsWith('old') ? 'old' : 'new');

async function begin(): Promise<{ model: Model; real: Real }> {
	await environment.service.reset();
	tokenProxy.tokens = new Set(['token-of-old', 'token-of-new']);
	const lifecycleOf = (actor: Actor): Lifecycle => {
		const site = siteOf(actor);
		const instance = environment.instance({
			id: `instance-${site}`,
			webhookUrl: webhookServers[site].url,
			baseUrl: tokenProxy.url,
			apiToken: `token-of-${site}`,
		});
		// Copies made through the public API have the same webhook id and node id.
		const workflowId = actor.endsWith('1') ? 'workflow-1' : 'workflow-2';
		const node = new TriggerNode(instance, { workflowId });
		return new Lifecycle(node, site === 'old' ? '2.0' : '2.41');
	};
	const entries = ACTORS.map((actor) => [actor, lifecycleOf(actor)] as const);
	const lifecycles = Object.fromEntries(entries) as Real['lifecycles'];
	webhookServers.old.serve(lifecycles['old 1'], lifecycles['old 2']);
	webhookServers.new.serve(lifecycles['new 1'], lifecycles['new 2']);
	return { model: { url: null }, real: { lifecycles, webhookServers, isDown: false } };
}

/** One step of n8n with one of the workflows. */
class Act implements Command {
	readonly actor: Actor;
	readonly step: Step;

	constructor(actor: Actor, step: Step) {
		this.actor = actor;
		this.step = step;
	}

	toString = () => `${this.actor}: ${this.step}`;

	check = () => true;

	async run(model: Model, real: Real): Promise<void> {
		const { holder, url: before } = model;
		const lifecycle = real.lifecycles[this.actor];
		const wasPublished = lifecycle.isPublished;
		const isDone = await lifecycle[this.step]().then(
			() => true,
			() => false,
		);
		const after = await this.#look(real);
		model.url = after;

		if (after !== before) {
			expect([undefined, this.actor]).toContain(holder?.actor);
			if (this.step === 'listen' || this.step === 'stopListening') {
				expect(holder?.kind).not.toBe('production');
			}
			const kind = after?.includes('/webhook-test/') ? 'test' : 'production';
			model.holder = after === null ? undefined : { actor: this.actor, kind };
		}
		if (this.step === 'publish' && !real.isDown) {
			if (holder === undefined && !wasPublished) expect(isDone).toBe(true);
			const ranHooks = !wasPublished || lifecycle.version === '2.0';
			if (isDone && ranHooks) await this.#expectCalls(real);
		}
	}

	async #look(real: Real): Promise<string | null> {
		if (!real.isDown) return await address();
		await environment.service.control.clearFaults();
		const url = await address();
		await environment.fault('listAssistants', { drop: true });
		return url;
	}

	async #expectCalls({ lifecycles, webhookServers }: Real): Promise<void> {
		const { executions } = webhookServers[siteOf(this.actor)];
		const before = executions.length;
		await environment.service.control.outbound({ assistant_id: 1, to: '+4915112345611' });
		await environment.service.control.advance(A_CALL);
		expect(executions.slice(before).map(({ node }) => node)).toEqual([lifecycles[this.actor].node]);
	}
}

/** A person registers an address, or removes the registered one. */
class ByHand implements Command {
	readonly url: string | null;

	constructor(url: string | null) {
		this.url = url;
	}

	toString = () => `person: ${this.url ?? 'takes the address off'}`;

	check = () => true;

	async run(model: Model): Promise<void> {
		if (this.url === null) {
			await environment.service.alice.post('/user/assistants/disable-webhook', { assistant_id: 1 });
			delete model.holder;
			model.url = null;
		} else {
			await environment.register('callCompleted', this.url);
			model.holder = { actor: 'person', kind: 'production' };
			model.url = this.url;
		}
	}
}

/** An installation gets another API token, and the old one is revoked. */
class Rotate implements Command {
	readonly site: 'old' | 'new';

	constructor(site: 'old' | 'new') {
		this.site = site;
	}

	toString = () => `${this.site}: API token rotated`;

	check = () => true;

	run(_model: Model, { lifecycles }: Real): Promise<void> {
		for (const actor of ACTORS.filter((one) => siteOf(one) === this.site)) {
			const { credential } = lifecycles[actor].node.instance.n8n;
			tokenProxy.tokens.delete(credential.apiToken);
			credential.apiToken += '+';
			tokenProxy.tokens.add(credential.apiToken);
		}
		return Promise.resolve();
	}
}

/** The service goes down or comes up again. */
class GoDown implements Command {
	readonly isDown: boolean;

	constructor(isDown: boolean) {
		this.isDown = isDown;
	}

	toString = () => `service: ${this.isDown ? 'down' : 'up'}`;

	check = () => true;

	async run(_model: Model, real: Real): Promise<void> {
		real.isDown = this.isDown;
		if (this.isDown) await environment.fault('listAssistants', { drop: true });
		else await environment.service.control.clearFaults();
	}
}

/** All entries are equally likely: most steps are n8n's, and the service is mostly up. */
const commands = fc.commands<Model, Real, false>(
	[
		...STEPS.map((step) => fc.constantFrom(...ACTORS).map((actor) => new Act(actor, step))),
		...STEPS.map((step) => fc.constant(new Act('new 1', step))),
		fc.constantFrom(null, 'https://crm.example.org/calls').map((url) => new ByHand(url)),
		fc.constantFrom('old' as const, 'new' as const).map((site) => new Rotate(site)),
		fc.constantFrom(true, false, false).map((isDown) => new GoDown(isDown)),
	],
	{ maxCommands: 30, size: 'max' },
);

const RUNS = 30;
const LIMIT_MS = 60_000;

describe('workflows that share an assistant', () => {
	it(
		'never remove or replace an address that is not their own, and are reached once published',
		() =>
			withoutWaits(() =>
				fc.assert(
					fc.asyncProperty(commands, (steps) => fc.asyncModelRun(begin, steps)),
					{ numRuns: RUNS },
				),
			),
		LIMIT_MS,
	);
});
