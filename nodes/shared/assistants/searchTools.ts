import { LIST_PATHS, readList } from '../lists/readList';
import { withDetails } from '../pickers/entries';
import { entryById, searchWholeList } from '../pickers/searchWholeList';
import { asText } from '../values/json';

/** Lists the account's mid call tools, for the picker. */
export const searchTools = searchWholeList({
	read: async (context, credential) => await readList(context, credential, LIST_PATHS.tools),
	toEntry: (tool) => entryById(tool, withDetails(asText(tool.name), `ID ${asText(tool.id)}`)),
	what: 'tools',
});
