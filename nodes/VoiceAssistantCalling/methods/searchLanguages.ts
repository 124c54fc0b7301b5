import { LIST_PATHS, readList } from '../../shared/lists/readList';
import { entryByName, searchList } from '../../shared/pickers/searchList';

/** Lists the provider's languages. The contract writes their names. */
export const searchLanguages = searchList({
	read: async (context, credential) => await readList(context, credential, LIST_PATHS.languages),
	toEntry: entryByName,
	what: 'languages',
	mode: 'By Name',
});
