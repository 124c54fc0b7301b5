import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** An operation of the node, with parameters that are valid for Alice of support/sandbox/seed.mts. */
export interface OperationCase {
	name: string;
	/** Its operationId in the contract. */
	operationId: string;
	parameters: INodeParameters;
	/** The request that the parameters make. */
	request: {
		method: 'GET' | 'POST' | 'PUT';
		path: string;
		body?: IDataObject;
		query?: IDataObject;
	};
	/** The output item; the first one of a list. */
	output: IDataObject;
}

/** The value of a picker, entered by ID. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;

/** The value of a picker, chosen from the list. */
export const fromList = (value: string, name: string) =>
	({ __rl: true, mode: 'list', value, cachedResultName: name }) as INodeParameters;

const HOOK = 'https://example.com/calls';

/** @param name resource and operation, such as `lead: create` */
function operationCase(
	name: string,
	{ parameters, ...rest }: Omit<OperationCase, 'name'>,
): OperationCase {
	const [resource, operation] = name.split(': ');
	return { name, parameters: { resource, operation, ...parameters }, ...rest };
}

/** Every operation of the node, once. */
export const OPERATIONS: OperationCase[] = [
	operationCase('assistant: create', {
		operationId: 'createAssistant',
		parameters: {
			name: 'Reminder',
			callsDirection: 'make',
			engineType: 'pipeline',
			voiceId: byId('1'),
			language: fromList('English', 'English'),
			llmModel: 'gpt-4o',
			timezone: 'Europe/Berlin',
			initialMessage: 'Hello.',
			systemPrompt: 'Be brief.',
		},
		request: {
			method: 'POST',
			path: '/api/user/assistant',
			body: {
				assistant_name: 'Reminder',
				calls_direction: 'make',
				engine_type: 'pipeline',
				voice_id: 1,
				language: 'English',
				llm_model: 'gpt-4o',
				timezone: 'Europe/Berlin',
				initial_message: 'Hello.',
				system_prompt: 'Be brief.',
			},
		},
		output: { name: 'Reminder', status: 'active', type: 'outbound', mode: 'pipeline' },
	}),
	operationCase('assistant: update', {
		operationId: 'updateAssistant',
		parameters: { assistantId: byId('1'), updateFields: { name: 'Renamed' } },
		request: { method: 'PUT', path: '/api/user/assistant/1', body: { assistant_name: 'Renamed' } },
		output: { id: 1, name: 'Renamed', status: 'active', type: 'outbound', mode: 'pipeline' },
	}),
	operationCase('assistant: getAll', {
		operationId: 'listAssistants',
		parameters: { returnAll: false, limit: 1 },
		request: {
			method: 'GET',
			path: '/api/user/assistants/get',
			query: { page: '1', per_page: '1' },
		},
		output: { id: 1, name: 'Caller', type: 'outbound', is_webhook_active: false },
	}),
	operationCase('assistant: get', {
		operationId: 'listAssistants',
		parameters: { assistantId: byId('1') },
		request: {
			method: 'GET',
			path: '/api/user/assistants/get',
			query: { page: '1', per_page: '100' },
		},
		output: { id: 1, name: 'Caller', type: 'outbound', is_webhook_active: false },
	}),
	operationCase('assistant: getWebhookStatus', {
		operationId: 'listAssistants',
		parameters: { assistantId: byId('1') },
		request: {
			method: 'GET',
			path: '/api/user/assistants/get',
			query: { page: '1', per_page: '100' },
		},
		output: { assistant_id: 1, assistant_name: 'Caller' },
	}),
	operationCase('assistant: enableWebhook', {
		operationId: 'updateAssistant',
		parameters: { assistantId: byId('1'), webhookUrl: HOOK },
		request: {
			method: 'PUT',
			path: '/api/user/assistant/1',
			body: { is_webhook_active: true, webhook_url: HOOK },
		},
		output: { id: 1, name: 'Caller', status: 'active', type: 'outbound', mode: 'pipeline' },
	}),
	operationCase('assistant: disableWebhook', {
		operationId: 'disableWebhook',
		parameters: { assistantId: byId('1') },
		request: {
			method: 'POST',
			path: '/api/user/assistants/disable-webhook',
			body: { assistant_id: 1 },
		},
		output: { message: 'Webhook disabled successfully' },
	}),
	operationCase('assistant: enableInboundWebhook', {
		operationId: 'enableInboundWebhook',
		parameters: { assistantId: byId('2'), webhookUrl: HOOK },
		request: {
			method: 'POST',
			path: '/api/user/assistants/enable-inbound-webhook',
			body: { assistant_id: 2, webhook_url: HOOK },
		},
		output: { message: 'Webhook enabled successfully' },
	}),
	operationCase('assistant: disableInboundWebhook', {
		operationId: 'disableInboundWebhook',
		parameters: { assistantId: byId('2') },
		request: {
			method: 'POST',
			path: '/api/user/assistants/disable-inbound-webhook',
			body: { assistant_id: 2 },
		},
		output: { message: 'Inbound webhook disabled successfully' },
	}),
	operationCase('call: get', {
		operationId: 'listCalls',
		parameters: { callId: byId('1') },
		request: { method: 'GET', path: '/api/user/calls', query: { page: '1', per_page: '100' } },
		output: { id: 1, outcome: 'answered', client_phone_number: '+4915112345611' },
	}),
	operationCase('call: downloadRecording', {
		operationId: 'listCalls',
		parameters: { callId: byId('1') },
		request: { method: 'GET', path: '/api/user/calls', query: { page: '1', per_page: '100' } },
		output: { id: 1, outcome: 'answered', client_phone_number: '+4915112345611' },
	}),
	operationCase('call: getAll', {
		operationId: 'listCalls',
		parameters: {
			returnAll: false,
			limit: 1,
			filters: {
				assistantId: byId('1'),
				campaignId: byId('1'),
				status: 'completed',
				type: 'outbound',
				phoneNumber: '+4915112345611',
				dateFrom: '2026-02-01T00:00:00',
				dateTo: '2026-02-28T00:00:00',
			},
		},
		request: {
			method: 'GET',
			path: '/api/user/calls',
			query: {
				page: '1',
				per_page: '1',
				assistant_id: '1',
				campaign_id: '1',
				status: 'completed',
				type: 'outbound',
				phone_number: '+4915112345611',
				date_from: '2026-02-01',
				date_to: '2026-02-28',
			},
		},
		output: { id: 1, status: 'completed', type: 'outbound', client_phone_number: '+4915112345611' },
	}),
	operationCase('campaign: start', {
		operationId: 'updateCampaignStatus',
		parameters: { campaignId: fromList('2', 'Autumn (ID 2)') },
		request: {
			method: 'POST',
			path: '/api/user/campaigns/update-status',
			body: { campaign_id: 2, action: 'start' },
		},
		output: { campaign_id: 2, status: 'in-progress' },
	}),
	operationCase('campaign: stop', {
		operationId: 'updateCampaignStatus',
		parameters: { campaignId: fromList('2', 'Autumn (ID 2)') },
		request: {
			method: 'POST',
			path: '/api/user/campaigns/update-status',
			body: { campaign_id: 2, action: 'stop' },
		},
		output: { campaign_id: 2, status: 'stopped' },
	}),
	operationCase('lead: create', {
		operationId: 'createLead',
		parameters: {
			campaignId: byId('1'),
			phoneNumber: '+4915112345699',
			customerName: 'Jane',
		},
		request: {
			method: 'POST',
			path: '/api/user/lead',
			body: {
				campaign_id: 1,
				phone_number: '+4915112345699',
				variables: { customer_name: 'Jane' },
			},
		},
		output: {
			campaign_id: 1,
			phone_number: '+4915112345699',
			variables: { customer_name: 'Jane' },
			status: 'created',
			campaign: { id: 1, name: 'Spring' },
			secondary_contacts: [],
		},
	}),
	operationCase('lead: update', {
		operationId: 'updateLead',
		parameters: { leadId: '1', updateFields: { status: 'completed' } },
		request: { method: 'PUT', path: '/api/user/leads/1', body: { status: 'completed' } },
		output: { message: 'Lead updated successfully' },
	}),
	operationCase('sms: send', {
		operationId: 'sendSms',
		parameters: { phoneNumberId: byId('1'), to: '+4915112345699', body: 'Thank you!' },
		request: {
			method: 'POST',
			path: '/api/user/sms',
			body: { from: 1, to: '+4915112345699', body: 'Thank you!' },
		},
		output: { phone_number_id: 1, to: '+4915112345699', body: 'Thank you!', status: 'sent' },
	}),
	operationCase('midCallTool: create', {
		operationId: 'createTool',
		parameters: {
			name: 'get_slots',
			description: 'Look up free slots',
			endpoint: 'https://example.com/slots',
			method: 'POST',
		},
		request: {
			method: 'POST',
			path: '/api/user/tools',
			body: {
				name: 'get_slots',
				description: 'Look up free slots',
				endpoint: 'https://example.com/slots',
				method: 'POST',
			},
		},
		output: { name: 'get_slots', method: 'POST', timeout: 10, headers: [], schema: [] },
	}),
	operationCase('midCallTool: update', {
		operationId: 'updateTool',
		parameters: { toolId: byId('1'), updateFields: { timeout: 20 } },
		request: { method: 'PUT', path: '/api/user/tools/1', body: { timeout: 20 } },
		output: { id: 1, name: 'get_weather', timeout: 20 },
	}),
];

export const isRead = ({ request }: OperationCase): boolean => request.method === 'GET';

/** The operations that change something, and those that only read. */
export const WRITES = OPERATIONS.filter((operation) => !isRead(operation));
export const READS = OPERATIONS.filter(isRead);

/** The operation of that name, such as `lead: create`. */
export function operationNamed(name: string): OperationCase {
	const found = OPERATIONS.find((operation) => operation.name === name);
	if (!found) throw new Error(`There is no operation ${name}`);
	return found;
}

/** Creates a lead for each item, with the item's phone number. */
export const leadPerItem: INodeParameters = {
	resource: 'lead',
	operation: 'create',
	campaignId: '1',
	phoneNumber: '={{ $json.phone }}',
};

/** Items with one phone number each. */
export const people = (count: number): Array<{ phone: string }> =>
	Array.from({ length: count }, (_, index) => ({ phone: `+49151123${46_000 + index}` }));
