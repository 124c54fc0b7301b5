import type { INodeProperties } from 'n8n-workflow';

/** How many requests may be under way where the user sets nothing. */
export const DEFAULT_CONCURRENCY = 10;

/** n8n adds batching, proxy, time-out and SSL to a collection of this name (n8n 2.0, 2.41). */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
			default: DEFAULT_CONCURRENCY,
			description:
				'How many requests may be under way at the same time, from 1 to 100. Lower it if the service complains about too many requests.',
		},
	],
};
