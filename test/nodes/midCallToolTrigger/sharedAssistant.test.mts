import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { twoUsers } from '../../support/sandbox/seed.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	toolIdsOf,
	toolParameters,
	toolsOf,
	toolTrigger,
} from '../../support/trigger/toolTrigger.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

/**
 * Workflows of two n8n installations share two assistants with each other and with a person who attaches
 * and detaches tools by hand. All act in any order, and the service fails at times.
 */
const ACTORS = ['old first', 'old second', 'new first', 'new second'] as const;
type Actor = (typeof ACTORS)[number];

const ASSISTANTS = [1, 2];
/** Alice's own tools. */
const PERSONS_TOOLS = [1, 2];

interface Model {
	/** The tools that the person attached, by assistant. */
	byHand: Map<number, number[]>;
}

interface Real {
	lifecycles: Record<Actor, Lifecycle>;
}

type Command = fc.AsyncCommand<Model, Real>;

const [alice, ...others] = twoUsers().users;
const environment = await startTriggerEnvironment({
	seed: { users: [{ ...alice, tool_quota: 100 }, ...others] },
});

const toolsByHand = async (assistantId: number): Promise<unknown[]> =>
	(await toolIdsOf(environment, assistantId)).filter((id) => PERSONS_TOOLS.includes(Number(id)));

/** The assistants that have the tool of an actor. */
async function assistantsWith(lifecycle: Lifecycle): Promise<number[]> {
	const { name } = lifecycle.node.settings.parameters;
	const found = await Promise.all(
		ASSISTANTS.map(async (id) =>
			(await toolsOf(environment, id)).some((tool) => tool.name === name) ? [id] : [],
		),
	);
	return found.flat();
}

async function begin(): Promise<{ model: Model; real: Real }> {
	await environment.service.reset();
	letTimePass();
	const lifecycleOf = (actor: Actor): Lifecycle => {
		const [site = '', which] = actor.split(' ');
		const instance = environment.instance({ id: site });
		const parameters = toolParameters([1], { name: actor.replace(' ', '_') });
		return new Lifecycle(
			toolTrigger(instance, { workflowId: which, parameters }),
			site === 'old' ? '2.0' : '2.41',
		);
	};
	const entries = ACTORS.map((actor) => [actor, lifecycleOf(actor)] as const);
	return {
		model: {
			byHand: new Map([
				[1, [1]],
				[2, []],
			]),
		},
		real: { lifecycles: Object.fromEntries(entries) as Real['lifecycles'] },
	};
}

/** One step of n8n with one of the workflows. */
class Act implements Command {
	readonly actor: Actor;
	readonly step: 'publish' | 'unpublish' | 'listen' | 'stopListening' | 'restart';
	readonly assistants: number[];
	readonly failing: boolean;

	constructor(actor: Actor, step: Act['step'], assistants: number[], failing: boolean) {
		this.actor = actor;
		this.step = step;
		this.assistants = assistants;
		this.failing = failing;
	}

	toString = () =>
		`${this.actor}: ${this.step} on ${this.assistants.join()}${this.failing ? ', failing' : ''}`;

	check = () => true;

	async run({ byHand }: Model, { lifecycles }: Real): Promise<void> {
		const lifecycle = lifecycles[this.actor];
		const { settings } = lifecycle.node;
		if (this.step === 'publish') {
			settings.parameters = { ...settings.parameters, ...onAssistants(this.assistants) };
		}
		if (this.failing) await environment.fault('updateAssistant', { status: 500, times: 1 });
		const isDone = await lifecycle[this.step]().then(
			() => true,
			() => false,
		);
		await environment.service.control.clearFaults();

		for (const [assistantId, tools] of byHand) {
			expect((await toolsByHand(assistantId)).toSorted()).toEqual(tools.toSorted());
		}
		if (this.failing) return;
		if (this.step === 'publish' && isDone) {
			expect(await assistantsWith(lifecycle)).toEqual([...new Set(this.assistants)].toSorted());
		}
		if (this.step === 'unpublish') expect(await assistantsWith(lifecycle)).toEqual([]);
		if (this.step === 'listen') expect(isDone).toBe(false);
	}
}

const onAssistants = (ids: number[]) => {
	const { assistants } = toolParameters(ids);
	return { assistants };
};

/** The person attaches exactly these of the person's tools, and leaves the others. */
class ByHand implements Command {
	readonly assistantId: number;
	readonly tools: number[];

	constructor(assistantId: number, tools: number[]) {
		this.assistantId = assistantId;
		this.tools = tools;
	}

	toString = () => `person: tools ${this.tools.join()} on ${this.assistantId}`;

	check = () => true;

	async run({ byHand }: Model): Promise<void> {
		const ids = await toolIdsOf(environment, this.assistantId);
		const others = ids.filter((id) => !PERSONS_TOOLS.includes(Number(id)));
		const { alice: client } = environment.service;
		const tool_ids = [...this.tools, ...others];
		await client.put(`/user/assistant/${this.assistantId}`, { tool_ids });
		byHand.set(this.assistantId, this.tools);
	}
}

const assistants = fc.uniqueArray(fc.constantFrom(...ASSISTANTS), { minLength: 1 });
const steps = fc.constantFrom('publish', 'publish', 'unpublish', 'listen', 'restart' as const);

const commands = fc.commands<Model, Real, false>(
	[
		fc
			.tuple(fc.constantFrom(...ACTORS), steps, assistants, fc.boolean())
			.map(([actor, step, ids, failing]) => new Act(actor, step as Act['step'], ids, failing)),
		fc
			.tuple(fc.constantFrom(...ASSISTANTS), fc.subarray(PERSONS_TOOLS))
			.map(([assistantId, tools]) => new ByHand(assistantId, tools)),
	],
	{ maxCommands: 15, size: 'max' },
);

const RUNS = 15;
const LIMIT_MS = 60_000;

describe('workflows that share assistants', () => {
	it(
		'never take a tool that is not their own, and are attached as chosen once they are published',
		() =>
			withoutWaits(() =>
				fc.assert(
					fc.asyncProperty(commands, (steps) => fc.asyncModelRun(begin, steps)),
					{ numRuns: RUNS },
				),
			),
		LIMIT_MS,
	);

	it('create one tool each, however often they are published', async () => {
		const { real } = await begin();
		const lifecycles = Object.values(real.lifecycles);
		for (let round = 0; round < 3; round++) {
			for (const lifecycle of lifecycles) await lifecycle.publish();
			for (const lifecycle of lifecycles) await lifecycle.unpublish();
		}
		const created = (await environment.service.control.requests()).filter(
			({ operation }) => operation === 'createTool',
		);
		expect(created).toHaveLength(ACTORS.length);
	});
});
