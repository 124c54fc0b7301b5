import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { byId } from '../../support/n8n/operations.mts';
import { asObject, type JsonObject } from '../../support/sandbox/contract.mts';
import { Lifecycle } from '../../support/trigger/lifecycle.mts';
import { failureOf, startTriggerEnvironment } from '../../support/trigger/testEnvironment.mts';
import {
	SECRET,
	toolIdsOf,
	toolParameters,
	toolsOf,
	toolTrigger,
} from '../../support/trigger/toolTrigger.mts';
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
		parameters: toolParameters(assistantIds, parameters),
		...settings,
	});

const existing = (toolId: number | string, options: IDataObject = {}): IDataObject => ({
	tool: 'existing',
	toolId: byId(toolId),
	options,
});

/** A trigger that is registered in production, and the static data of its workflow. */
async function live(node = trigger(), data: IDataObject = {}) {
	await node.hook('create', 'production', data);
	letTimePass();
	return { node, data };
}

const operations = (work: () => Promise<unknown>) => environment.requestedOperations(work);

const setTools = async (assistantId: number, tool_ids: number[]) => {
	const { status, text } = await alice.put(`/user/assistant/${assistantId}`, { tool_ids });
	if (status !== 200) throw new Error(text);
};

const ownTool = async (assistantId = 1): Promise<JsonObject> =>
	asObject((await toolsOf(environment, assistantId)).at(-1), 'tool');

describe('publishing', () => {
	it('creates the tool as the node describes it, and attaches it beside the other tools', async () => {
		const options = { headers: { header: [{ name: 'X-Shop', value: 'Bonn' }] } };
		const node = trigger([1], { timeout: 7, method: 'PUT', options });
		const asked = await operations(() => node.hook('create', 'production', {}));
		expect(asked).toEqual(['listAssistants', 'createTool', 'updateAssistant', 'listAssistants']);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, FIRST_NEW_TOOL]);
		expect(await ownTool()).toMatchObject({
			name: 'get_free_slots',
			description: 'Look up free slots when the person asks for one',
			endpoint: await node.url('production'),
			method: 'PUT',
			timeout: 7,
			headers: [
				{ name: 'X-Shop', value: 'Bonn' },
				{ name: SECRET, value: expect.stringMatching(/^[0-9a-f]{64}$/) },
			],
			schema: [{ name: 'day', type: 'string', description: 'The day of the appointment' }],
		});
	});

	it('attaches the tool to several assistants, each once', async () => {
		await live(trigger([2, 1, '2']));
		expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL, FIRST_NEW_TOOL]);
		expect(await toolIdsOf(environment, 2)).toEqual([FIRST_NEW_TOOL]);
	});

	it('does nothing when everything is as it should be', async () => {
		const { node, data } = await live();
		const asked = await operations(async () => {
			expect(await node.hook('checkExists', 'production', data)).toBe(true);
		});
		expect(asked).toEqual(['listAssistants']);
	});

	it.each<[string, () => Promise<unknown>]>([
		['was changed', () => alice.put(`/user/tools/${FIRST_NEW_TOOL}`, { description: 'Other' })],
		['has another secret', () => alice.put(`/user/tools/${FIRST_NEW_TOOL}`, { headers: [] })],
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
		expect(await node.hook('checkExists', 'production', {})).toBe(true);
		expect(await operations(() => node.hook('create', 'production', {}))).not.toContain(
			'createTool',
		);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, FIRST_NEW_TOOL]);
	});

	it('creates the tool anew when the account has lost it', async () => {
		const { node, data } = await live();
		await node.hook('delete', 'production', data);
		await environment.fault('updateTool', {
			status: 404,
			body: { message: 'Tool not found' },
			times: 1,
		});
		await node.hook('create', 'production', data);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, FIRST_NEW_TOOL + 1]);
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
		expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL]);
		expect(await toolIdsOf(environment, 2)).toEqual([]);

		expect(await operations(() => node.hook('create', 'production', data))).toEqual([
			'listAssistants',
			// No chosen assistant has the tool, so all are read: somebody else may have it by now.
			'listAssistants',
			'updateTool',
			'updateAssistant',
			'updateAssistant',
			'listAssistants',
		]);
		expect(await toolIdsOf(environment, 2)).toEqual([FIRST_NEW_TOOL]);
	});

	it('leaves a tool that now belongs to another system', async () => {
		const { node, data } = await live();
		await alice.put(`/user/tools/${FIRST_NEW_TOOL}`, { endpoint: 'https://crm.example.org/tool' });
		expect(await environment.isUnchangedBy(() => node.hook('delete', 'production', data))).toBe(
			true,
		);
	});

	it('also takes it from an assistant that was removed from the list since', async () => {
		const { node, data } = await live(trigger([1, 2]));
		node.settings.parameters = toolParameters([2]);
		await node.hook('delete', 'production', data);
		expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL]);
	});

	it('takes it away when the fields are empty by now', async () => {
		const { node, data } = await live();
		node.settings.parameters = toolParameters([]);
		await node.hook('delete', 'production', data);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL]);
	});

	it('warns when the service is down, and does not throw', async () => {
		const { node, data } = await live();
		await environment.fault('listAssistants', { status: 503 });
		await withoutWaits(async () => {
			expect(await node.hook('delete', 'production', data)).toBe(false);
		});
		expect(node.instance.warnings).toEqual([
			"The trigger 'Mid Call Tool' of the workflow 'Workflow under test' (ID workflow-1) may still be a tool of the assistant 1: A fault is in force in the sandbox. Publish the workflow and unpublish it again to repair this. 'Assistant > Get Webhook Status' shows what is registered.",
		]);
	});
});

describe.each(['2.0', '2.41'] as const)(
	'a published workflow that changes, in n8n %s',
	(version) => {
		async function published(assistantIds: number[]) {
			const lifecycle = new Lifecycle(trigger(assistantIds), version);
			await lifecycle.publish();
			return lifecycle;
		}

		it('detaches an assistant that is removed from the list', async () => {
			const lifecycle = await published([1, 2]);
			lifecycle.node.settings.parameters = toolParameters([2]);
			await lifecycle.publish();
			expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL]);
			expect(await toolIdsOf(environment, 2)).toEqual([FIRST_NEW_TOOL]);
		});

		it('updates its tool when name and parameters change', async () => {
			const lifecycle = await published([1]);
			const parameter = [{ name: 'hour', type: 'number', description: 'The hour of the day' }];
			lifecycle.node.settings.parameters = toolParameters([1], {
				name: 'find_slots',
				parameters: { parameter },
			});
			const asked = await operations(() => lifecycle.publish());
			expect(asked).not.toContain('createTool');
			expect(await ownTool()).toMatchObject({
				id: FIRST_NEW_TOOL,
				name: 'find_slots',
				schema: parameter,
			});
		});

		it('keeps its tool when the node is renamed', async () => {
			const lifecycle = await published([1]);
			await lifecycle.unpublish();
			lifecycle.node.settings.nodeName = 'Free slots';
			expect(await operations(() => lifecycle.publish())).not.toContain('createTool');
			expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, FIRST_NEW_TOOL]);
		});

		it('counts as registered when n8n starts while the service is down', async () => {
			const lifecycle = await published([1]);
			await environment.fault('listAssistants', { drop: true });
			await withoutWaits(() => lifecycle.restart());
			expect(lifecycle.isPublished).toBe(true);
		});

		it('completes a publish that failed half way', async () => {
			const lifecycle = new Lifecycle(trigger([1, 2]), version);
			await environment.fault('updateAssistant', { status: 500, times: 100 });
			const failure = await failureOf(withoutWaits(() => lifecycle.publish()));
			expect(failure.message).toContain(
				'The tool with the ID 102 exists. It could not be attached to the assistant 1, and n8n takes it from all assistants again: Assistant update failed.',
			);
			await environment.service.control.clearFaults();
			// n8n 2.0 forgets the static data of a failed publish.
			if (version === '2.0')
				lifecycle.node.settings.parameters = toolParameters(
					[1, 2],
					existing(FIRST_NEW_TOOL, { replaceTool: true }),
				);
			const asked = await operations(() => lifecycle.publish());
			expect(asked).not.toContain('createTool');
			expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL, FIRST_NEW_TOOL]);
			expect(await toolIdsOf(environment, 2)).toEqual([FIRST_NEW_TOOL]);
		});
	},
);

it('a publish asks once, although n8n calls the hooks for each method of the webhook', async () => {
	const lifecycle = new Lifecycle(trigger());
	expect(lifecycle.node.methods).toHaveLength(5);
	expect(await operations(() => lifecycle.publish())).toEqual([
		'listAssistants',
		'listAssistants',
		'createTool',
		'updateAssistant',
		'listAssistants',
	]);
	expect(await operations(() => lifecycle.unpublish())).toEqual([
		'listAssistants',
		'updateAssistant',
	]);
});

it('a publish whose tool was created with a lost response does not create another one', async () => {
	const lifecycle = new Lifecycle(trigger());
	await environment.fault('createTool', { drop: 'after', times: 1 });
	const asked = await operations(async () => {
		const failure = await failureOf(withoutWaits(() => lifecycle.publish()));
		expect(failure.message).toBe(
			"It is not known whether the service created the tool, so it was not created again. Look in your account at the provider. If the tool is there, set 'Tool' to 'Use Existing' and enter its ID. If not, publish again in a minute.",
		);
	});
	expect(asked.filter((operation) => operation === 'createTool')).toHaveLength(1);
});

it('a publish that reaches only some assistants tells which', async () => {
	await environment.fault('updateAssistant', { status: 500, times: 1 });
	const failure = await failureOf(trigger([1, 2]).hook('create', 'production', {}));
	expect(failure.message).toMatch(
		/^The tool with the ID 102 exists\. It was attached to the assistants [12], but could not be attached to the assistant [12], and n8n takes it from all assistants again: /,
	);
});

it('a tool that another workflow took over is left to it, and another one is created', async () => {
	const { node, data } = await live();
	await node.hook('delete', 'production', data);
	const parameters = toolParameters([2], {
		...existing(102, { replaceTool: true }),
		name: 'taken',
	});
	await live(trigger([2], parameters, { workflowId: 'workflow-2' }));
	await node.hook('create', 'production', data);
	expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL, 103]);
	expect(await toolsOf(environment, 2)).toEqual([expect.objectContaining({ name: 'taken' })]);
});

describe('two workflows on one assistant', () => {
	const two = () => [
		trigger([1]),
		trigger([1], { name: 'book_slot' }, { workflowId: 'workflow-2' }),
	];

	it('both keep their tool when they are published at the same moment', async () => {
		await Promise.all(two().map((node) => node.hook('create', 'production', {})));
		expect((await toolIdsOf(environment)).toSorted()).toEqual([1, 102, 103]);
	});

	it('do not touch each other when one is unpublished', async () => {
		const [first, second] = two();
		const { data } = await live(first);
		await live(second);
		await first?.hook('delete', 'production', data);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, 103]);
	});

	it('a copy does not take over the tool of the original', async () => {
		const { data } = await live();
		const copy = trigger([2], { name: 'copied' }, { workflowId: 'workflow-2' });
		// n8n's export on the command line contains the static data.
		await copy.hook('create', 'production', structuredClone(data));
		expect(await toolIdsOf(environment, 1)).toEqual([OTHERS_TOOL, 102]);
		expect(await toolIdsOf(environment, 2)).toEqual([103]);
	});
});

describe('publishing is refused, and nothing changes,', () => {
	const expectRefusal = async (node: ReturnType<typeof trigger>, message: string) => {
		const before = await environment.assistant(2);
		let failure: Error | undefined;
		const isUnchanged = await environment.isUnchangedBy(async () => {
			failure = await failureOf(node.hook('create', 'production', {}));
		});
		expect(failure?.name).toBe('NodeOperationError');
		expect(failure?.message).toBe(message);
		expect(isUnchanged).toBe(true);
		expect(await environment.assistant(2)).toEqual(before);
	};

	it('without an assistant', () =>
		expectRefusal(
			trigger([]),
			"'Assistants' is empty. Choose at least one assistant that can use the tool.",
		));

	it('when an entry of the list is no ID', () =>
		expectRefusal(
			trigger([1, 'two']),
			"'Assistants' → 2 must be an ID, a whole number from 1. The value is: two. Choose an assistant, or remove the entry.",
		));

	it('when one of the assistants does not exist', () =>
		expectRefusal(
			trigger([1, 999]),
			'The assistant with the ID 999 does not exist in this account, so nothing was changed. It may have been deleted, or the API token belongs to another account. Choose another assistant.',
		));

	it('when an assistant has another tool of the same name', () =>
		expectRefusal(
			trigger([1], { name: 'get_weather' }),
			"The assistant 'Caller' (ID 1) already has another tool 'get_weather' (ID 1), so nothing was changed. Enter another name, or set 'Tool' to 'Use Existing' and choose that tool.",
		));

	it('when the existing tool belongs to another system', () =>
		expectRefusal(
			trigger([1], existing(OTHERS_TOOL)),
			"The tool 'get_weather' (ID 1) belongs to the host tools.example.com, so nothing was changed. Switch on 'Replace Existing Tool' to take it over, or choose another tool.",
		));

	it('when the existing tool cannot be seen', () =>
		expectRefusal(
			trigger([1], existing(2)),
			"None of the chosen assistants has the tool with the ID 2, so it cannot be checked and nothing was changed. Switch on 'Replace Existing Tool' to overwrite it unseen.",
		));

	it('when no existing tool is chosen', () =>
		expectRefusal(
			trigger([1], existing('')),
			"'Existing Tool' is empty. Choose a tool, or set 'Tool' to 'Create on Publish'.",
		));

	it.each([
		['has tools without IDs', [{ name: 'get_weather' }]],
		['has tools in another form', 'get_weather'],
		['shows no tools', undefined],
	])('when an assistant %s', async (_, tools) => {
		const { tools: shown, ...record } = await environment.assistant(1);
		expect(shown).toHaveLength(1);
		const data = [{ ...record, tools }];
		const body = { current_page: 1, data, last_page: 1, per_page: 100, total: 1 };
		await environment.fault('listAssistants', { status: 200, body });
		const failure = await failureOf(trigger().hook('create', 'production', {}));
		await environment.service.control.clearFaults();
		expect(failure.message).toBe(
			"The service does not show the IDs of the tools of the assistant 'Caller' (ID 1), so nothing was changed: the assistant would lose its other tools. Choose another assistant.",
		);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL]);
	});

	it('when the plan has no tool left, in the words of the service', async () => {
		for (const name of ['a', 'b', 'c']) {
			await alice.post('/user/tools', {
				name,
				description: 'Any',
				endpoint: 'https://example.com',
				method: 'GET',
			});
		}
		const failure = await failureOf(trigger().hook('create', 'production', {}));
		expect(failure.message).toContain('Your plan allows 5 mid call tools.');
		expect(failure.message).toContain("'Use Existing'");
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL]);
	});
});

describe('an existing tool', () => {
	it('is taken over with Replace Existing Tool, also when it cannot be seen', async () => {
		await live(trigger([1], existing(2, { replaceTool: true })));
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, 2]);
		expect(await ownTool()).toMatchObject({ id: 2, name: 'get_free_slots', method: 'POST' });
	});

	it.each(['={{ " TRUE " }}', '={{ 1 }}', '={{ "1" }}'])(
		'is taken over by an expression: %s',
		async (replaceTool) => {
			await live(trigger([1], existing(2, { replaceTool })));
			expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, 2]);
		},
	);

	it.each(['={{ "" }}', '={{ null }}', '={{ undefined }}', '={{ "False" }}', '={{ 0 }}'])(
		'is not taken over by an expression: %s',
		async (replaceTool) => {
			const node = trigger([1], existing(2, { replaceTool }));
			const refused = async () => {
				const { message } = await failureOf(node.hook('create', 'production', {}));
				expect(message).toContain("'Replace Existing Tool'");
			};
			expect(await environment.isUnchangedBy(refused)).toBe(true);
		},
	);

	it('is not taken over with another value, which is named', async () => {
		const node = trigger([1], existing(2, { replaceTool: '={{ "yes" }}' }));
		const refused = async () => {
			expect((await failureOf(node.hook('create', 'production', {}))).message).toBe(
				"'Replace Existing Tool' must be true or false. The value is: yes. Change it in the Mid Call Tool Trigger, then publish again.",
			);
		};
		expect(await environment.isUnchangedBy(refused)).toBe(true);
	});

	it('is used again without Replace Existing Tool once it is ours', async () => {
		const { data } = await live(trigger([1], existing(2, { replaceTool: true })));
		const node = trigger([1], existing(2));
		expect(await node.hook('checkExists', 'production', data)).toBe(true);
		await node.hook('delete', 'production', data);
		await node.hook('create', 'production', data);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, 2]);
	});

	it('replaces the tool that the trigger had before', async () => {
		const { node, data } = await live();
		node.settings.parameters = toolParameters([1], existing(2, { replaceTool: true }));
		await node.hook('create', 'production', data);
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL, 2]);
	});

	it('that the account does not have is named', async () => {
		const node = trigger([1], existing(99, { replaceTool: true }));
		const failure = await failureOf(node.hook('create', 'production', {}));
		expect(failure.message).toBe(
			"The tool with the ID 99 does not exist in this account. Choose another tool, or set 'Tool' to 'Create on Publish'.",
		);
	});
});

describe('listening for a test event', () => {
	const PIN =
		'To build the workflow, pin sample parameters as the output of this trigger: open it, choose Edit Output, and enter for example [{"parameters": {"preferred_day": "Monday"}}].';

	/** Listens as n8n does: a refusal is followed by delete. */
	const listen = (node: ReturnType<typeof trigger>) => new Lifecycle(node).listen();

	it('never creates a tool', async () => {
		const asked = await operations(async () => {
			expect((await failureOf(listen(trigger()))).message).toBe(
				`Listening for a test event works only with an existing tool, because each new tool counts against the limit of your plan. ${PIN}`,
			);
		});
		expect(asked).not.toContain('createTool');
	});

	it('does not disconnect the published workflow', async () => {
		const { node } = await live();
		expect(
			await environment.isUnchangedBy(async () => {
				expect((await failureOf(listen(node))).message).toBe(
					`This workflow is published and answers the calls of the tool 'get_free_slots' (ID 102), so nothing was changed. ${PIN}`,
				);
			}),
		).toBe(true);
	});

	it('does not take a tool from another system, whatever Replace Existing Tool says', async () => {
		const node = trigger([1], existing(OTHERS_TOOL, { replaceTool: true }));
		expect(
			await environment.isUnchangedBy(async () => {
				expect((await failureOf(listen(node))).message).toBe(
					`The tool 'get_weather' (ID 1) belongs to the host tools.example.com, so nothing was changed. ${PIN}`,
				);
			}),
		).toBe(true);
	});

	it('does not take a tool that another assistant uses', async () => {
		await setTools(2, [2]);
		const node = trigger([1], existing(2, { replaceTool: true }));
		expect((await failureOf(listen(node))).message).toBe(
			`The tool 'book_table' (ID 2) belongs to the host tools.example.com, so nothing was changed. ${PIN}`,
		);
	});

	it('uses an existing tool, and puts the production endpoint back', async () => {
		const node = trigger([1], existing(2, { replaceTool: true }));
		const lifecycle = new Lifecycle(node);
		await lifecycle.listen();
		expect(await ownTool()).toMatchObject({ id: 2, endpoint: await node.url('test') });

		await lifecycle.stopListening();
		expect(await toolIdsOf(environment)).toEqual([OTHERS_TOOL]);
		await setTools(2, [2]);
		expect(await ownTool(2)).toMatchObject({ id: 2, endpoint: await node.url('production') });
	});

	it('that died leaves a test endpoint, which the next publish replaces', async () => {
		const node = trigger([1], existing(2, { replaceTool: true }));
		const lifecycle = new Lifecycle(node);
		await lifecycle.listen();
		await lifecycle.restart();
		await lifecycle.publish();
		expect(await ownTool()).toMatchObject({ id: 2, endpoint: await node.url('production') });
	});
});
