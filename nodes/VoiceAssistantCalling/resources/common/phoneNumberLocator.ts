import { locator } from '../../../shared/pickers/locator';

/** Picks a phone number of the account. */
export const phoneNumberLocator = (searchListMethod: string) =>
	locator({
		displayName: 'Phone Number',
		name: 'phoneNumberId',
		description: 'A phone number of your account',
		searchListMethod,
		entryMode: { placeholder: 'e.g. 3', hint: 'Your provider shows the ID' },
	});
