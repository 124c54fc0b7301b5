import type { IExecuteFunctions } from 'n8n-workflow';

import type { SendContext } from '../fields/routing';
import type { Account } from './accounts';

/** What building the request of an item needs of n8n. */
export const sendContext = (
	context: IExecuteFunctions,
	index: number,
	{ credential }: Account,
): SendContext => ({
	getNodeParameter: (name, fallback) => context.getNodeParameter(name, index, fallback),
	getCredentials: async () => await Promise.resolve(credential),
});
