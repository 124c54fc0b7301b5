import { LIST_PATHS } from '../../../shared/lists/readList';
import { recordShapes } from '../../../shared/records/recordShapes';
import { returnAllOrLimit } from '../common/returnAllOrLimit';
import type { Operation } from '../operation';

/** public-service: Voices, languages, models, providers, numbers; S1, S2, S4b, S7. */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many phone numbers',
	description:
		'Retrieve a list of the phone numbers of the account, and which of them can send SMS',
	request: { method: 'GET', url: LIST_PATHS.phoneNumbers },
	notInContract: {
		wayRound: `Use 'Custom API Call' with the path ${LIST_PATHS.assistantPhoneNumbers}, or look at the numbers in your account at the provider.`,
	},
	record: recordShapes.phoneNumber,
	isWholeList: true,
	fields: returnAllOrLimit,
};
