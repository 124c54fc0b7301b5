import { getRows, type ServiceResponse } from './client.mts';
import { asObject, type JsonObject } from './contract.mts';
import type { Service } from './service.mts';

/** Asks as Alice. The answer is not compared with the contract, because these providers differ from it. */
export const ask = (
	{ alice }: Service,
	method: string,
	path: string,
	json?: JsonObject,
): Promise<ServiceResponse> => {
	const [pathOnly = '', query = ''] = path.split('?');
	return alice.request(method, pathOnly, {
		json,
		query: Object.fromEntries(new URLSearchParams(query)),
		ignoreContract: true,
	});
};

/** Adds a lead to Alice's first campaign. */
export const addLead = (own: Service, fields: JsonObject = {}): Promise<ServiceResponse> =>
	ask(own, 'POST', '/user/lead', { campaign_id: 1, phone_number: '+4915112345699', ...fields });

/** The first record of a list of Alice's, in the form of the provider. */
export const firstRow = async (own: Service, path: string): Promise<JsonObject> =>
	asObject(getRows(await ask(own, 'GET', path))[0], `the first record of ${path}`);
