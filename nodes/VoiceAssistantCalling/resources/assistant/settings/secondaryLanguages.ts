import { getLocatorValue } from '../../../../shared/fields/values';
import { asText, recordsIn } from '../../../../shared/values/json';
import { getBody, type Field, type PreSend } from '../../../fields/routing';
import { assistantFields } from '../fields';
import { NOT_EVERYWHERE } from '../generations/newerNames';

/** Converts the chosen languages to a list of names, which are looked up when the item is sent. */
const toNames: PreSend = (request) => {
	const { secondary_language_ids: entered, ...body } = getBody(request);
	const names = recordsIn(entered).map(({ languageName }) => asText(getLocatorValue(languageName)));
	const sent = names.length > 0 ? { ...body, secondary_language_ids: names } : body;
	return Promise.resolve({ ...request, body: sent });
};

export const secondaryLanguages: Field = {
	displayName: 'Secondary Languages',
	name: 'secondaryLanguages',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Language' },
	placeholder: 'Add Language',
	default: {},
	description: `Further languages that the assistant speaks. ${NOT_EVERYWHERE}`,
	routing: { send: { type: 'body', property: 'secondary_language_ids', preSend: [toNames] } },
	options: [
		{
			displayName: 'Language',
			name: 'language',
			values: [
				{
					...assistantFields.language,
					name: 'languageName',
					required: true,
					description: `Required. ${assistantFields.language.description}.`,
					routing: undefined,
				},
			],
		},
	],
};
