import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, operationNamed } from '../../support/n8n-operations.mts';
import { ACTION_AS_TOOL } from '../../support/n8n.mts';
import { startWorld } from '../../support/n8n-world.mts';

const { n8n, sent, fault } = await startWorld();

describe('as a tool of an AI agent', () => {
	it.each(OPERATIONS)('$name gives the same', async ({ parameters, output }) => {
		const outcome = await n8n.runNode({ parameters, type: ACTION_AS_TOOL });
		expect(outcome.output[0][0]?.json).toEqual(expect.objectContaining(output));
	});

	it.each(OPERATIONS)(
		'$name gives an error as an item, so that the agent can read it',
		async ({ parameters }) => {
			const errors = { phone_number: ['Invalid phone number'] };
			await fault({ status: 422, body: { message: 'Validation failed', errors } });
			const outcome = await n8n.runNode({ parameters, type: ACTION_AS_TOOL });
			expect(outcome.error).toBeUndefined();
			expect(outcome.output[0]).toEqual([
				{
					json: {
						error: {
							message: 'Validation failed',
							description:
								'phone_number: Invalid phone number\nChange these fields and run the step again.',
							httpCode: '422',
							errors,
						},
					},
					pairedItem: { item: 0 },
				},
			]);
		},
	);

	it('what the agent filled in wrongly is not sent, and it is told what to do', async () => {
		const { parameters } = operationNamed('lead: create');
		const { output } = await n8n.runNode({
			parameters: { ...parameters, campaignId: '={{ $json.campaign }}' },
			items: [{ campaign: 'Spring' }],
			type: ACTION_AS_TOOL,
		});
		expect(output[0][0]?.json).toEqual({
			error: expect.objectContaining({
				message: "'Campaign ID' must be an ID: a whole number from 1, such as 42",
			}),
		});
		expect(await sent()).toEqual([]);
	});
});
