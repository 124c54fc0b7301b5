import { searchAssistants } from '../../shared/assistants/searchAssistants';
import { searchTools } from '../../shared/assistants/searchTools';
import { searchCalls } from './searchCalls';
import { searchCampaigns } from './searchCampaigns';
import { searchLanguages } from './searchLanguages';
import { searchModels } from './searchModels';
import { searchPhoneNumbers, searchSmsPhoneNumbers } from './searchPhoneNumbers';
import { searchTimezones } from './searchTimezones';
import { searchVoices } from './searchVoices';

/** Fills the pickers. */
export const listSearch = {
	searchAssistants,
	searchCalls,
	searchCampaigns,
	searchLanguages,
	searchModels,
	searchPhoneNumbers,
	searchSmsPhoneNumbers,
	searchTimezones,
	searchTools,
	searchVoices,
};
