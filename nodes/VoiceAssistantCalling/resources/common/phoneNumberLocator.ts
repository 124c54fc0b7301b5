import { locator } from '../../../shared/pickers/locator';

/** Picks a phone number of the account. */
export const phoneNumberLocator = locator({
	displayName: 'Phone Number',
	name: 'phoneNumberId',
	description: 'A phone number of your account',
	searchListMethod: 'searchPhoneNumbers',
	listHint: 'Phone numbers that your assistants have. Others: By ID.',
	entryMode: { placeholder: 'e.g. 3', hint: 'Your provider shows the ID' },
});
