import { describe, expect, it } from '@jest/globals';
import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { POLL_TRIGGER } from '../../../host/n8n/names.mts';
import { n8nWith } from '../../support/n8n/n8n.mts';
import { stubServersPerTest } from '../../support/n8n/stubServer.mts';
import {
	EmulatedPollNode,
	onAssistants,
	SCHEDULERS,
} from '../../support/trigger/emulatedPollNode.mts';

const startServer = stubServersPerTest();

/** A trigger that is published and has polled, and the calls of each assistant. */
async function published(
	scheduler: (typeof SCHEDULERS)[number],
	startsSuperseded: boolean,
	parameters: INodeParameters = {},
) {
	const calls: IDataObject[] = [];
	let isHeld = false;
	let release = () => {};
	const server = await startServer(async ({ url }) => {
		const id = new URL(url, 'http://host').searchParams.get('assistant_id');
		const data = calls.filter(({ assistant }) => id === null || Number(id) === assistant);
		const response = { body: { last_page: 1, total: data.length, data } };
		if (isHeld) {
			isHeld = false;
			await new Promise<void>((resolve) => (release = resolve));
		}
		return response;
	});
	const n8n = n8nWith({ baseUrl: `${server.origin}/api`, apiToken: 'a-token' });
	const trigger = new EmulatedPollNode(n8n, parameters, scheduler);
	trigger.startsSuperseded = startsSuperseded;
	await trigger.publish();
	await trigger.poll();
	return {
		trigger,
		addCall: (id: number, assistant = 1) => {
			const created_at = new Date().toISOString();
			calls.push({ id, assistant, status: 'completed', type: 'outbound', duration: 3, created_at });
		},
		/** Calls a function that polls, until it has sent its next request. @returns how it goes on */
		hold: async (poll: () => Promise<void>) => {
			isHeld = true;
			const before = server.requests.length;
			const held = poll();
			await server.arrived(before + 1);
			const goOn = release;
			return async () => {
				goOn();
				await held;
			};
		},
	};
}

const N8NS = [
	...SCHEDULERS.map((scheduler) => [`2.41, ${scheduler}`, scheduler, false] as const),
	['2.0', 'in memory', true] as const,
];

describe.each(N8NS)('n8n %s', (_version, scheduler, startsSuperseded) => {
	const begin = (parameters?: INodeParameters) =>
		published(scheduler, startsSuperseded, parameters);

	it.each<[string, (trigger: EmulatedPollNode) => Promise<void>]>([
		['a poll', async (trigger) => await trigger.poll()],
		['a publish', async (trigger) => await trigger.publish()],
		[
			'an unpublish and a publish',
			async (trigger) => {
				trigger.unpublish();
				await trigger.publish();
			},
		],
	])(
		'a call starts the workflow once, when %s begins and ends while a poll reads',
		async (_what, other) => {
			const { trigger, addCall, hold } = await begin();
			addCall(7);
			const end = await hold(() => trigger.poll());
			await other(trigger);
			await end();
			await trigger.poll();
			expect(trigger.startedIds).toEqual([7]);
		},
	);

	it('a call starts the workflow once, when a poll ends while a publish reads', async () => {
		const { trigger, addCall, hold } = await begin();
		const endPublish = await hold(() => trigger.publish());
		addCall(7);
		const endOther = await hold(() => trigger.publish());
		await endPublish();
		await endOther();
		await trigger.poll();
		expect(trigger.startedIds).toEqual([7]);

		addCall(8);
		const endPoll = await hold(() => trigger.poll());
		const endThird = await hold(() => trigger.publish());
		await endPoll();
		await endThird();
		await trigger.poll();
		expect(trigger.startedIds).toEqual([7, 8]);
	});

	it.each([0, 1])(
		'a call that a poll reads during an unpublish starts the workflow once, %s executions later',
		async (earlier) => {
			const { trigger, addCall, hold } = await begin();
			const ids = Array.from({ length: earlier }, (_, index) => index + 1);
			for (const id of ids) {
				addCall(id);
				await trigger.poll();
			}
			addCall(7);
			const end = await hold(() => trigger.poll());
			trigger.unpublish();
			await end();
			await trigger.publish();
			expect(trigger.startedIds).toEqual([...ids, 7]);
			await trigger.poll();
			expect(trigger.startedIds).toEqual([...ids, 7]);
		},
	);

	it('the calls of an assistant that is chosen while a poll reads start the workflow', async () => {
		const { trigger, addCall, hold } = await begin(onAssistants(1));
		addCall(7);
		const end = await hold(() => trigger.poll());
		trigger.parameters = onAssistants(2);
		await trigger.publish();
		addCall(8, 2);
		await end();
		await trigger.poll();
		await trigger.poll();
		expect(trigger.startedIds).toContain(8);
	});
});

it('n8n 2.41 emits no calls of a poll whose version was superseded while it was reading', async () => {
	const { trigger, addCall, hold } = await published('in memory', false);
	const { n8n } = trigger;
	const nodes = [{ name: 'Calls', type: POLL_TRIGGER, parameters: {} }];
	const workflow = n8n.workflow({ id: 'superseded', nodes, connections: {}, staticData: {} });
	const node = workflow.getNode('Calls');
	if (!node) throw new Error('The workflow has no trigger');
	const emitted: unknown[] = [];
	const emit = (output: unknown) => emitted.push(output);
	const data = n8n.additionalData(workflow);
	const context = new PollContext(workflow, node, data, 'trigger', 'activate', emit);
	let isCurrent = true;
	const executor = Container.get(PollTriggerExecutor);
	const poll = executor.create(workflow, node, context, () => isCurrent);
	await workflow.expression.withIsolate(async () => await poll(true));
	addCall(7);
	await poll();
	expect(emitted).toMatchObject([[[{ json: { id: 7 } }]]]);
	addCall(8);
	const end = await hold(() => poll());
	isCurrent = false;
	await end();
	expect(emitted).toHaveLength(1);
});
