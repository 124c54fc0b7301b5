import type { Field } from '../fields/routing';

/** How many requests run at the same time when the user sets nothing. */
export const DEFAULT_CONCURRENCY = 10;

/** How long a request may take when the user sets nothing. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** n8n adds such options only to nodes without `execute` (n8n.md#request-options-of-n8n). */
export const requestOptions: Field = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	description: 'How requests are sent',
	options: [
		{
			displayName: 'Default Country Code',
			name: 'defaultCountryCode',
			type: 'string',
			default: '',
			placeholder: 'e.g. 49',
			description:
				'Country code of phone numbers that have none. With 49, 0151 12345678 is sent as +4915112345678. It replaces the Default Country Code of the credential. Unlike the other options, each item can have another one.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			default: true,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
			default: DEFAULT_CONCURRENCY,
			description:
				'How many requests run at the same time, from 1 to 100. Lower it if the service reports too many requests.',
		},
		{
			displayName: 'Proxy',
			name: 'proxy',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://proxy.example.com:3128',
			description:
				'Address of a proxy that the requests go through. The Base URL must begin with https://, unless it is this machine.',
		},
		{
			displayName: 'Timeout (Milliseconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 300_000, numberPrecision: 0 },
			default: DEFAULT_TIMEOUT_MS,
			description: 'How long to wait for a response of the service, from 1 to 300000 milliseconds',
		},
	],
};
