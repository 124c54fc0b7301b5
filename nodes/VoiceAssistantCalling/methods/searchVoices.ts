import type { ICredentialDataDecryptedObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { LIST_PATHS, readList } from '../../shared/lists/readList';
import { withDetails } from '../../shared/pickers/entries';
import { entryById, searchWholeList } from '../../shared/pickers/searchWholeList';
import { isId } from '../../shared/values/ids';
import { asText } from '../../shared/values/json';
import { chosenInForm, chosenMode } from './assistantForm';

/** The ID of the chosen language; undefined when the list does not have its name. */
async function chosenLanguageId(
	context: ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
) {
	const language = chosenInForm(context, 'language').toLowerCase();
	if (language === '') return undefined;
	const languages = (await readList(context, credential, LIST_PATHS.languages)) ?? [];
	return languages.find(({ name }) => asText(name).trim().toLowerCase() === language)?.id;
}

/** Lists the voices of the chosen mode and language. */
export const searchVoices = searchWholeList({
	async read(context, credential) {
		const id = await chosenLanguageId(context, credential);
		const qs = { mode: chosenMode(context)?.mode, ...(isId(id) && { language_id: id }) };
		return await readList(context, credential, LIST_PATHS.voices, qs);
	},
	toEntry(voice) {
		const { id, name, gender, accent } = voice;
		const details = [`ID ${asText(id)}`, asText(gender), asText(accent)];
		return entryById(voice, withDetails(asText(name), ...details));
	},
	what: 'voices',
});
