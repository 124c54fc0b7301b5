import { describe, expect, it } from '@jest/globals';
import { ExecuteContext } from 'n8n-core';
import { createRunExecutionData, NodeHelpers, type IDataObject } from 'n8n-workflow';
import { ACTION } from '../../../host/n8n/names.mts';
import { OPERATIONS, operationNamed } from '../../support/n8n/operations.mts';
import { ACTION_AS_TOOL, NODE_NAME } from '../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../support/n8n/testEnvironment.mts';

const { n8n, sent, fault } = await startTestEnvironment();

describe('as a tool of an AI agent', () => {
	it.each(OPERATIONS)('$name gives the same output', async ({ parameters, output }) => {
		const outcome = await n8n.runNode({ parameters, type: ACTION_AS_TOOL });
		expect(outcome.output[0][0]?.json).toEqual(expect.objectContaining(output));
	});

	it.each(OPERATIONS)(
		'$name outputs an error as an item, which the agent can read',
		async ({ name, parameters }) => {
			const hasPhone = /^(lead|call: getAll)/.test(name);
			const label = hasPhone ? 'Phone Number' : 'phone_number';
			const errors = { phone_number: ['Invalid phone number'] };
			await fault({ status: 422, body: { message: 'Validation failed', errors } });
			const outcome = await n8n.runNode({ parameters, type: ACTION_AS_TOOL });
			expect(outcome.error).toBeUndefined();
			expect(outcome.output[0]).toEqual([
				{
					json: {
						error: {
							result: 'refused',
							message: `'${label}': Invalid phone number`,
							description: expect.stringMatching(
								/Correct the fields named above, then try again\.$/,
							),
							httpCode: '422',
							errors: { [label]: ['Invalid phone number'] },
						},
					},
					pairedItem: { item: 0 },
				},
			]);
		},
	);

	it('an agent gives variables as JSON', async () => {
		const { parameters } = operationNamed('lead: create');
		const { error } = await n8n.runNode({
			parameters: {
				...parameters,
				variablesMode: 'json',
				variablesJson: "={{ $fromAI('variables', `What is known of the person`, 'json') }}",
			},
			items: [{ variables: { city: 'Bonn', visits: 3 } }],
			type: ACTION_AS_TOOL,
		});
		expect(error).toBeUndefined();
		expect(await sent()).toMatchObject([{ body: { variables: { city: 'Bonn', visits: 3 } } }]);
	});

	it('an agent is not offered to send all input fields, because its input is no row', () => {
		const { description } = n8n.nodeType(ACTION);
		const fields = description.properties.filter(({ name }) => name === 'variablesMode');
		const offered = (name: string) =>
			fields.map(({ options = [] }) =>
				options
					.filter((option) => 'value' in option)
					.filter((option) =>
						NodeHelpers.displayParameter(
							{},
							{ ...option, type: 'string', default: '', displayName: option.name },
							null,
							{ ...description, name },
						),
					)
					.map((option) => option.name),
			);
		const lists = fields.map(() => ['Map Each Field', 'Send All Input Fields', 'Using JSON']);
		expect(lists).not.toEqual([]);
		expect(offered('voiceAssistantCalling')).toEqual(lists);
		expect(offered('voiceAssistantCallingTool')).toEqual(
			lists.map((names) => names.filter((name) => name !== 'Send All Input Fields')),
		);
	});

	it('a wrong value of the agent is not sent, and the agent gets an error that says what to do', async () => {
		const { parameters } = operationNamed('lead: create');
		const { output } = await n8n.runNode({
			parameters: { ...parameters, campaignId: '={{ $json.campaign }}' },
			items: [{ campaign: 'Spring' }],
			type: ACTION_AS_TOOL,
		});
		expect(output[0][0]?.json).toEqual({
			error: expect.objectContaining({
				message: "'Campaign' must be an ID: a whole number from 1, such as 42",
			}),
		});
		expect(await sent()).toEqual([]);
	});

	it.each(['before', 'after'])(
		"a write is sent once when its response is lost (%s the service executed it), even with n8n's Retry On Fail",
		async (drop) => {
			await fault({ drop, times: 5 });
			const { parameters } = operationNamed('sms: send');
			await n8n.runNode({
				parameters,
				type: ACTION_AS_TOOL,
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
			});
			expect(await sent()).toHaveLength(1);
		},
	);

	// n8n gives each call of an AI tool the execute data of the agent, with the items of the agent.
	it('each call of one agent is sent, also when the agent itself runs on several items', async () => {
		const { parameters } = operationNamed('sms: send');
		const node = { name: NODE_NAME, type: ACTION_AS_TOOL, parameters };
		const workflow = n8n.workflow({
			nodes: [{ ...node, parameters: { ...parameters, body: '={{ $json.text }}' } }],
			connections: {},
		});
		const tool = workflow.getNode(NODE_NAME);
		if (!tool) throw new Error('The workflow has no tool');
		const agent = {
			node: { ...tool, name: 'AI Agent' },
			data: { main: [[{ json: {} }, { json: {} }]] },
			source: null,
		};

		const use = async (args: IDataObject) => {
			const items = [{ json: args }];
			const context = new ExecuteContext(
				workflow,
				tool,
				n8n.additionalData(workflow),
				'manual',
				createRunExecutionData(),
				0,
				items,
				{ main: [items] },
				agent,
				[],
			);
			const output = await n8n.nodeType(ACTION_AS_TOOL).execute?.call(context);
			return Array.isArray(output) ? output[0]?.[0]?.json : undefined;
		};

		await workflow.expression.acquireIsolate();
		expect(await use({ text: 'first' })).toMatchObject({ body: 'first' });
		expect(await use({ text: 'second' })).toMatchObject({ body: 'second' });
		await workflow.expression.releaseIsolate();
		expect((await sent()).map(({ body }) => body)).toMatchObject([
			{ body: 'first' },
			{ body: 'second' },
		]);
	});
});
