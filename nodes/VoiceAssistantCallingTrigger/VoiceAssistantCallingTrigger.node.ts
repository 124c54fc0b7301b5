import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { forgetRequests } from '../shared/answers/sameRequest';
import { startInTime } from '../shared/answers/startInTime';
import { searchAssistants } from '../shared/assistants/searchAssistants';
import { fields } from './fields';
import { hints } from './hints';
import { receiveDelivery } from './receiveDelivery';
import { isWebhookRegistered, registerWebhook, unregisterWebhook } from './webhookRegistration';
import { forgetDeliveries } from './repeatedDelivery';
import { webhookTriggerPanel } from './webhookTriggerPanel';

const hooks = {
	async checkExists(this: IHookFunctions): Promise<boolean> {
		forgetDeliveries(this);
		forgetRequests(this);
		return await isWebhookRegistered(this);
	},
	async create(this: IHookFunctions): Promise<boolean> {
		forgetDeliveries(this);
		forgetRequests(this);
		return await registerWebhook(this);
	},
	async delete(this: IHookFunctions): Promise<boolean> {
		return await unregisterWebhook(this);
	},
};

export class VoiceAssistantCallingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Assistant Calling Trigger',
		name: 'voiceAssistantCallingTrigger',
		icon: {
			light: 'file:../../icons/voiceAssistantCalling.svg',
			dark: 'file:../../icons/voiceAssistantCalling.dark.svg',
		},
		group: ['trigger'],
		// For version 1 of any trigger, n8n 2.41 evaluates one more expression with each delivery.
		version: 2,
		defaultVersion: 2,
		subtitle:
			'={{$parameter["triggerOn"] === "callCompleted" ? "call completed" : $parameter["triggerOn"] === "inboundCallStarting" ? "inbound call starting" : "inbound call completed"}}',
		// n8n's editor shows this for the trigger and the action node together (n8n.md#texts-of-a-node), so it is one
		// short sentence, and what the action node does comes first.
		description:
			'Call people with AI voice assistants, send SMS, and start a workflow when a call completes',
		builderHint: {
			searchHint:
				'One assistant has one webhook URL, so one workflow can have this trigger for it. Use the poll trigger if several workflows need its calls, or if n8n has no public URL. To look up who calls before the assistant answers, use inboundCallStarting and answer with Call → Respond.',
		},
		eventTriggerDescription: 'Waiting for the assistant',
		activationMessage:
			"From now on this workflow starts with calls of the assistant, as chosen under 'Trigger On'. If it replaced another webhook URL or changed a setting of the assistant, unpublishing puts that back.",
		triggerPanel: webhookTriggerPanel,
		hints,
		defaults: { name: 'Voice Assistant Calling Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAssistantCallingApi', required: true, testedBy: 'testCredential' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'noData',
				// Copies keep the webhook id, and many keep the node id (docs/decisions/0005). No other property
				// is an expression, because n8n 2.41 evaluates each one with each delivery.
				path: '={{ $workflow.id }}/{{ $nodeId }}',
				// n8n would show the URL without its token, and that URL gets 401.
				ndvHideUrl: true,
			},
			{
				// The other name that n8n knows. This one waits for the answer of the workflow.
				name: 'setup',
				httpMethod: 'POST',
				responseMode: 'responseNode',
				path: '=starting/{{ $workflow.id }}/{{ $nodeId }}',
				ndvHideUrl: true,
			},
		],
		properties: fields,
	};

	methods = { listSearch: { searchAssistants } };

	// n8n stores each webhook before it calls its hooks. Those of the first one register for both, so that after a
	// kill the second one is missing, and n8n 2.41 publishes again (n8n.md#kill-in-a-publish).
	webhookMethods = { default: hooks };

	webhook = receiveDelivery;

	execute = startInTime;
}
