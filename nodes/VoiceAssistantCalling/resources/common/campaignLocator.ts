import { locator, type Locator } from '../../../shared/pickers/locator';

/**
 * Picks a campaign of the account.
 *
 * @param cost under the field, where choosing a campaign can cost money
 */
export const campaignLocator = (cost?: string): Locator =>
	locator({
		displayName: 'Campaign',
		name: 'campaignId',
		description: 'The campaign, from the list of your account or by its ID',
		searchListMethod: 'searchCampaigns',
		listHint: cost,
		entryMode: {
			placeholder: 'e.g. 7',
			hint: cost ? `${cost}. Your provider shows the ID.` : 'Your provider shows the ID',
		},
	});
