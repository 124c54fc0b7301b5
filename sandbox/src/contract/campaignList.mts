const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const response = (name: string) => ({ $ref: `#/components/responses/${name}` });

const campaignPage = {
	allOf: [schema('PageEnvelope')],
	required: ['data'],
	properties: { data: { type: 'array', items: schema('Campaign') } },
};

/**
 * The operation that lists campaigns, which the contract does not show (assumptions: list-campaigns-path).
 * It has the form of `listAssistants`.
 */
export const listCampaigns = {
	operationId: 'listCampaigns',
	parameters: [
		{
			name: 'per_page',
			in: 'query',
			schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
		},
		{ $ref: '#/components/parameters/Page' },
	],
	responses: {
		200: {
			description: 'One page of campaigns.',
			content: { 'application/json': { schema: campaignPage } },
		},
		401: response('Unauthenticated'),
		422: response('QueryRefused'),
		429: response('TooManyRequests'),
		500: response('ServerError'),
	},
};
