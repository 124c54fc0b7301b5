import { locator } from '../../../shared/pickers/locator';

/** Picks a call of the account. */
export const callLocator = locator({
	displayName: 'Call',
	name: 'callId',
	description: 'The call, from the newest calls or by its ID',
	searchListMethod: 'searchCalls',
});
