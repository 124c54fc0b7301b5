import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { REQUEST_DEFAULTS } from '../shared/client/request';
import { builderHint } from './builderHint';
import { toWireTypes } from './fields/toWireTypes';
import { hints } from './hints';
import { credentialTest } from './methods/credentialTest';
import { listSearch } from './methods/listSearch';
import { loadOptions } from './methods/loadOptions';
import { operationsAndFields } from './resources';
import { execute } from './transport/execute';

export class VoiceAssistantCalling implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Assistant Calling',
		name: 'voiceAssistantCalling',
		icon: {
			light: 'file:../../icons/voiceAssistantCalling.svg',
			dark: 'file:../../icons/voiceAssistantCalling.dark.svg',
		},
		group: ['output'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Call people with AI voice assistants: leads, campaigns, calls, tools and SMS',
		defaults: { name: 'Voice Assistant Calling' },
		usableAsTool: true,
		builderHint,
		hints,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAssistantCallingApi', required: true, testedBy: 'testCredential' }],
		requestDefaults: { baseURL: '={{$credentials.baseUrl}}', ...REQUEST_DEFAULTS },
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
					{ name: 'Mid Call Tool', value: 'midCallTool' },
					{ name: 'SMS', value: 'sms' },
				],
				default: 'lead',
				// n8n's own engine needs this. A test compares it with our runner (docs/decisions/0001).
				routing: { send: { preSend: [toWireTypes] } },
			},
			...operationsAndFields,
		],
	};

	methods = { credentialTest, listSearch, loadOptions };

	execute = execute;
}
