import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { searchAssistants } from '../shared/listSearch/searchAssistants';
import { searchTools } from '../shared/listSearch/searchTools';
import { getTimezones } from './getTimezones';
import { operationsAndFields } from './resources';
import { testCredential } from './testCredential';
import { request } from './transport/request';
import { wholeAnswer } from './transport/wholeAnswer';

export class VoiceAssistantCalling implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Assistant Calling',
		name: 'voiceAssistantCalling',
		icon: { light: 'file:voiceAssistantCalling.svg', dark: 'file:voiceAssistantCalling.dark.svg' },
		group: ['output'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Call people with AI voice assistants: leads, campaigns, calls, tools and SMS',
		defaults: { name: 'Voice Assistant Calling' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAssistantCallingApi', required: true, testedBy: 'testCredential' }],
		requestDefaults: {
			baseURL: '={{$credentials.baseUrl}}',
			headers: { Accept: 'application/json' },
			ignoreHttpStatusErrors: true,
			// n8n follows redirects with the token, to other hosts too (n8n 2.0, 2.41).
			disableFollowRedirect: true,
		},
		requestOperations: { pagination: request },
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Assistant', value: 'assistant' },
					{ name: 'Call', value: 'call' },
					{ name: 'Campaign', value: 'campaign' },
					{ name: 'Lead', value: 'lead' },
					{ name: 'SMS', value: 'sms' },
					{ name: 'Tool', value: 'tool' },
				],
				default: 'lead',
				// Always shown, so that every operation goes through `request`.
				routing: { send: { paginate: true }, output: { postReceive: [wholeAnswer] } },
			},
			...operationsAndFields,
		],
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchAssistants, searchTools },
		loadOptions: { getTimezones },
	};
}
