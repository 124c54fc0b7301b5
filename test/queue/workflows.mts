import type { CredentialRef, Workflow } from '../../host/api/workflow.mts';
import { action, CALL, node, start, START, trigger, workflow } from '../support/workflows.mts';
import { ASSISTANT, CAMPAIGN, SMS_NUMBER } from './seed.mts';

/** Sends an SMS with the id of each completed call. */
export function sendSmsForCalls(credential: CredentialRef): Workflow {
	const sms = action(
		'Send SMS',
		{
			resource: 'sms',
			operation: 'send',
			phoneNumberId: String(SMS_NUMBER),
			to: '={{ $json.client_phone_number }}',
			body: '=Call {{ $json.id }}',
		},
		credential,
	);
	const nodes = [trigger('callCompleted', ASSISTANT, credential), sms];
	return workflow('Send SMS for calls', nodes, [[CALL, 'Send SMS']]);
}

/** The node that creates the leads. */
export const ADD_LEADS = 'Add leads';

/** The phone number of a lead, by its index. */
export const leadNumber = (index: number): string => `+49151${10_000_000 + index}`;

/** Creates leads from `count` items in one run. */
export function addLeads(credential: CredentialRef, count: number): Workflow {
	const list = `Array.from({ length: ${count} }, (_, index) => '+49151' + (10000000 + index))`;
	const nodes = [
		start(),
		node('List', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { phoneNumber: ${list} } }}`,
			options: {},
		}),
		node('One item each', 'n8n-nodes-base.splitOut', 1, {
			fieldToSplitOut: 'phoneNumber',
			options: {},
		}),
		action(
			ADD_LEADS,
			{
				resource: 'lead',
				operation: 'create',
				campaignId: String(CAMPAIGN),
				phoneNumber: '={{ $json.phoneNumber }}',
			},
			credential,
		),
	];
	return workflow('Add leads', nodes, [
		[START, 'List'],
		['List', 'One item each'],
		['One item each', ADD_LEADS],
	]);
}
