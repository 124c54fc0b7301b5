import { searchAssistants } from '../../shared/assistants/searchAssistants';
import { searchTools } from '../../shared/assistants/searchTools';

/** Fills the pickers. */
export const listSearch = { searchAssistants, searchTools };
