import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { asObject, getObjects, type JsonObject } from '../../../sandbox/test/support/contract.mts';
import { EmulatedLifecycle } from '../../support/trigger/emulatedLifecycle.mts';
import { notPublished } from '../../support/trigger/notPublished.mts';
import {
	failureMessage,
	getFailure,
	startTriggerEnvironment,
} from '../../support/trigger/testEnvironment.mts';
import {
	attachedTools,
	existingTool,
	SECRET,
	getToolIds,
	triggerParameters,
	getTools,
	toolTrigger,
} from '../../support/trigger/toolTrigger.mts';
import type { TriggerNode } from '../../support/trigger/triggerNode.mts';
import { letTimePass } from '../../support/trigger/letTimePass.mts';
import { withoutWaits } from '../../support/trigger/withoutWaits.mts';

const environment = await startTriggerEnvironment();
const { alice } = environment.service;

/** Alice's own tool, which assistant 1 has. Tool 2 is attached nowhere. */
const OTHERS_TOOL = 1;
const FIRST_NEW_TOOL = 102;

const trigger = (
	assistantIds: Array<number | string> = [1],
	parameters: IDataObject = {},
	settings: object = {},
) =>
	toolTrigger(environment.instance(), {
		parameters: triggerParameters(assistantIds, parameters),
		...settings,
	});

/** A trigger that is registered in production, and the static data of its workflow. */
async function live(node = trigger(), data: IDataObject = {}) {
	await node.hook('create', 'production', data);
	letTimePass();
	return { node, data };
}

const operations = environment.requestedOperations;

const setTools = (assistantId: number, tool_ids: number[]) =>
	environment.updateAssistant({ tool_ids }, assistantId);

const ownTool = async (assistantId = 1): Promise<JsonObject> =>
	asObject((await getTools(environment, assistantId)).at(-1), 'tool');

const attached = () => attachedTools(environment);

/** Expects that a function fails, and that nothing is written. */
const expectRefusal = (work: () => Promise<unknown>, message: unknown) =>
	environment.expectUnchanged(async () => {
		const error = await getFailure(work());
		expect([error.name, error.message]).toEqual(['NodeOperationError', message]);
	});

describe('publishing', () => {
	it('creates the tool as the node describes it, and attaches it beside the other tools', async () => {
		const headers = { header: [{ name: 'X-Shop', value: 'Bonn' }] };
		const node = trigger([1], { options: { timeout: 7, method: 'PUT', headers } });
		const asked = await operations(() => node.hook('create'));
		expect(asked).toEqual(['listAssistants', 'createTool', 'listAssistants', 'updateAssistant']);
		expect(await attached()).toEqual([[OTHERS_TOOL, FIRST_NEW_TOOL], []]);
		expect(await ownTool()).toMatchObject({
			name: 'get_free_slots',
			description: 'Look up free slots when the person asks for one',
			endpoint: `${await node.url('production')}?n8n-assistants=1`,
			method: 'PUT',
			timeout: 7,
			headers: [
				{ name: 'X-Shop', value: 'Bonn' },
				{ name: 'X-Call-Customer-Phone', value: '{{customer_phone}}' },
				{ name: 'X-Call-Assistant-Phone', value: '{{assistant_phone}}' },
				{ name: 'X-Call-Assistant-Id', value: '{{assistant_id}}' },
				{ name: SECRET, value: expect.stringMatching(/^[0-9a-f]{64}$/) },
			],
			schema: [{ name: 'day', type: 'string', description: 'The day of the appointment' }],
		});
	});

	it('attaches the tool to several assistants, each once', async () => {
		await live(trigger([2, 1, '2']));
		expect(await attached()).toEqual([[OTHERS_TOOL, FIRST_NEW_TOOL], [FIRST_NEW_TOOL]]);
	});

	it('does nothing when everything is as it should be', async () => {
		const { node, data } = await live();
		const asked = await operations(async () => {
			expect(await node.hook('checkExists', 'production', data)).toBe(true);
		});
		expect(asked).toEqual(['listAssistants', 'getTool']);
	});

	it.each<[string, () => Promise<unknown>]>([
		['was changed', () => alice.put(`/user/tools/${FIRST_NEW_TOOL}`, { description: 'Other' })],
		['has another secret', () => alice.put(`/user/tools/${FIRST_NEW_TOOL}`, { headers: [] })],
		[
			'does not ask for the number of the person',
			async () => {
				const headers = getObjects((await ownTool()).headers).filter(
					({ value }) => value !== '{{customer_phone}}',
				);
				await alice.put(`/user/tools/${FIRST_NEW_TOOL}`, { headers });
			},
		],
		['was taken from an assistant', () => setTools(1, [OTHERS_TOOL])],
	])('puts the tool right when it %s', async (_, change) => {
		const { node, data } = await live();
		const before = await ownTool();
		await change();
		expect(await node.hook('checkExists', 'production', data)).toBe(false);
		const asked = await operations(() => node.hook('create', 'production', data));
		expect(asked).not.toContain('createTool');
		expect(await ownTool()).toEqual({ ...before, updated_at: expect.any(String) });
	});

	it('finds its tool again without static data, by endpoint and secret', async () => {
		const { node } = await live();
		expect(await node.hook('checkExists')).toBe(true);
		expect(await operations(() => node.hook('create'))).not.toContain('createTool');
		expect(await attached()).toEqual([[OTHERS_TOOL, FIRST_NEW_TOOL], []]);
	});

	it.each([
		[404, 'Tool not found'],
		[403, 'This action is unauthorized.'],
	])('creates the tool anew when the account has lost it: %i', async (status, message) => {
		const { node, data } = await live();
		await node.hook('delete', 'production', data);
		await environment.fault('updateTool', { status, body: { message }, times: 1 });
		await node.hook('create', 'production', data);
		expect(await attached()).toEqual([[OTHERS_TOOL, FIRST_NEW_TOOL + 1], []]);
	});

	it('registers a new secret after n8n got another address, and keeps the tool', async () => {
		const { data } = await live();
		const before = await ownTool();
		const node = toolTrigger(environment.instance({ webhookUrl: 'https://new.example.com' }));
		await node.hook('create', 'production', data);
		const after = await ownTool();
		expect(after.id).toBe(before.id);
		expect(after.headers).not.toEqual(before.headers);
	});
});

describe('unpublishing', () => {
	it('takes the tool from all assistants, keeps it, and uses it again', async () => {
		const { node, data } = await live(trigger([1, 2]));
		await node.hook('delete', 'production', data);
		expect(await attached()).toEqual([[OTHERS_TOOL], []]);

		expect(await operations(() => node.hook('create', 'production', data))).toEqual([
			'listAssistants',
			'getTool',
			'updateTool',
			'updateAssistant',
			'updateAssistant',
		]);
		expect(await attached()).toEqual([[OTHERS_TOOL, FIRST_NEW_TOOL], [FIRST_NEW_TOOL]]);
	});

	it('leaves a tool that now belongs to another system', async () => {
		const { node, data } = await live();
		await alice.put(`/user/tools/${FIRST_NEW_TOOL}`, { endpoint: 'https://crm.example.org/tool' });
		await environment.expectUnchanged(() => node.hook('delete', 'production', data));
	});

	it.each([
		['also takes it from an assistant that was removed from the list since', [2]],
		['takes it away when the fields are empty by now', []],
	])('%s', async (_, assistantIds) => {
		const { node, data } = await live(trigger([1, 2]));
		node.settings.parameters = triggerParameters(assistantIds);
		await node.hook('delete', 'production', data);
		expect(await attached()).toEqual([[OTHERS_TOOL], []]);
	});
});

it.each([
	{ drop: 'after', times: 1 },
	{ status: 408, body: '<html>Request Time-out</html>', times: 4 },
	{ status: 499, body: '<html>Client Closed Request</html>', times: 4 },
])('a publish that gets %j when it creates the tool does not create another one', async (fault) => {
	const lifecycle = new EmulatedLifecycle(trigger());
	await environment.fault('createTool', fault);
	const { message, asked } = await environment.failure(() =>
		withoutWaits(() => lifecycle.publish()),
	);
	expect(message).toBe(
		notPublished(
			`It is not known whether the service created the tool, so it was not created again. Look in your account at the provider. If the tool is there, set 'Tool' to 'Use Existing' and enter its ID. If not, publish again in a minute.`,
		),
	);
	expect(asked.filter((operation) => operation === 'createTool')).toHaveLength(1);
});

it('a publish that reaches only some assistants tells which', async () => {
	await environment.fault('updateAssistant', { status: 500, times: 1 });
	expect(await withoutWaits(() => failureMessage(trigger([1, 2]).hook('create')))).toMatch(
		/ The tool with the ID 102 exists\. It was attached to the assistants [12], but could not be attached to the assistant [12], and n8n takes it from all assistants again: /,
	);
});

describe('two workflows', () => {
	const other = (assistantId: number, parameters: IDataObject) =>
		trigger([assistantId], parameters, { workflowId: 'workflow-2' });
	const two = (): [TriggerNode, TriggerNode] => [trigger([1]), other(1, { name: 'book_slot' })];

	it('both keep their tool when they are published at the same moment', async () => {
		await Promise.all(two().map((node) => node.hook('create')));
		expect((await getToolIds(environment)).toSorted()).toEqual([1, 102, 103]);
	});

	it('a copy does not take over the tool of the original', async () => {
		const { data } = await live();
		// n8n's export on the command line contains the static data.
		await other(2, { name: 'copied' }).hook('create', 'production', structuredClone(data));
		expect(await attached()).toEqual([[OTHERS_TOOL, 102], [103]]);
	});

	it('a tool that another one took over is left to it, and another tool is created', async () => {
		const { node, data } = await live();
		await node.hook('delete', 'production', data);
		await live(other(2, { ...existingTool(102, { replaceTool: true }), name: 'taken' }));
		await node.hook('create', 'production', data);
		expect(await attached()).toEqual([[OTHERS_TOOL, 103], [102]]);
		expect(await ownTool(2)).toMatchObject({ name: 'taken' });
	});
});

describe('publishing is refused, and nothing changes,', () => {
	it.each<[string, () => TriggerNode, string]>([
		[
			'without an assistant',
			() => trigger([]),
			"'Assistants' is empty. Choose at least one assistant that can use the tool.",
		],
		[
			'when an entry of the list is no ID',
			() => trigger([1, 'two']),
			"'Assistants' → 2 must be an ID, a whole number from 1 (the value is: two). Choose an assistant, or remove the entry.",
		],
		[
			'when one of the assistants does not exist',
			() => trigger([1, 999]),
			'The assistant with the ID 999 does not exist in this account: it may have been deleted, or the API token belongs to another account. Choose another assistant.',
		],
		[
			'when an assistant has another tool of the same name',
			() => trigger([1], { name: 'get_weather' }),
			"The assistant 'Caller' (ID 1) already has another tool 'get_weather' (ID 1). Enter another name, or set 'Tool' to 'Use Existing' and choose that tool.",
		],
		[
			'when the existing tool belongs to another system',
			() => trigger([1], existingTool(OTHERS_TOOL)),
			"The tool 'get_weather' (ID 1) belongs to the host tools.example.com. Switch on 'Replace Existing Tool' to take it over, or choose another tool.",
		],
		[
			'when the existing tool belongs to another system, and no assistant has it',
			() => trigger([1], existingTool(2)),
			"The tool 'book_table' (ID 2) belongs to the host tools.example.com. Switch on 'Replace Existing Tool' to take it over, or choose another tool.",
		],
		[
			'when the existing tool cannot be seen',
			() => trigger([1], existingTool(99)),
			"None of the chosen assistants has the tool with the ID 99, so it cannot be checked. Switch on 'Replace Existing Tool' to overwrite it unseen.",
		],
		[
			'when no existing tool is chosen',
			() => trigger([1], existingTool('')),
			"'Existing Tool' is empty. Choose a tool, or set 'Tool' to 'Create on Publish'.",
		],
		[
			'when Replace Existing Tool is neither true nor false',
			() => trigger([1], existingTool(2, { replaceTool: '={{ "yes" }}' })),
			"'Replace Existing Tool' must be true or false (the value is: yes). Change it in the Mid Call Tool Trigger.",
		],
	])('%s', (_, node, message) => expectRefusal(() => node().hook('create'), notPublished(message)));

	it('when the plan has no tool left, in the words of the service', async () => {
		const tool = { description: 'Any', endpoint: 'https://example.com', method: 'GET' };
		for (const name of ['a', 'b', 'c']) await alice.post('/user/tools', { name, ...tool });
		const message = await failureMessage(trigger().hook('create'));
		expect(message).toContain('You have reached your plan limit of 5 mid call tools.');
		expect(message).toContain("'Use Existing'");
		expect(await attached()).toEqual([[OTHERS_TOOL], []]);
	});
});

describe('an existing tool', () => {
	it.each([true, '={{ " TRUE " }}', '={{ 1 }}', '={{ "1" }}'])(
		'is taken over with Replace Existing Tool, also when it cannot be seen: %s',
		async (replaceTool) => {
			await live(trigger([1], existingTool(2, { replaceTool })));
			expect(await getToolIds(environment)).toEqual([OTHERS_TOOL, 2]);
			expect(await ownTool()).toMatchObject({ name: 'get_free_slots', method: 'POST' });
		},
	);

	it.each(['={{ "" }}', '={{ null }}', '={{ undefined }}', '={{ "False" }}', '={{ 0 }}'])(
		'is not taken over by an expression: %s',
		(replaceTool) =>
			expectRefusal(
				() => trigger([1], existingTool(2, { replaceTool })).hook('create'),
				expect.stringContaining("'Replace Existing Tool'"),
			),
	);

	it('is used again without Replace Existing Tool once it is ours', async () => {
		const { data } = await live(trigger([1], existingTool(2, { replaceTool: true })));
		const node = trigger([1], existingTool(2));
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
		await node.hook('delete', 'production', data);
		await node.hook('create', 'production', data);
		expect(await getToolIds(environment)).toEqual([OTHERS_TOOL, 2]);
	});

	it('replaces the tool that the trigger had before', async () => {
		const { node, data } = await live();
		node.settings.parameters = triggerParameters([1], existingTool(2, { replaceTool: true }));
		await node.hook('create', 'production', data);
		expect(await getToolIds(environment)).toEqual([OTHERS_TOOL, 2]);
	});

	it('that the account does not have is named', async () => {
		const node = trigger([1], existingTool(99, { replaceTool: true }));
		expect(await failureMessage(node.hook('create'))).toBe(
			notPublished(
				`The tool with the ID 99 does not exist in this account. Choose another tool, or set 'Tool' to 'Create on Publish'.`,
			),
		);
	});
});

describe('listening for a test event', () => {
	const PIN =
		'To build the workflow, pin sample parameters as the output of this trigger: open it, choose Edit Output, and enter for example [{"parameters": {"preferred_day": "Monday"}}].';

	const others = (tool: string) => `The tool ${tool} belongs to the host tools.example.com. ${PIN}`;

	it.each<[string, () => Promise<TriggerNode>, string]>([
		[
			'never creates a tool',
			() => Promise.resolve(trigger()),
			`Listening for a test event works only with an existing tool, because each new tool counts against the limit of your plan. ${PIN}`,
		],
		[
			'does not disconnect the published workflow',
			async () => (await live()).node,
			`This workflow is published and answers the calls of the tool 'get_free_slots' (ID 102), so it does not listen for a test event. ${PIN}`,
		],
		[
			'does not take a tool from another system, whatever Replace Existing Tool says',
			() => Promise.resolve(trigger([1], existingTool(OTHERS_TOOL, { replaceTool: true }))),
			others("'get_weather' (ID 1)"),
		],
		[
			'does not take a tool that another assistant uses',
			async () => {
				await setTools(2, [2]);
				return trigger([1], existingTool(2, { replaceTool: true }));
			},
			others("'book_table' (ID 2)"),
		],
	])('%s', async (_, prepare, message) => {
		const lifecycle = new EmulatedLifecycle(await prepare());
		// As in n8n, a refusal is followed by delete.
		await expectRefusal(() => lifecycle.listen(), message);
	});

	it('that died leaves a test endpoint, which the next publish replaces', async () => {
		const node = trigger([1], existingTool(2, { replaceTool: true }));
		const lifecycle = new EmulatedLifecycle(node);
		await lifecycle.listen();
		await lifecycle.restart();
		await lifecycle.publish();
		const endpoint = `${await node.url('production')}?n8n-assistants=1`;
		expect(await ownTool()).toMatchObject({ id: 2, endpoint });
	});
});

function edit({ node }: EmulatedLifecycle, ...fields: Parameters<typeof triggerParameters>): void {
	node.settings.parameters = triggerParameters(...fields);
}

describe.each(['2.0', '2.41'] as const)('a workflow in n8n %s', (version) => {
	const workflow = (...chosen: Parameters<typeof trigger>) =>
		new EmulatedLifecycle(trigger(...chosen), version);

	async function published(assistantIds?: number[]) {
		const lifecycle = workflow(assistantIds);
		await lifecycle.publish();
		return lifecycle;
	}

	it('asks once, although n8n calls the hooks for each method of the webhook', async () => {
		const lifecycle = workflow();
		expect(lifecycle.node.methods).toHaveLength(5);
		expect(await operations(() => lifecycle.publish())).toEqual([
			'listAssistants',
			'listAssistants',
			'createTool',
			'listAssistants',
			'updateAssistant',
		]);
		expect(await operations(() => lifecycle.unpublish())).toEqual([
			'listAssistants',
			'getTool',
			'updateAssistant',
			'updateTool',
		]);
	});

	it('asks a service that is down once, not once for each method', async () => {
		const lifecycle = await published();
		const asked = await operations(() => environment.whileDown(() => lifecycle.unpublish()));
		// One read, and its tries.
		expect(asked).toHaveLength(4);
		expect(lifecycle.node.instance.warnings).toHaveLength(1);

		// It unpublishes at once when the service answers again.
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[OTHERS_TOOL], []]);
	});

	it('asks a service that wants a pause once for each attempt to publish', async () => {
		const lifecycle = workflow();
		await environment.fault('listAssistants', { status: 429, headers: { 'retry-after': '60' } });
		const { asked } = await environment.failure(() => lifecycle.publish());
		expect(asked).toHaveLength(version === '2.0' ? 1 : 5);
		expect(lifecycle.node.instance.warnings).toEqual([]);
	});

	it('ends a test with one read, although each call of delete gets other static data', async () => {
		const lifecycle = workflow([1], existingTool(2, { replaceTool: true }));
		await lifecycle.listen();
		expect(await operations(() => lifecycle.stopListening())).toEqual([
			'listAssistants',
			'getTool',
			'updateAssistant',
			'updateTool',
		]);
	});

	it('updates its tool also when the service refused to unregister the one before', async () => {
		const lifecycle = await published();
		await environment.fault('listAssistants', { status: 403 });
		await lifecycle.unpublish();
		await environment.service.control.clearFaults();
		const parameter = [{ name: 'hour', type: 'number', description: 'The hour of the day' }];
		edit(lifecycle, [1], { name: 'find_slots', parameters: { parameter } });
		expect(await operations(() => lifecycle.publish())).not.toContain('createTool');
		expect((await getTools(environment)).at(-1)).toMatchObject({
			id: FIRST_NEW_TOOL,
			name: 'find_slots',
			schema: parameter,
		});
	});

	it('takes the tool away again when the next version is attached only in part', async () => {
		const lifecycle = await published();
		await lifecycle.unpublish();
		edit(lifecycle, [1, 2]);
		await environment.fault('updateAssistant', { status: 500, times: 1 });
		const { node, staticData } = lifecycle;
		await withoutWaits(() => getFailure(node.hook('create', 'production', staticData)));
		await lifecycle.unpublish();
		expect(await attached()).toEqual([[OTHERS_TOOL], []]);
	});

	it('takes an edited version away again that is attached only in part, and publishes it later', async () => {
		const lifecycle = await published();
		edit(lifecycle, [1, 2]);
		await environment.fault('updateAssistant', { status: 422, path: '/api/user/assistant/2' });
		await withoutWaits(() => failureMessage(lifecycle.publish()));
		expect(await attached()).toEqual([[OTHERS_TOOL], []]);
		await environment.service.control.clearFaults();
		letTimePass();
		await lifecycle.publish();
		expect(await attached()).toEqual([[OTHERS_TOOL, FIRST_NEW_TOOL], [FIRST_NEW_TOOL]]);
	});

	it('completes a publish that failed half way', async () => {
		const lifecycle = workflow([1, 2]);
		await environment.fault('updateAssistant', { status: 500 });
		expect(await withoutWaits(() => failureMessage(lifecycle.publish()))).toContain(
			'The tool with the ID 102 exists. It could not be attached to the assistant 1, and n8n takes it from all assistants again: Assistant update failed; the request may have been carried out.',
		);
		await environment.service.control.clearFaults();
		// n8n 2.0 forgets the static data of a failed publish.
		if (version === '2.0') {
			edit(lifecycle, [1, 2], existingTool(FIRST_NEW_TOOL, { replaceTool: true }));
		}
		expect(await operations(() => lifecycle.publish())).not.toContain('createTool');
		expect(await attached()).toEqual([[OTHERS_TOOL, FIRST_NEW_TOOL], [FIRST_NEW_TOOL]]);
	});
});
