import { locator } from '../../../shared/pickers/locator';

/** Picks a call of the account. */
export const callLocator = locator({
	displayName: 'Call',
	name: 'callId',
	searchListMethod: 'searchCalls',
});
