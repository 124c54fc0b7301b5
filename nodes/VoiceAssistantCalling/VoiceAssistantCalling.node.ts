import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { REQUEST_DEFAULTS } from '../shared/client/request';
import { builderHint } from './builderHint';
import { hints } from './hints';
import { credentialTest } from './methods/credentialTest';
import { listSearch } from './methods/listSearch';
import { properties } from './resources';
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
		// Such as "get many: mid call tool".
		subtitle:
			'={{($parameter["operation"].replace("getAll", "getMany") + ": " + $parameter["resource"]).replace(/[A-Z]/g, " $&").toLowerCase()}}',
		description: 'Call people with AI voice assistants: leads, campaigns, calls, tools and SMS',
		defaults: { name: 'Voice Assistant Calling' },
		usableAsTool: true,
		builderHint,
		hints,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'voiceAssistantCallingApi',
				required: true,
				testedBy: 'testCredential',
				// It sends nothing to the service.
				displayOptions: { hide: { operation: ['respond'] } },
			},
		],
		requestDefaults: { baseURL: '={{$credentials.baseUrl}}', ...REQUEST_DEFAULTS },
		properties,
	};

	methods = { credentialTest, listSearch };

	execute = execute;
}
