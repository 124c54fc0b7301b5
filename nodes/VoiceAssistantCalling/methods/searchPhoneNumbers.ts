import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { LIST_PATHS, readList } from '../../shared/lists/readList';
import { withDetails } from '../../shared/pickers/entries';
import { entryById, searchWholeList } from '../../shared/pickers/searchWholeList';
import { asText } from '../../shared/values/json';

/** All numbers; a provider of S12a has only the list of those that an assistant can have. */
const readPhoneNumbers = async (
	context: ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
) =>
	(await readList(context, credential, LIST_PATHS.phoneNumbers)) ??
	(await readList(context, credential, LIST_PATHS.assistantPhoneNumbers));

function toEntry(record: IDataObject) {
	const name = [record.nickname, record.phone_number].map(asText).filter(Boolean).join(' ');
	return entryById(record, withDetails(name, `ID ${asText(record.id)}`));
}

/** Lists the account's phone numbers. */
export const searchPhoneNumbers = searchWholeList({
	read: readPhoneNumbers,
	toEntry,
	what: 'phone numbers',
});

/** Lists the phone numbers that can send SMS, and those of which the service does not say it. */
export const searchSmsPhoneNumbers = searchWholeList({
	read: readPhoneNumbers,
	toEntry: (record) => (record.sms_capable === false ? undefined : toEntry(record)),
	what: 'phone numbers for SMS',
});
