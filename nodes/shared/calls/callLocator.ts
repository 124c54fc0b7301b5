import { locator } from '../assistants/locators';

/** Picks a call of the account. */
export const callLocator = locator('Call', 'callId', 'searchCalls');
