import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { forgetRequests } from '../shared/answers/sameRequest';
import { startInTime } from '../shared/answers/startInTime';
import { searchAssistants } from '../shared/assistants/searchAssistants';
import { searchTools } from '../shared/assistants/searchTools';
import { fields } from './fields';
import { receiveToolCall } from './receiveToolCall';
import { isToolRegistered, registerTool, unregisterTool } from './toolRegistration';
import { oncePerPublish } from './repeatedHooks';
import { toolTriggerPanel } from './toolTriggerPanel';

export class VoiceAssistantCallingMidCallToolTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Mid Call Tool Trigger',
		name: 'voiceAssistantCallingMidCallToolTrigger',
		icon: {
			light: 'file:../../icons/voiceAssistantCalling.svg',
			dark: 'file:../../icons/voiceAssistantCalling.dark.svg',
		},
		group: ['trigger'],
		// For version 1 of any trigger, n8n 2.41 evaluates one more expression with each delivery.
		version: 2,
		defaultVersion: 2,
		subtitle: '={{$parameter["name"]}}',
		description: 'Answers an assistant during a call: the workflow is a tool of the assistant',
		builderHint: {
			searchHint:
				'The workflow must answer with Call → Respond of the action node. The person on the phone waits, so place slow nodes behind the answer. With Call Details, $json.call.customer_phone is the number of the person, if the service tells it.',
		},
		eventTriggerDescription: 'Waiting for an assistant to call the tool',
		activationMessage:
			'From now on the chosen assistants can use this workflow as a tool during their calls.',
		triggerPanel: toolTriggerPanel,
		defaults: { name: 'Voice Mid Call Tool Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAssistantCallingApi', required: true, testedBy: 'testCredential' }],
		webhooks: [
			{
				name: 'default',
				// All methods that a tool can have (contract: Mid call tool).
				httpMethod: 'GET,POST,PUT,PATCH,DELETE',
				responseMode: 'responseNode',
				// Copies keep the webhook id, and many keep the node id (docs/decisions/0005).
				path: '={{ $workflow.id }}/{{ $nodeId }}',
				// n8n would show a URL that gets 401 without the secret.
				ndvHideUrl: true,
			},
		],
		properties: fields,
	};

	methods = { listSearch: { searchAssistants, searchTools } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				forgetRequests(this);
				return await oncePerPublish(this, 'register', isToolRegistered);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				forgetRequests(this);
				return await oncePerPublish(this, 'register', registerTool);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await oncePerPublish(this, 'unregister', unregisterTool);
			},
		},
	};

	webhook = receiveToolCall;

	execute = startInTime;
}
