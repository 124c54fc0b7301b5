import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { isValidationError, ServiceError } from '../../../shared/client/errors';
import { asText, isRecord, recordsIn } from '../../../shared/values/json';
import { serviceText } from '../../../shared/values/serviceText';
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

/** The status of a request that does not fit what there is (RFC 9110). */
const CONFLICT = '409';

/** The refusals that say only in words what they are: a conflict, and a success that is none. */
const IN_WORDS = new RegExp(`^(${CONFLICT}|2\\d\\d)$`);

/** How the service words that it has a lead (assumption lead-duplicate-refusal). */
const DUPLICATE = /\b(already|duplicat)/i;

/** How it says the same where the status does not tell what was wrong. Other things exist already, too. */
const LEAD_EXISTS =
	/\b(lead|contact|number)\b[^.]{0,100}\b(already (exists|in)\b|(been )?already (been )?(added|taken)\b|is a duplicate)|(?<!\bno )\bduplicate (lead|contact|entry|(phone )?number)\b/i;

/**
 * Some services answer with success, and say only in words that the lead was there before.
 *
 * @throws {ServiceError} with the service's words: no lead was created
 */
function refuseFound(body: IDataObject): IDataObject {
	const message = serviceText(asText(body.message));
	if (!LEAD_EXISTS.test(message)) return body;
	throw new ServiceError({
		message,
		nextStep: 'Leave the item out: the service has created no lead for it.',
		httpCode: CONFLICT,
		refused: true,
	});
}

/** Whether a refusal says that each of these phone numbers is a duplicate, and nothing else. */
function isDuplicate(error: unknown, numbers: string[]): error is ServiceError {
	const isConflict = error instanceof ServiceError && IN_WORDS.test(error.httpCode ?? '');
	if (!isConflict && !isValidationError(error)) return false;
	const fields = Object.keys(error.errors);
	// They do not say which of several numbers they mean.
	const isAboutLead = numbers.length === 1 && fields.every((field) => field === 'lead');
	if (isAboutLead && fields.length === 0) return LEAD_EXISTS.test(error.message);
	const meant = isAboutLead ? fields : numbers;
	return (
		error.omittedErrors === 0 &&
		meant.every((field) => fields.includes(field)) &&
		Object.entries(error.errors).every(
			([field, texts]) => meant.includes(field) && texts.every((text) => DUPLICATE.test(text)),
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
		message: (error.errors.phone_number ?? error.errors.lead)?.join(' ') ?? error.message,
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
	const choice = isRecord(additionalFields) ? additionalFields.onDuplicate : undefined;
	// Words about another lead say nothing about one that may be there twice.
	const created = choice === 'createAnyway' ? response : response.then(refuseFound);
	const lead = created.then(withoutResult);
	if (choice !== 'skip') return await lead;
	return await lead.catch((error: unknown) => ({ data: duplicate(error, request) }));
};
