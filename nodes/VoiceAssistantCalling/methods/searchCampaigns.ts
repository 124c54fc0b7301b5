import { LIST_PATHS, readList } from '../../shared/lists/readList';
import { withDetails } from '../../shared/pickers/entries';
import { entryById, searchWholeList } from '../../shared/pickers/searchWholeList';
import { asText } from '../../shared/values/json';

/** Lists the account's campaigns. */
export const searchCampaigns = searchWholeList({
	read: async (context, credential) => await readList(context, credential, LIST_PATHS.campaigns),
	toEntry: (campaign) =>
		entryById(campaign, withDetails(asText(campaign.name), `ID ${asText(campaign.id)}`)),
	what: 'campaigns',
});
