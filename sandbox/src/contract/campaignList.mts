import type { Document } from 'openapi-backend';

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const response = (name: string) => ({ $ref: `#/components/responses/${name}` });

const campaignPage = {
	allOf: [schema('PageEnvelope')],
	required: ['data'],
	properties: { data: { type: 'array', items: schema('Campaign') } },
};

/** It has the form of `listAssistants`. */
const listCampaigns = {
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

/**
 * Adds the list of campaigns to the contract, which does not show it (assumptions: list-campaigns-path).
 *
 * @param path of the list; null for a service that has none
 */
export const withCampaignList = (document: Document, path: string | null): Document =>
	path === null
		? document
		: ({
				...document,
				paths: { [path]: { get: listCampaigns }, ...document.paths },
			} as Document);
