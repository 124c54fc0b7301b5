import { searchAssistants } from '../../shared/assistants/searchAssistants';
import { searchTools } from '../../shared/assistants/searchTools';
import { searchCalls } from './searchCalls';
import { searchCampaigns } from './searchCampaigns';
import { searchLanguages } from './searchLanguages';
import { searchPhoneNumbers } from './searchPhoneNumbers';
import { searchTimezones } from './searchTimezones';
import { searchVoices } from './searchVoices';

/** Fills the pickers. */
export const listSearch = {
	searchAssistants,
	searchCalls,
	searchCampaigns,
	searchLanguages,
	searchPhoneNumbers,
	searchTimezones,
	searchTools,
	searchVoices,
};
