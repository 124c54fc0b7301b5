import type { IBuilderHint } from 'n8n-workflow';

const PACKAGE = 'n8n-nodes-voice-assistant-calling';

/** In the code that n8n's AI builder writes. n8n 2.41 shows a pattern only beside a resource and an operation. */
const ADD_AND_CALL = `<patterns>
<pattern title="Add people to a campaign, then start it, which calls them">
const addLead = node({
  type: '${PACKAGE}.voiceAssistantCalling',
  version: 1,
  config: {
    name: 'Add lead',
    parameters: {
      resource: 'lead',
      operation: 'create',
      campaignId: { __rl: true, mode: 'id', value: '1' },
      phoneNumber: expr('{{ $json.phone }}'),
      customerName: expr('{{ $json.name }}'),
      additionalFields: { onDuplicate: 'skip' }
    },
    credentials: { voiceAssistantCallingApi: newCredential('Voice Assistant Calling account') }
  }
});

// Duplicates have another result. Without a new lead, nothing starts.
const onlyNewLeads = node({
  type: 'n8n-nodes-base.filter',
  version: 2.2,
  config: {
    name: 'Only new leads',
    parameters: {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict' },
        conditions: [{ leftValue: expr('{{ $json.result }}'), operator: { type: 'string', operation: 'equals' }, rightValue: 'created' }],
        combinator: 'and'
      }
    }
  }
});

// One start calls all leads of the campaign, so it runs once for all items.
const startCampaign = node({
  type: '${PACKAGE}.voiceAssistantCalling',
  version: 1,
  config: {
    name: 'Start campaign',
    parameters: {
      resource: 'campaign',
      operation: 'start',
      campaignId: { __rl: true, mode: 'id', value: expr('{{ $json.campaign_id }}') }
    },
    credentials: { voiceAssistantCallingApi: newCredential('Voice Assistant Calling account') },
    executeOnce: true
  }
});

export default workflow('call-people', 'Call people')
  .add(trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } }))
  .to(addLead)
  .to(onlyNewLeads)
  .to(startCampaign);
</pattern>
</patterns>`;

const WHEN_A_CALL_COMPLETES = `<patterns>
<pattern title="When a call completes, thank those who answered by SMS">
const callCompleted = trigger({
  type: '${PACKAGE}.voiceAssistantCallingTrigger',
  version: 2,
  config: {
    name: 'When a call completes',
    parameters: {
      triggerOn: 'callCompleted',
      assistantId: { __rl: true, mode: 'id', value: '1' },
      filters: { outcomes: ['answered'] }
    },
    credentials: { voiceAssistantCallingApi: newCredential('Voice Assistant Calling account') }
  }
});

// What the assistant found out is in $json.variables, and what was said in $json.transcript.
const thankBySms = node({
  type: '${PACKAGE}.voiceAssistantCalling',
  version: 1,
  config: {
    name: 'Thank by SMS',
    parameters: {
      resource: 'sms',
      operation: 'send',
      phoneNumberId: { __rl: true, mode: 'id', value: '1' },
      to: expr('{{ $json.client_phone_number }}'),
      body: 'Thank you for the call!',
      options: { onlyOnce: expr('{{ $json.id }}') }
    },
    credentials: { voiceAssistantCallingApi: newCredential('Voice Assistant Calling account') }
  }
});

export default workflow('thank-by-sms', 'Thank by SMS')
  .add(callCompleted)
  .to(thankBySms);
</pattern>
</patterns>`;

/** What n8n 2.41's AI builder reads about the node. n8n 2.0 ignores it. */
export const builderHint: IBuilderHint = {
	searchHint:
		'Makes phone calls with AI voice assistants and sends SMS. To call one person now, use Call → Make. To call people in a campaign, add them with Lead → Create, then start it with Campaign → Start: one start calls all leads, so run it once and never in a loop. Calls and SMS cost money, so ask a person for approval first. To handle calls that are over, start the workflow with a trigger of this package instead of reading the list of calls. Custom API Call → Send Request is only for what no other operation does.',
	extraTypeDefContent: [
		{
			displayOptions: { show: { resource: ['lead', 'campaign'], operation: ['create', 'start'] } },
			content: ADD_AND_CALL,
		},
		{
			displayOptions: { show: { resource: ['call', 'sms'], operation: ['getAll', 'send'] } },
			content: WHEN_A_CALL_COMPLETES,
		},
	],
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
