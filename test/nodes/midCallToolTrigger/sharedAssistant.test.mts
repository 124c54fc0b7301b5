import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { twoUsers } from '../../../sandbox/test/support/seed.mts';
import { command, expectForAnySteps, LIMIT_MS } from '../../support/trigger/anySteps.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { isFulfilled, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	getToolIds,
	triggerParameters,
	getTools,
	toolTrigger,
} from '../../support/trigger/toolTrigger.mts';

/**
 * Workflows of two n8n installations share two assistants with each other and with a person who attaches
 * and detaches tools by hand. All act in any order, and the service fails at times.
 */
const ACTORS = ['old first', 'old second', 'new first', 'new second'] as const;
type Actor = (typeof ACTORS)[number];

const ASSISTANTS = [1, 2];
/** Alice's own tools. */
const PERSONS_TOOLS = [1, 2];

/** The tools that the person attached, by assistant. */
type Model = Map<number, number[]>;

type Lifecycles = Record<Actor, EmulatedLifecycle>;

const [alice, ...others] = twoUsers().users;
const environment = await startTriggerEnvironment({
	seed: { users: [{ ...alice, tool_quota: 100 }, ...others] },
});

const toolsByHand = async (assistantId: number): Promise<unknown[]> =>
	(await getToolIds(environment, assistantId)).filter((id) => PERSONS_TOOLS.includes(Number(id)));

/** The assistants that have the tool of an actor. */
async function assistantsWith(lifecycle: EmulatedLifecycle): Promise<number[]> {
	const { name } = lifecycle.node.settings.parameters;
	const found = await Promise.all(
		ASSISTANTS.map(async (id) =>
			(await getTools(environment, id)).some((tool) => tool.name === name) ? [id] : [],
		),
	);
	return found.flat();
}

async function begin(): Promise<{ model: Model; real: Lifecycles }> {
	await environment.service.reset();
	letTimePass();
	const entries = ACTORS.map((actor) => {
		const [site = '', which] = actor.split(' ');
		const name = actor.replace(' ', '_');
		// Records show the tools, unless there are none.
		const parameters = triggerParameters([1], { name, otherTools: 'none' });
		const instance = environment.instance({ id: site, webhookUrl: `https://${site}.example.com` });
		const node = toolTrigger(instance, { workflowId: which, parameters });
		return [actor, new EmulatedLifecycle(node, site === 'old' ? '2.0' : '2.41')] as const;
	});
	return {
		model: new Map([
			[1, [1]],
			[2, []],
		]),
		real: Object.fromEntries(entries) as Lifecycles,
	};
}

/** One step of n8n with one of the workflows. */
const act = (
	actor: Actor,
	step: 'publish' | 'unpublish' | 'listen' | 'restart',
	assistantIds: number[],
	isFailing: boolean,
) =>
	command(
		`${actor}: ${step} on ${assistantIds.join()}${isFailing ? ', failing' : ''}`,
		async (byHand: Model, lifecycles: Lifecycles) => {
			const lifecycle = lifecycles[actor];
			const { settings } = lifecycle.node;
			if (step === 'publish') {
				const { assistants } = triggerParameters(assistantIds);
				settings.parameters = { ...settings.parameters, assistants };
			}
			if (isFailing) await environment.fault('updateAssistant', { status: 500, times: 1 });
			const isDone = await isFulfilled(lifecycle[step]());
			await environment.service.control.clearFaults();

			for (const [assistantId, tools] of byHand) {
				expect((await toolsByHand(assistantId)).toSorted()).toEqual(tools.toSorted());
			}
			if (isFailing) return;
			if (step === 'publish' && isDone) {
				expect(await assistantsWith(lifecycle)).toEqual(assistantIds.toSorted());
			}
			if (step === 'unpublish') expect(await assistantsWith(lifecycle)).toEqual([]);
			if (step === 'listen') expect(isDone).toBe(false);
		},
	);

/** The person attaches exactly these of the person's tools, and leaves the others. */
const attachByHand = (assistantId: number, tools: number[]) =>
	command(`person: tools ${tools.join()} on ${assistantId}`, async (byHand: Model) => {
		const ids = await getToolIds(environment, assistantId);
		const others = ids.filter((id) => !PERSONS_TOOLS.includes(Number(id)));
		await environment.updateAssistant({ tool_ids: [...tools, ...others] }, assistantId);
		byHand.set(assistantId, tools);
	});

const steps = fc.constantFrom('publish', 'publish', 'unpublish', 'listen', 'restart' as const);
const chosen = fc.uniqueArray(fc.constantFrom(...ASSISTANTS), { minLength: 1 });

it('an empty 200 of a gateway leaves the tool neither off when published, nor on when unpublished', async () => {
	await environment.service.reset();
	const parameters = triggerParameters([1], { name: 'behind_a_gateway' });
	const lifecycle = new EmulatedLifecycle(toolTrigger(environment.instance(), { parameters }));
	const emptyOnce = { status: 200, body: '', times: 1 };
	for (const operation of ['updateAssistant', 'updateTool']) {
		await environment.fault(operation, emptyOnce);
		await lifecycle.publish();
		expect(await assistantsWith(lifecycle)).toEqual([1]);
		await environment.fault(operation, emptyOnce);
		await lifecycle.unpublish();
		expect(await assistantsWith(lifecycle)).toEqual([]);
	}
	await environment.service.control.clearFaults();
});

describe('workflows that share assistants', () => {
	it(
		'never take a tool that is not their own, and are attached as chosen once they are published',
		() =>
			expectForAnySteps(
				begin,
				[
					fc
						.tuple(fc.constantFrom(...ACTORS), steps, chosen, fc.boolean())
						.map((step) => act(...step)),
					fc
						.tuple(fc.constantFrom(...ASSISTANTS), fc.subarray(PERSONS_TOOLS))
						.map((change) => attachByHand(...change)),
				],
				15,
			),
		LIMIT_MS,
	);

	it('create one tool each, however often they are published', async () => {
		const { real } = await begin();
		const lifecycles = Object.values(real);
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
