import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { assistantsField } from '../shared/assistants/assistantLocators';
import { searchAssistants } from '../shared/assistants/searchAssistants';
import { filters, options } from './fields';
import { poll } from './poll';

export class VoiceAssistantCallingPollTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Poll Voice Assistant Trigger',
		name: 'voiceAssistantCallingPollTrigger',
		icon: {
			light: 'file:../../icons/voiceAssistantCalling.svg',
			dark: 'file:../../icons/voiceAssistantCalling.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{$parameter["campaignIds"] ? "finished calls of campaign " + $parameter["campaignIds"] : "finished calls"}}',
		description: 'Starts the workflow when calls have finished, without a public URL',
		builderHint: {
			searchHint:
				'Gives the calls that have finished since the last poll, one item for each. Each call comes once, so it needs no Remove Duplicates and no table of known calls behind it. The other trigger of this package is faster, but needs a public URL.',
		},
		activationMessage:
			'From now on this workflow starts when calls have finished. Calls that finished during a pause, while it was unpublished or n8n was down, come now, all at once.',
		defaults: { name: 'Poll Voice Assistant Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAssistantCallingApi', required: true, testedBy: 'testCredential' }],
		properties: [
			{
				...assistantsField,
				description: 'Only calls of these assistants. Leave it empty for all assistants.',
			},
			{
				displayName: 'Campaign IDs',
				name: 'campaignIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. 7, 12',
				description:
					'Only calls of these campaigns, with commas between the IDs. Leave it empty for all calls, also those without a campaign.',
			},
			filters,
			options,
		],
	};

	methods = { listSearch: { searchAssistants } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
