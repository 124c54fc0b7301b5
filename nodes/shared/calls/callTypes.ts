import type { INodePropertyOptions } from 'n8n-workflow';

/** The types of calls, for drop-down lists (contract: Call record). */
export const callTypes: INodePropertyOptions[] = [
	{ name: 'Inbound', value: 'inbound' },
	{ name: 'Outbound', value: 'outbound' },
	{ name: 'Web', value: 'web' },
];
