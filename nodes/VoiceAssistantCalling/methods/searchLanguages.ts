import { LIST_PATHS, readList } from '../../shared/lists/readList';
import { entryByName, searchWholeList } from '../../shared/pickers/searchWholeList';

/** Lists the provider's languages. The contract writes their names. */
export const searchLanguages = searchWholeList({
	read: async (context, credential) => await readList(context, credential, LIST_PATHS.languages),
	toEntry: entryByName,
	what: 'languages',
	mode: 'By Name',
});
