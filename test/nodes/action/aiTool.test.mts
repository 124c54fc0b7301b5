import { describe, expect, it } from '@jest/globals';
import { NodeHelpers, type IExecuteData, type INodeProperties } from 'n8n-workflow';
import { ACTION } from '../../../host/n8n/names.mts';
import { agentDifferences, OPERATIONS, operationNamed } from '../../support/n8n/operations.mts';
import { executeNode } from '../../support/n8n/executeNode.mts';
import { ACTION_AS_TOOL } from '../../support/n8n/n8n.mts';
import { startTestEnvironment } from '../../support/n8n/testEnvironment.mts';

const { n8n, sent, fault, lastResponse } = await startTestEnvironment();

describe('as a tool of an AI agent', () => {
	it.each(OPERATIONS)('$name gives the same output', async (operation) => {
		const { parameters } = operation;
		const { output } = await n8n.runNode({ parameters, type: ACTION_AS_TOOL });
		const [item] = output[0];
		expect(
			agentDifferences(operation, await lastResponse(operation.operationId), item?.json),
		).toEqual([]);
	});

	it.each(OPERATIONS)('$name outputs an error for the agent', async ({ name, parameters }) => {
		const hasPhone = /^(lead: (?!delete)|call: (getAll|make))/.test(name);
		const label = hasPhone ? 'Phone Number' : 'phone_number';
		const errors = { phone_number: ['Invalid phone number'] };
		await fault({ status: 422, body: { message: 'Validation failed', errors } });
		const outcome = await n8n.runNode({ parameters, type: ACTION_AS_TOOL });
		expect(outcome.error).toBeUndefined();
		const error = {
			result: 'refused',
			message: `'${label}': Invalid phone number`,
			description: expect.stringMatching(/Correct this field, then try again\.$/),
			httpCode: '422',
			errors: { [label]: ['Invalid phone number'] },
		};
		expect(outcome.output[0]).toEqual([{ json: { error }, pairedItem: { item: 0 } }]);
	});

	it('an agent is not offered to send all input fields, because its input is no row', () => {
		const { description } = n8n.nodeType(ACTION);
		const fields = description.properties.filter(({ name }) => name === 'variablesMode');
		expect(fields).not.toEqual([]);
		const isOffered = (option: object, name: string) =>
			NodeHelpers.displayParameter({}, option as INodeProperties, null, { ...description, name });
		for (const { options = [] } of fields) {
			const offered = (node: string) =>
				options.filter((option) => isOffered(option, node)).map(({ name }) => name);
			expect(offered('voiceAssistantCalling')).toEqual([
				'Map Each Field',
				'Send All Input Fields',
				'Using JSON',
			]);
			expect(offered('voiceAssistantCallingTool')).toEqual(['Map Each Field', 'Using JSON']);
		}
	});

	// n8n gives each call of an AI tool the execute data of the agent, with the items of the agent.
	it('each call of one agent is sent, also when the agent itself runs on several items', async () => {
		const { parameters } = operationNamed('sms: send');
		const agent = {
			node: {
				id: '1',
				name: 'AI Agent',
				type: '',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			data: { main: [[{ json: {} }, { json: {} }]] },
			source: null,
		} satisfies IExecuteData;
		for (const body of ['first', 'second']) {
			const output = await executeNode(n8n, {
				type: ACTION_AS_TOOL,
				parameters: { ...parameters, body: '={{ $json.text }}' },
				items: [{ text: body }],
				agent,
			});
			expect(output[0]?.json).toMatchObject({ body });
		}
		expect((await sent()).map(({ body }) => body)).toMatchObject([
			{ body: 'first' },
			{ body: 'second' },
		]);
	});
});
