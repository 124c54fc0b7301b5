import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { byId } from '../../support/n8n/operations.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { failureOf, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	toolIdsOf,
	toolParameters,
	toolsOf,
	toolTrigger,
} from '../../support/trigger/toolTrigger.mts';
import type { CallHook, TriggerNode } from '../../support/trigger/triggerNode.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const environment = await startTriggerEnvironment();

const OTHERS_TOOL = 1;

const trigger = (assistantIds: number[] = [1], parameters: IDataObject = {}): TriggerNode =>
	toolTrigger(environment.instance(), { parameters: toolParameters(assistantIds, parameters) });

const operations = (work: () => Promise<unknown>) => environment.requestedOperations(work);

/** n8n calls `delete` for all methods: one after the other (2.0), or at the same time (2.41). */
const removals = [
	[
		'2.0',
		async (hook: CallHook, { methods }: TriggerNode) => {
			for (let count = methods.length; count > 0; count--) await hook('delete');
		},
	],
	[
		'2.41',
		async (hook: CallHook, { methods }: TriggerNode) => {
			await Promise.all(methods.map(() => hook('delete')));
		},
	],
] as const;

describe.each(removals)('the hooks of n8n %s', (version, removeAll) => {
	const published = async (node = trigger()) => {
		const lifecycle = new Lifecycle(node, version);
		await lifecycle.publish();
		return lifecycle;
	};

	it('unpublish with one read and one write, although n8n calls delete for each method', async () => {
		const lifecycle = await published();
		expect(await operations(() => lifecycle.unpublish())).toEqual([
			'listAssistants',
			'updateAssistant',
		]);
	});

	it('ask a service that is down once, not once for each method', async () => {
		const lifecycle = await published();
		await environment.fault('listAssistants', { drop: true });
		const asked = await operations(() => withoutWaits(() => lifecycle.unpublish()));
		// One read, and its tries.
		expect(asked).toHaveLength(4);
		expect(lifecycle.node.instance.warnings).toHaveLength(1);
	});

	it('ask a service that wants a pause once for each attempt to publish', async () => {
		const lifecycle = new Lifecycle(trigger(), version);
		await environment.fault('listAssistants', { status: 429, headers: { 'retry-after': '60' } });
		const asked = await operations(() => failureOf(lifecycle.publish()));
		expect(asked).toHaveLength(version === '2.0' ? 1 : 5);
		expect(lifecycle.node.instance.warnings).toEqual([]);
	});

	it('end a test with one read, although each call of delete gets other static data', async () => {
		const existing = { tool: 'existing', toolId: byId(2), options: { replaceTool: true } };
		const lifecycle = new Lifecycle(trigger([1], existing), version);
		await lifecycle.listen();
		expect(await operations(() => lifecycle.stopListening())).toEqual([
			'listAssistants',
			'updateAssistant',
			'updateTool',
		]);
	});

	it('register an edited tool, also when the service refused to unregister the one before', async () => {
		const { node, staticData } = await published();
		await environment.fault('listAssistants', { status: 403 });
		await node.withHooks('production', staticData, (hook) => removeAll(hook, node));
		await environment.service.control.clearFaults();

		const edited = trigger([1], { description: 'Edited' });
		const lifecycle = new Lifecycle(edited, version);
		lifecycle.staticData = staticData;
		await lifecycle.publish();
		expect((await toolsOf(environment)).at(-1)).toMatchObject({ description: 'Edited' });
	});

	it('take the tool away again when the next version is attached only in part', async () => {
		const { node, staticData } = await published();
		await node.withHooks('production', staticData, (hook) => removeAll(hook, node));

		const edited = trigger([1, 2]);
		await environment.fault('updateAssistant', { status: 500, times: 1 });
		await edited.withHooks('production', staticData, async (hook) => {
			await failureOf(hook('create'));
		});
		await edited.withHooks('production', staticData, (hook) => removeAll(hook, edited));
		expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL]);
		expect(await toolIdsOf(environment, 2)).toEqual([]);
	});

	it('unpublish at once after a failed unpublish, when the service answers again', async () => {
		const lifecycle = await published();
		await environment.fault('listAssistants', { drop: true });
		await withoutWaits(() => lifecycle.unpublish());
		await environment.service.control.clearFaults();
		await lifecycle.unpublish();
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL]);
	});
});
