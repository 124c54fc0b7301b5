import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { asObject, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import { byId } from '../../support/n8n/operations.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import { failureMessage, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	existingTool,
	toolTrigger,
	triggerParameters,
} from '../../support/trigger/toolTrigger.mts';
import type { WebhookKind } from '../../support/trigger/triggerNode.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

/** At both services, Alice's assistant 1 has her tool 1, and nobody has her tool 2. */
const PERSONS_TOOL = 1;
const NEW_TOOL = 102;
const SECOND_NEW_TOOL = 103;

const NOT_SAID =
	"The service does not show which other tools these assistants have, such as 'get_weather' (ID 1), 'book_table' (ID 2), and publishing would take them off: choose under 'Other Tools of These Assistants' which ones they keep.";

const NONE = { otherTools: 'none' };

/** The user says that the assistants have these tools. */
const these = (...ids: number[]): IDataObject => ({
	otherTools: 'these',
	otherToolIds: { values: ids.map((id) => ({ toolId: byId(id) })) },
});

async function startEnvironment(service: 'contract' | 'current') {
	const environment = await startTriggerEnvironment({ service });
	const { alice, control } = environment.service;
	const trigger = (assistantIds: number[], parameters: IDataObject = {}, settings = {}) =>
		toolTrigger(environment.instance(), {
			parameters: triggerParameters(assistantIds, parameters),
			...settings,
		});
	/** What the service knows of an assistant, whether it shows it or not. */
	const settingsOf = async (id: number): Promise<JsonObject> => {
		const { body } = await control.request('GET', `/records/assistants/${id}`);
		return asObject(asObject(body, 'assistant').settings, 'settings');
	};
	return {
		...environment,
		alice,
		/** Alice's tools are gone. */
		deleteTools: () =>
			Promise.all([1, 2].map((id) => alice.request('DELETE', `/user/tools/${id}`))),
		endpointOf: async (id: number) =>
			String(asObject((await alice.get(`/user/tools/${id}`)).body, 'tool').endpoint),
		attached: () => Promise.all([1, 2].map(async (id) => (await settingsOf(id)).tool_ids)),
		builtInTools: async () => (await settingsOf(1)).tools,
		workflow: (...of: Parameters<typeof trigger>) => new EmulatedLifecycle(trigger(...of)),
		/** A workflow of the same n8n with another tool. */
		second: (assistantIds: number[], parameters: IDataObject = {}) =>
			new EmulatedLifecycle(
				trigger(
					assistantIds,
					{ name: 'book_slot', ...parameters },
					{ workflowId: 'workflow-2', nodeId: '3c1d7a34-0000-4000-8000-000000000002' },
				),
			),
		trigger,
		/** The bodies of the changes of a kind, the oldest first. */
		changes: async (operation: string): Promise<JsonObject[]> =>
			(await control.requests())
				.filter((request) => request.operation === operation)
				.map(({ body }) => asObject(body, 'body')),
	};
}

function edit({ node }: EmulatedLifecycle, ...fields: Parameters<typeof triggerParameters>): void {
	node.settings.parameters = triggerParameters(...fields);
	letTimePass();
}

/** A new process of n8n, which has the static data of the database. */
const afterRestart = async (...lifecycles: EmulatedLifecycle[]) => {
	for (const lifecycle of lifecycles) await lifecycle.restart();
};

const current = await startEnvironment('current');
const contract = await startEnvironment('contract');

describe('at a service whose records have built-in tools only', () => {
	const { attached, workflow, second, trigger, changes, alice } = current;

	it('publishing is refused until the user says which other tools the assistants have', async () => {
		await current.expectUnchanged(async () => {
			const { message, asked } = await current.failure(() => workflow([1]).publish());
			expect(message).toBe(notPublished(NOT_SAID));
			// Two lists before each of n8n's five attempts, and two in it. `delete` asks nothing.
			expect(asked).toHaveLength(20);
			expect(new Set(asked)).toEqual(new Set(['listAssistants', 'listTools']));
		});
		expect(await attached()).toEqual([[PERSONS_TOOL], []]);
	});

	it('nobody is asked where the account has no other tool, and built-in tools stay', async () => {
		await current.deleteTools();
		const tools = [{ type: 'end_call', description: 'At the end' }];
		await current.updateAssistant({ tools }, 1);
		const lifecycle = workflow([1]);
		await lifecycle.publish();
		expect(await attached()).toEqual([[NEW_TOOL], []]);
		expect(await current.builtInTools()).toEqual(tools);
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[], []]);
		expect(await current.builtInTools()).toEqual(tools);
	});

	it('the list of the user stays, and what is missing there is taken off', async () => {
		await current.updateAssistant({ tool_ids: [1, 2] }, 1);
		const lifecycle = workflow([1, 2], these(2));
		await lifecycle.publish();
		expect(await attached()).toEqual([
			[2, NEW_TOOL],
			[2, NEW_TOOL],
		]);
		await afterRestart(lifecycle);
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[2], [2]]);
	});

	it('with None, the assistants have only the tool, and nothing after it', async () => {
		const lifecycle = workflow([1], NONE);
		await lifecycle.publish();
		expect(await attached()).toEqual([[NEW_TOOL], []]);
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[], []]);
	});

	it('two workflows keep each other and what a person attached, also after a restart of n8n', async () => {
		const [one, two] = [workflow([1], these(1)), second([1, 2], these(1))];
		await Promise.all([one.publish(), two.publish()]);
		const both = [PERSONS_TOOL, NEW_TOOL, SECOND_NEW_TOOL];
		const sorted = async () => (await attached()).map((ids) => (ids as number[]).toSorted());
		const [first, others] = await sorted();
		expect(first).toEqual(both);
		expect(others).toHaveLength(2);

		await afterRestart(one, two);
		edit(one, [1], { ...these(1), description: 'Look up free slots, please' });
		await one.publish();
		expect(await sorted()).toEqual([both, others]);

		await afterRestart(one, two);
		await two.unpublish();
		const left = await sorted();
		expect(left[0]).toHaveLength(2);
		expect(left).toEqual([expect.arrayContaining([PERSONS_TOOL]), [PERSONS_TOOL]]);

		// Its tool is in the account, and nobody gets it back.
		edit(one, [1], these(1));
		await one.publish();
		expect(await sorted()).toEqual(left);
		await one.unpublish();
		expect(await attached()).toEqual([[PERSONS_TOOL], [PERSONS_TOOL]]);
	});

	it('other assistants get the tool, and those before lose it', async () => {
		const lifecycle = workflow([1], these(1));
		await lifecycle.publish();
		await afterRestart(lifecycle);
		edit(lifecycle, [2], these(1));
		await lifecycle.publish();
		expect(await attached()).toEqual([[PERSONS_TOOL], [PERSONS_TOOL, NEW_TOOL]]);
		expect(await current.endpointOf(NEW_TOOL)).toMatch(/\?n8n-assistants=2$/);
	});

	it('the tool is found and taken away without static data', async () => {
		await workflow([1], these(1)).publish();
		letTimePass();
		const node = trigger([1], these(1));
		await node.hook('create');
		expect(await attached()).toEqual([[PERSONS_TOOL, NEW_TOOL], []]);
		await node.hook('delete');
		expect(await attached()).toEqual([[PERSONS_TOOL], []]);
		expect(await current.endpointOf(NEW_TOOL)).toMatch(/\?n8n-assistants=none$/);
	});

	it('an update of the tool sends only what is different', async () => {
		const node = trigger([1], NONE);
		const data = {};
		await node.hook('create', 'production', data);
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
		await alice.put(`/user/tools/${NEW_TOOL}`, { description: 'Other' });
		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		await node.hook('create', 'production', data);
		expect((await changes('updateTool')).at(-1)).toEqual({
			description: 'Look up free slots when the person asks for one',
		});
	});

	it('a publish that did not reach an assistant does not count as one', async () => {
		const lifecycle = workflow([1], NONE);
		await current.fault('updateAssistant', { status: 500 });
		await withoutWaits(() => failureMessage(lifecycle.publish()));
		await current.service.control.clearFaults();
		letTimePass();
		await lifecycle.publish();
		expect(await attached()).toEqual([[NEW_TOOL], []]);
	});

	it('an unpublish that did not reach an assistant leaves nothing that counts as published', async () => {
		const lifecycle = workflow([1, 2], NONE);
		await lifecycle.publish();
		letTimePass();
		await current.fault('updateAssistant', { status: 500, path: '/api/user/assistant/1' });
		await withoutWaits(() => lifecycle.unpublish());
		await current.service.control.clearFaults();
		expect(await attached()).toEqual([[NEW_TOOL], []]);
		letTimePass();
		await lifecycle.publish();
		expect(await attached()).toEqual([[NEW_TOOL], [NEW_TOOL]]);
	});

	it('unpublishing takes nothing unseen from somebody who came later, and says so', async () => {
		await current.deleteTools();
		const lifecycle = workflow([1]);
		await lifecycle.publish();
		const tool = { description: 'Any', endpoint: 'https://crm.example.org', method: 'GET' };
		await alice.post('/user/tools', { name: 'later', ...tool });
		await current.updateAssistant({ tool_ids: [NEW_TOOL, SECOND_NEW_TOOL] }, 1);
		await afterRestart(lifecycle);
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[NEW_TOOL, SECOND_NEW_TOOL], []]);
		expect(lifecycle.node.instance.warnings.join()).toMatch(
			/may still be a tool of the assistant 1: The service does not show which other tools .* 'later'/,
		);
	});

	it('a tool of this n8n that does not say who has it is named, unless the user keeps it', async () => {
		await second([1], NONE).publish();
		await alice.put(`/user/tools/${NEW_TOOL}`, {
			endpoint: (await current.endpointOf(NEW_TOOL)).replace(/\?.*/, ''),
		});
		expect(await failureMessage(workflow([1], NONE).publish())).toBe(
			notPublished(
				"The tool 'book_slot' (ID 102) of another workflow of this n8n does not say which assistants have it, and they could lose it. Publish that workflow again, choose the tool under 'Other Tools of These Assistants', or delete it.",
			),
		);
		expect(await attached()).toEqual([[NEW_TOOL], []]);
		await workflow([1], these(NEW_TOOL)).publish();
		expect(await attached()).toEqual([[NEW_TOOL, SECOND_NEW_TOOL], []]);
	});

	it.each<[string, IDataObject, string]>([
		[
			'with a tool of the list that has the same name',
			{ ...these(1), name: 'get_weather' },
			"The assistant 'Caller' (ID 1) already has another tool 'get_weather' (ID 1). Enter another name, or set 'Tool' to 'Use Existing' and choose that tool.",
		],
		[
			'with a tool of the list that does not exist',
			these(1, 999),
			"'Other Tools of These Assistants' has a tool with the ID 999, which does not exist in this account. Remove the entry.",
		],
		[
			'with an empty list',
			these(),
			"'Other Tools of These Assistants' is 'These', and names no tool. Change it in the Mid Call Tool Trigger.",
		],
		[
			'with a word that is none of the three',
			{ otherTools: '={{ "all" }}' },
			"'Other Tools of These Assistants' must be Not Said, None or These. Change it in the Mid Call Tool Trigger.",
		],
	])('publishing is refused, and nothing changes, %s', async (_, parameters, message) => {
		await current.expectUnchanged(async () => {
			const failure = await failureMessage(trigger([1], parameters).hook('create'));
			expect(failure).toBe(notPublished(message));
		});
	});

	it.each([404, 405])(
		'without a list of tools (%i), the word of the user counts',
		async (status) => {
			await current.updateAssistant(
				{ tools: [{ type: 'end_call', description: 'At the end' }] },
				1,
			);
			await current.fault('listTools', { status });
			await current.fault('getTool', { status });
			expect(await failureMessage(workflow([1]).publish())).toBe(
				notPublished(NOT_SAID.replace(/, such as .*\(ID 2\)/, '')),
			);
			expect(await attached()).toEqual([[PERSONS_TOOL], []]);
			const lifecycle = workflow([1], these(1));
			await lifecycle.publish();
			expect(await attached()).toEqual([[PERSONS_TOOL, NEW_TOOL], []]);
			await afterRestart(lifecycle);
			await lifecycle.unpublish();
			expect(await attached()).toEqual([[PERSONS_TOOL], []]);
		},
	);

	it('a test uses a tool that this trigger has published before, and not one that it answers now', async () => {
		const lifecycle = workflow([1], these(1));
		await lifecycle.publish();
		edit(lifecycle, [1], { ...existingTool(NEW_TOOL), ...these(1) });
		await current.expectUnchanged(async () => {
			expect(await failureMessage(lifecycle.listen())).toContain('This workflow is published');
		});
		await lifecycle.unpublish();

		const endpoint = async (kind: WebhookKind, assistants: string) =>
			`${await lifecycle.node.url(kind)}?n8n-assistants=${assistants}`;
		await lifecycle.listen();
		expect(await attached()).toEqual([[PERSONS_TOOL, NEW_TOOL], []]);
		expect(await current.endpointOf(NEW_TOOL)).toBe(await endpoint('test', '1'));
		await lifecycle.stopListening();
		expect(await attached()).toEqual([[PERSONS_TOOL], []]);
		expect(await current.endpointOf(NEW_TOOL)).toBe(await endpoint('test', 'none'));

		letTimePass();
		await lifecycle.publish();
		expect(await attached()).toEqual([[PERSONS_TOOL, NEW_TOOL], []]);
		expect(await current.endpointOf(NEW_TOOL)).toBe(await endpoint('production', '1'));
	});

	it('a test does not take a tool of another system', async () => {
		const lifecycle = workflow([1], { ...existingTool(2, { replaceTool: true }), ...NONE });
		await current.expectUnchanged(async () => {
			expect(await failureMessage(lifecycle.listen())).toContain('belongs to the host');
		});
	});
});

describe('at a service whose records have the mid call tools', () => {
	const { attached, workflow } = contract;

	it.each([{}, NONE, these(2)])('the records count, whatever the user says: %j', async (said) => {
		// The record of assistant 1 proves it, so an empty one of assistant 2 is empty.
		const lifecycle = workflow([2], said);
		await lifecycle.publish();
		expect(await attached()).toEqual([[PERSONS_TOOL], [NEW_TOOL]]);
		await contract.updateAssistant({ tool_ids: [NEW_TOOL, 2] }, 2);
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[PERSONS_TOOL], [2]]);
	});

	it('where no record has a tool, nothing is proved', async () => {
		await contract.updateAssistant({ tool_ids: [] }, 1);
		expect(await failureMessage(workflow([1]).publish())).toBe(notPublished(NOT_SAID));
		await workflow([1], NONE).publish();
		expect(await attached()).toEqual([[NEW_TOOL], []]);
	});

	it('where no record has a tool, and the service lists none, the records count', async () => {
		await contract.updateAssistant({ tool_ids: [] }, 1);
		await contract.fault('listTools', { status: 404 });
		await contract.fault('getTool', { status: 404 });
		const lifecycle = workflow([1]);
		await lifecycle.publish();
		expect(await attached()).toEqual([[NEW_TOOL], []]);
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[], []]);
	});

	it('a workflow that was unpublished leaves no tool that another one attaches again', async () => {
		await contract.updateAssistant({ tool_ids: [] }, 1);
		await contract.deleteTools();
		const [one, two] = [workflow([1]), contract.second([1])];
		await one.publish();
		await one.unpublish();
		await two.publish();
		expect(await attached()).toEqual([[SECOND_NEW_TOOL], []]);
	});
});
