import type { INodePropertyOptions } from 'n8n-workflow';

/** The types of calls, for drop-down lists (contract: Call record). */
export const callTypes: INodePropertyOptions[] = [
	{ name: 'Inbound', value: 'inbound' },
	{ name: 'Outbound', value: 'outbound' },
	{ name: 'Web', value: 'web' },
];

/** The statuses of calls, for drop-down lists (contract: States). */
export const callStatuses: INodePropertyOptions[] = [
	{ name: 'Busy', value: 'busy' },
	{ name: 'Completed', value: 'completed' },
	{ name: 'Ended', value: 'ended' },
	{ name: 'Ended by Assistant', value: 'ended_by_assistant' },
	{ name: 'Ended by Customer', value: 'ended_by_customer' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'In Progress', value: 'in-progress' },
	{ name: 'Initiated', value: 'initiated' },
	{ name: 'No Answer', value: 'no-answer' },
	{ name: 'Ringing', value: 'ringing' },
];
