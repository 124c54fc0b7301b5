import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { useDefaultEngine } from '../../../support/n8n/engine.mts';
import { byId, operationNamed, OPERATIONS } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

useDefaultEngine();
const { n8n, sent } = await startTestEnvironment();

/** Runs an operation with other parameters. @returns the error of its item */
async function errorOf(name: string, parameters: INodeParameters) {
	const { output } = await n8n.runNode({
		parameters: { ...operationNamed(name).parameters, ...parameters },
		settings: { onError: 'continueErrorOutput' },
	});
	expect(output[0]).toEqual([]);
	return output[1][0]?.json.error;
}

describe.each(OPERATIONS)('$name', ({ parameters, request, output }) => {
	it('sends its parameters and outputs the record, or the message, of the response', async () => {
		const outcome = await n8n.runNode({ parameters });
		expect(outcome.error).toBeUndefined();
		expect(await sent()).toEqual([
			expect.objectContaining({
				method: request.method,
				path: request.path,
				query: request.query ?? {},
				body: request.body,
			}),
		]);
		const [item, ...others] = outcome.output[0];
		expect(item?.json).toEqual(expect.objectContaining(output));
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(others).toEqual([]);
	});
});

/** An ID that does not exist, and one of another user. */
const FOREIGN = ['999', '101'];

describe.each(FOREIGN)('a record that the account does not have: %s', (id) => {
	it.each<[string, INodeParameters, string]>([
		['assistant: update', { assistantId: byId(id) }, 'Assistant not found'],
		['assistant: get', { assistantId: byId(id) }, 'Assistant not found'],
		['assistant: getWebhookStatus', { assistantId: byId(id) }, 'Assistant not found'],
		['call: get', { callId: byId(id) }, 'Call not found'],
		['call: downloadRecording', { callId: byId(id) }, 'Call not found'],
		['assistant: enableWebhook', { assistantId: byId(id) }, 'Assistant not found'],
		['assistant: disableWebhook', { assistantId: byId(id) }, 'Assistant not found'],
		['assistant: enableInboundWebhook', { assistantId: byId(id) }, 'Assistant not found'],
		['assistant: disableInboundWebhook', { assistantId: byId(id) }, 'Assistant not found'],
		['campaign: start', { campaignId: id }, 'Campaign not found'],
		['campaign: stop', { campaignId: id }, 'Campaign not found'],
		['lead: update', { leadId: id }, 'Lead not found'],
		['lead: update', { updateFields: { campaignId: id } }, 'Campaign not found'],
		['midCallTool: update', { toolId: byId(id) }, 'Tool not found'],
	])('%s %j gives that message', async (name, parameters, message) => {
		expect(await errorOf(name, parameters)).toEqual({
			result: 'refused',
			message,
			description: name.startsWith('call: ')
				? 'Check the ID, and the dates under Options. The account has no such call, or not on these days.'
				: 'Check the ID. It does not exist in the account that the API token belongs to.',
			httpCode: '404',
			errors: {},
		});
	});

	it('sms: send gives that message', async () => {
		expect(await errorOf('sms: send', { phoneNumberId: id })).toEqual({
			result: 'refused',
			message: 'From number not found',
			description: 'Fix the problem that the service reports, then try again.',
			httpCode: '400',
			errors: {},
		});
	});
});

describe('a field that the service refuses', () => {
	it.each<[string, INodeParameters, string, string]>([
		['assistant: create', { voiceId: '999' }, 'Voice', 'The selected voice id is invalid.'],
		[
			'assistant: update',
			{ updateFields: { voiceId: '999' } },
			'Voice',
			'The selected voice id is invalid.',
		],
		['lead: create', { campaignId: '999' }, 'Campaign', 'The selected campaign does not exist'],
	])('%s %j is named as on the screen: %s', async (name, parameters, label, sentence) => {
		expect(await errorOf(name, parameters)).toEqual({
			result: 'refused',
			message: `'${label}': ${sentence}`,
			description: 'Correct the fields named above, then try again.',
			httpCode: '422',
			errors: { [label]: [sentence] },
		});
	});

	it('lead: update shows the message of the service if no field is named', async () => {
		expect(await errorOf('lead: update', { updateFields: { phoneNumber: '123' } })).toEqual({
			result: 'refused',
			message: 'Invalid phone number',
			description:
				"The phone number was sent as 123. Add the country code, or set 'Default Country Code'.\nFix the problem that the service reports, then try again.",
			httpCode: '422',
			errors: {},
		});
	});
});
