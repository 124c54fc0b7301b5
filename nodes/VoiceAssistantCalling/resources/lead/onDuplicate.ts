import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { ServiceError } from '../../../shared/client/errors';
import { isRecord, recordsIn } from '../../../shared/values/json';
import { getBody, type Field, type PreSend } from '../../fields/routing';
import type { HandleResponse } from '../operation';

/** Fail and Skip say no on purpose: the service's own default is not known (assumption lead-duplicates). */
const toAllowDuplicate: PreSend = (request) => {
	const { on_duplicate: entered, ...body } = getBody(request);
	// The service uses this spelling.
	const allowed = entered === undefined ? {} : { allow_dupplicate: entered === 'createAnyway' };
	return Promise.resolve({ ...request, body: { ...body, ...allowed } });
};

export const onDuplicate: Field = {
	displayName: 'On Duplicate',
	name: 'onDuplicate',
	type: 'options',
	default: 'fail',
	description: 'What to do when the campaign already has a lead with this phone number',
	options: [
		{
			name: 'Create Anyway',
			value: 'createAnyway',
			description: 'Create another lead. The person may be called twice, which costs money.',
		},
		{ name: 'Fail', value: 'fail', description: 'The item fails' },
		{
			name: 'Skip',
			value: 'skip',
			description:
				"Create no lead, and go on. The field 'result' of the output is 'duplicate' instead of 'created'.",
		},
	],
	routing: { send: { type: 'body', property: 'on_duplicate', preSend: [toAllowDuplicate] } },
};

/** How the refusal of a duplicate differs from that of another number. No document shows its words (assumption lead-duplicates). */
const DUPLICATE = /\b(already|duplicat)/i;

/** The same where no field is named: other things exist already, too. */
const DUPLICATE_LEAD =
	/\b(lead|contact|number)\b[^.]{0,100}\b(already (exists|in)\b|already (been )?(added|taken)\b|is a duplicate)|\bduplicate (lead|contact|(phone )?number)\b/i;

/** The refusals of a value. Those of the token, the plan or the balance are about something else. */
const REFUSED_VALUE = ['400', '409', '422'];

/** Whether a refusal says that the phone number in each of these fields is a duplicate, and nothing else. */
function isDuplicate(error: unknown, numberFields: string[]): error is ServiceError {
	if (!(error instanceof ServiceError) || !REFUSED_VALUE.includes(error.httpCode ?? '')) {
		return false;
	}
	const { errors, message, omittedErrors } = error;
	const fields = Object.keys(errors);
	// A message does not say which of several numbers it means.
	if (fields.length === 0) return numberFields.length === 1 && DUPLICATE_LEAD.test(message);
	return (
		omittedErrors === 0 &&
		numberFields.every((field) => fields.includes(field)) &&
		Object.entries(errors).every(
			([field, texts]) =>
				numberFields.includes(field) && texts.every((text) => DUPLICATE.test(text)),
		)
	);
}

/**
 * The fields of a request that have a phone number. All of the numbers must be duplicates: a new secondary
 * contact would be lost with a skipped lead.
 */
const numberFieldsIn = (request: IHttpRequestOptions): string[] => [
	'phone_number',
	...recordsIn(getBody(request).secondary_contacts).map(
		(_, index) => `secondary_contacts.${index}.phone_number`,
	),
];

/** The output for a duplicate. */
function duplicate({ errors, message }: ServiceError, request: IHttpRequestOptions): IDataObject {
	const { campaign_id, phone_number } = getBody(request);
	return {
		result: 'duplicate',
		campaign_id,
		phone_number,
		message: errors.phone_number?.join(' ') ?? message,
	};
}

const SKIP =
	"Nothing has to be corrected. To go on without a second lead, set 'Additional Fields → On Duplicate' to 'Skip'.";

/** A field `result` of the service would hide whether the lead is new. */
function withoutResult({ data, ...body }: IDataObject): IDataObject {
	if (!isRecord(data)) return { ...body, data };
	const lead = Object.entries(data).filter(([name]) => name !== 'result');
	return { ...body, data: Object.fromEntries(lead) };
}

/**
 * Turns the refusal of a duplicate into an output, if the user skips duplicates, and otherwise names that choice.
 *
 * @param response of the service
 * @throws {ServiceError} when the service refused the lead
 */
export const skipDuplicate: HandleResponse = async (response, request, { additionalFields }) => {
	const choice = isRecord(additionalFields) ? additionalFields.onDuplicate : undefined;
	const lead = response.then(withoutResult);
	return await lead.catch((error: unknown) => {
		if (!isDuplicate(error, numberFieldsIn(request))) throw error;
		if (choice === 'skip') return { data: duplicate(error, request) };
		throw new ServiceError({ ...error, message: error.message, nextStep: SKIP });
	});
};
