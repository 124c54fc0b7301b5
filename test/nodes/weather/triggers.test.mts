import { describe, expect, it } from '@jest/globals';
import { sleep } from 'n8n-workflow';
import { MID_CALL_TOOL_TRIGGER, TRIGGER } from '../../../host/n8n/names.mts';
import { triggerParameters } from '../../support/trigger/toolTrigger.mts';
import { onAssistant } from '../../support/trigger/triggerNode.mts';
import { CONDITIONS, handlerFor } from '../../support/weather/conditions.mts';
import {
	ASSISTANT_IDS,
	CRM_URL,
	PUBLISH_MS,
	startTriggersInWeather,
} from '../../support/weather/triggersInWeather.mts';

const { environment, subjects, present, workflow, under } = await startTriggersInWeather();
const [FIRST_ID = 0] = ASSISTANT_IDS;

describe.each(CONDITIONS)('at a service that %s', (_condition, conditions) => {
	it.each(subjects)(
		'the trigger for $name is published at the first attempt, and leaves what was there before',
		async (subject) => {
			await subject.prepare?.();
			const before = await present();
			const during = await under(conditions, async (server, takes) => {
				const { publish, unpublish } = stepsOf(workflow(subject, server));
				const published = await takes(publish);
				expect(published).toEqual({ ms: expect.any(Number) });
				expect(published.ms).toBeLessThan(PUBLISH_MS);
				const state = await present();
				const unpublished = await takes(unpublish);
				expect(unpublished.ms).toBeLessThan(PUBLISH_MS);
				return state;
			});
			expect(JSON.stringify(during)).not.toBe(JSON.stringify(before));
			expect(await present()).toEqual(before);
		},
	);

	it('two tools of one assistant are published at the same time, and taken away again', async () => {
		const before = await present();
		await under(conditions, async (server, takes) => {
			const tools = ['get_slots', 'book_slot'].map((name) =>
				workflow(
					{ type: MID_CALL_TOOL_TRIGGER, parameters: triggerParameters([FIRST_ID], { name }) },
					server,
				),
			);
			const both = (step: 'publish' | 'unpublish') => () =>
				Promise.all(tools.map((tool) => tool[step]()));
			expect(await takes(both('publish'))).toEqual({ ms: expect.any(Number) });
			const [assistant] = await present();
			expect(assistant?.tools).toHaveLength(2);
			expect(await takes(both('unpublish'))).toEqual({ ms: expect.any(Number) });
		});
		expect(await present()).toEqual(before);
	});
});

const stepsOf = (lifecycle: ReturnType<typeof workflow>) => ({
	publish: () => lifecycle.publish(),
	unpublish: () => lifecycle.unpublish(),
});

describe.each(subjects)('the trigger for $name in n8n 2.41', (subject) => {
	it.each([
		['is silent from the first read on', { readMs: 1e6 }],
		['hangs on each change', { changeMs: 1e6 }],
	])('ends its five attempts in time where the service %s', async (_what, conditions) => {
		await subject.prepare?.();
		await under(conditions, async (server, takes) => {
			const { publish } = stepsOf(workflow(subject, server, '2.41'));
			const { ms, failure } = await takes(publish);
			expect(failure).toMatch(
				/did not answer in time|not known whether the service created the tool/,
			);
			// n8n waits 15 seconds between its attempts.
			expect(ms + 15_000).toBeLessThan(PUBLISH_MS);
		});
	});

	it('is published where 2,000 assistants come in pages of 1 s', async () => {
		await subject.prepare?.();
		const page = { readMs: 1_000, changeMs: 8_000, pages: 20 };
		await under(page, async (server, takes) => {
			const { publish } = stepsOf(workflow(subject, server));
			const { ms, failure } = await takes(publish);
			expect(failure).toBeUndefined();
			expect(ms).toBeLessThan(60_000);
		});
	});
});

it('a change that takes 16 s is waited for', async () => {
	await under({ changeMs: 16_000 }, async (server, takes) => {
		const lifecycle = workflow({ type: TRIGGER, parameters: onAssistant(FIRST_ID) }, server);
		expect(await takes(() => lifecycle.publish())).toEqual({ ms: 16_000 });
		await takes(() => lifecycle.unpublish());
	});
});

it('a tool is waited for whose creation takes 40 s', async () => {
	await under({ creationMs: 40_000 }, async (server, takes) => {
		const parameters = triggerParameters([FIRST_ID]);
		const lifecycle = workflow({ type: MID_CALL_TOOL_TRIGGER, parameters }, server);
		expect(await takes(() => lifecycle.publish())).toEqual({ ms: 40_000 });
		await takes(() => lifecycle.unpublish());
	});
});

it('what was replaced is put back when a publish has used its time', async () => {
	await environment.register('callCompleted', CRM_URL, FIRST_ID);
	const before = await present();
	const body = { message: 'Too Many Attempts.', retry_after: 36 };
	await environment.service.control.fault({ operation: 'updateAssistant', status: 429, body });
	await under({ readMs: 3_000, changeMs: 8_000 }, async (server, takes) => {
		const options = { replaceExisting: true };
		const parameters = onAssistant(FIRST_ID, 'callCompleted', { options });
		const lifecycle = workflow({ type: TRIGGER, parameters }, server);
		expect((await takes(() => lifecycle.publish())).failure).toBeDefined();
	});
	expect(await present()).toEqual(before);
});

it('who tries again and again after a publish that has used its time succeeds', async () => {
	await under({ changeMs: 1e6 }, async (server, takes) => {
		const parameters = onAssistant(FIRST_ID);
		const lifecycle = workflow({ type: TRIGGER, parameters }, server, '2.41');
		expect((await takes(() => lifecycle.publish())).failure).toBeDefined();
		server.turn(handlerFor({}));
		const failures: Array<string | undefined> = [];
		for (let tries = 0; tries < 5; tries++) {
			await takes(async () => await sleep(6_000));
			failures.push((await takes(() => lifecycle.publish())).failure);
		}
		expect(failures).toContain(undefined);
		await takes(() => lifecycle.unpublish());
	});
});

it('an edited version is published where each change takes 8 s', async () => {
	await environment.register('callCompleted', CRM_URL, FIRST_ID);
	const options = { replaceExisting: true };
	await under({ readMs: 3_000, changeMs: 8_000 }, async (server, takes) => {
		const parameters = onAssistant(FIRST_ID, 'callCompleted', { options });
		const lifecycle = workflow({ type: TRIGGER, parameters }, server, '2.41');
		const { publish } = stepsOf(lifecycle);
		expect(await takes(publish)).toEqual({ ms: expect.any(Number) });
		lifecycle.node.settings.parameters = onAssistant(FIRST_ID, 'callCompleted', {
			options: { ...options, recording: 'include' },
		});
		const { ms, failure } = await takes(publish);
		expect(failure).toBeUndefined();
		expect(ms).toBeLessThan(PUBLISH_MS);
	});
});
