import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { gatherInUse, toUsageEntry, type InUse } from '../../shared/assistants/inUse';
import { byName, matches, type Entry } from '../../shared/pickers/entries';
import { asText } from '../../shared/values/json';

/** English names of languages that services of this kind often have. Which ones exist is not known. */
const USUAL = [
	'Arabic',
	'Chinese',
	'Czech',
	'Danish',
	'Dutch',
	'English',
	'Finnish',
	'French',
	'German',
	'Greek',
	'Hebrew',
	'Hindi',
	'Hungarian',
	'Italian',
	'Japanese',
	'Korean',
	'Norwegian',
	'Polish',
	'Portuguese',
	'Romanian',
	'Russian',
	'Spanish',
	'Swedish',
	'Turkish',
	'Ukrainian',
];

function getLanguages({ language }: IDataObject) {
	const name = asText(language).trim();
	return name === '' ? [] : [{ value: name, name }];
}

/** Languages in use come first, because the service certainly knows them under these names. */
function toEntries(inUse: InUse[]): Entry[] {
	const known = new Set(inUse.map(({ value }) => value.toLowerCase()));
	const others = USUAL.filter((name) => !known.has(name.toLowerCase()));
	return [
		...inUse.map(toUsageEntry).sort(byName),
		...others.map((name) => ({ name, value: name })),
	];
}

/** Lists languages: those of the account's assistants, and usual ones. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	// The usual languages need no request, so a list that cannot be read is no reason for none.
	const { inUse } = await gatherInUse(this, getLanguages).catch(() => ({ inUse: [] }));
	return { results: toEntries(inUse).filter(matches(filter)) };
}
