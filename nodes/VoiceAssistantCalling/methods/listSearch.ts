import { searchAssistants } from '../../shared/assistants/searchAssistants';
import { searchTools } from '../../shared/assistants/searchTools';
import { searchCalls } from '../../shared/calls/searchCalls';

/** Fills the pickers. */
export const listSearch = { searchAssistants, searchCalls, searchTools };
