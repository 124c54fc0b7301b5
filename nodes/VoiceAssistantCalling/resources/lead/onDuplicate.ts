import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isValidationError, type ServiceError } from '../../../shared/client/errors';
import { isRecord, recordsIn } from '../../../shared/client/json';
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

/** How the service words that it has a lead (assumption lead-duplicate-refusal). */
const DUPLICATE = /\b(already|duplicat)/i;

/** Whether a refusal says that each of these phone numbers is a duplicate, and nothing else. */
function isDuplicate(error: unknown, numbers: string[]): error is ServiceError {
	if (!isValidationError(error)) return false;
	const fields = Object.keys(error.errors);
	return (
		error.omittedErrors === 0 &&
		numbers.every((field) => fields.includes(field)) &&
		Object.entries(error.errors).every(
			([field, texts]) => numbers.includes(field) && texts.every((text) => DUPLICATE.test(text)),
		)
	);
}

/**
 * The output for a duplicate. A new secondary contact would be lost with a skipped lead, so all phone
 * numbers of the request must be duplicates.
 *
 * @throws the failure itself when it is another one
 */
function duplicate(error: unknown, request: IHttpRequestOptions): IDataObject {
	const { campaign_id, phone_number, secondary_contacts } = getBody(request);
	const others = recordsIn(secondary_contacts).map(
		(_, index) => `secondary_contacts.${index}.phone_number`,
	);
	if (!isDuplicate(error, ['phone_number', ...others])) throw error;
	return {
		result: 'duplicate',
		campaign_id,
		phone_number,
		message: error.errors.phone_number?.join(' '),
	};
}

/** A field `result` of the service would hide whether the lead is new. */
function withoutResult({ data, ...body }: IDataObject): IDataObject {
	if (!isRecord(data)) return { ...body, data };
	const lead = Object.entries(data).filter(([name]) => name !== 'result');
	return { ...body, data: Object.fromEntries(lead) };
}

/**
 * Turns the refusal of a duplicate into an output, if the user skips duplicates.
 *
 * @param response of the service
 * @throws {ServiceError} when the service refused the lead for another reason
 */
export const handleDuplicate: HandleResponse = async (response, request, { additionalFields }) => {
	const created = response.then(withoutResult);
	if (!isRecord(additionalFields) || additionalFields.onDuplicate !== 'skip') return await created;
	return await created.catch((error: unknown) => ({ data: duplicate(error, request) }));
};
