import type { IBuilderHint } from 'n8n-workflow';

const PACKAGE = 'n8n-nodes-voice-assistant-calling';

/** What n8n's AI builder reads when it looks for a node (n8n 2.41; 2.0 ignores it). */
export const builderHint: IBuilderHint = {
	searchHint:
		'Makes phone calls with AI voice assistants and sends SMS. To call somebody, add the person with Lead → Create, then start the campaign with Campaign → Start: one start calls all leads, so run it once and never in a loop. Calls and SMS cost money, so ask a person for approval first. To handle calls that are over, start the workflow with a trigger of this package instead of reading the list of calls. Custom API Call → Send Request is only for what no other operation does.',
	relatedNodes: [
		{
			nodeType: `${PACKAGE}.voiceAssistantCallingTrigger`,
			relationHint: 'Starts a workflow when a call of an assistant completes',
		},
		{
			nodeType: `${PACKAGE}.voiceAssistantCallingPollTrigger`,
			relationHint: 'The same without a public URL, for calls that are over',
		},
		{
			nodeType: `${PACKAGE}.voiceAssistantCallingMidCallToolTrigger`,
			relationHint: 'Lets a workflow answer an assistant during a call',
		},
	],
};
