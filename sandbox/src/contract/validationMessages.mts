import type { ErrorObject } from 'ajv/dist/2020.js';

import { ApiError, invalidFields, type FieldErrors } from '../base/apiError.mts';
import { CampaignRefusal } from '../base/campaignRefusal.mts';

const WEBHOOK_URL_NEEDED = 'The webhook url field is required when is webhook active is true.';

/** Update lead, which has several addresses. */
export const UPDATE_LEAD = new Set(['updateLead', 'patchLead', 'updateLeadAtShortPath']);

/** The contract quotes one message for each of these fields of a lead update. */
const LEAD_UPDATE_MESSAGES: { [field: string]: string } = {
	campaign_id: 'The selected campaign does not exist',
	status: 'This status is assigned automatically and cannot be set manually',
	variables: 'Variables must be an array',
	phone_number: 'Invalid phone number',
};

/** For a text in the wrong format. The first entry that matches the field is used. */
const FORMAT_MESSAGES: Array<[field: RegExp, message: (name: string) => string]> = [
	[
		/^name$/,
		() => 'Tool name must contain only lowercase letters and underscores, and start with a letter.',
	],
	[
		/^schema\.\d+\.name$/,
		(name) => `The ${name} must start with a letter and contain only letters and underscores.`,
	],
	[
		/^post_call_schema\.\d+\.name$/,
		(name) => `The ${name} must contain only letters, numbers and underscores.`,
	],
	[/^(endpoint|webhook_url)$/, (name) => `The ${name} must be a valid URL.`],
	[/^timezone$/, (name) => `The ${name} must be a valid timezone in the form Area/City.`],
	[/^date_/, (name) => `The ${name} must be a date in the form YYYY-MM-DD.`],
];

const TYPE_WORDS: { [type: string]: string } = {
	string: 'a string',
	integer: 'an integer',
	number: 'a number',
	boolean: 'true or false',
	array: 'an array',
	object: 'an object',
};

/** These operations use this message (assumptions: validation-message; public-service.md: POST /user/campaigns, S1). */
const GIVEN_DATA_INVALID = new Set([
	'disableWebhook',
	'enableInboundWebhook',
	'disableInboundWebhook',
	'enableWebhook',
	'createCampaign',
]);

/**
 * Turns what ajv found in a request into the service's refusal (contract: Errors; assumptions:
 * field-messages).
 *
 * @param errors with paths that begin with /requestBody or /query, made with `verbose`
 * @param saysAllowed whether a message has the words of which one is allowed, as the service's has not
 */
export function validationError(
	operationId: string,
	errors: ErrorObject[],
	saysAllowed = false,
): ApiError {
	const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
	if (UPDATE_LEAD.has(operationId) && unknown.length > 0) {
		const names = unknown.map(({ params }) => String(params['additionalProperty']));
		return new ApiError(422, `Invalid fields: ${names.join(', ')}`);
	}
	const isAction = errors.every(({ instancePath }) => instancePath === '/requestBody/action');
	if (operationId === 'updateCampaignStatus' && isAction) {
		return new CampaignRefusal("Invalid action. Must be either 'start' or 'stop'.");
	}
	return refusalFor(operationId, messagesByField(operationId, errors, saysAllowed));
}

/** The refusal with these messages by field. */
export function refusalFor(operationId: string, errors: FieldErrors): ApiError {
	const [message] = errors['phone_number'] ?? [];
	const isAlone = Object.keys(errors).length === 1;
	// A lead update names an unreadable phone number in the message only (contract: Errors).
	if (UPDATE_LEAD.has(operationId) && message !== undefined && isAlone) {
		return new ApiError(422, message);
	}
	return GIVEN_DATA_INVALID.has(operationId)
		? invalidFields(errors, 'The given data was invalid.')
		: invalidFields(errors);
}

function messagesByField(
	operationId: string,
	errors: ErrorObject[],
	saysAllowed: boolean,
): FieldErrors {
	// A map, because a field may have the name of something that every object has.
	const fields = new Map<string, string[]>();
	for (const error of errors) {
		// `if` fails together with its `then`, which has the message.
		if (error.keyword === 'if') continue;
		const field = toFieldPath(error);
		// One message per field: a value of the wrong type also breaks all other rules.
		if (fields.has(field)) continue;
		const quoted = UPDATE_LEAD.has(operationId) ? LEAD_UPDATE_MESSAGES[field] : undefined;
		const allowed: unknown = saysAllowed && error.params['allowedValues'];
		const words = Array.isArray(allowed) ? ` Allowed: ${allowed.join(', ')}.` : '';
		fields.set(field, [(quoted ?? toMessage(field, error)) + words]);
	}
	return Object.fromEntries(fields);
}

/** The field's path with dots, as in `secondary_contacts.0.phone_number`. */
function toFieldPath({ instancePath, keyword, params }: ErrorObject): string {
	const path = instancePath.split('/').slice(2);
	if (keyword === 'required') path.push(String(params['missingProperty']));
	if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']));
	if (keyword === 'unevaluatedProperties') path.push(String(params['unevaluatedProperty']));
	return path.join('.');
}

/** The name of a nested field as it is written, of another one in words. */
const displayName = (field: string): string =>
	field.includes('.') ? field : field.replaceAll('_', ' ');

function toMessage(
	field: string,
	{ keyword, params, schemaPath, parentSchema }: ErrorObject,
): string {
	const name = displayName(field);
	const limit = String(params['limit']);
	const limits: unknown[] = [parentSchema?.['minimum'], parentSchema?.['maximum']];
	const isRange = limits.every((value) => typeof value === 'number');
	const range = isRange ? `between ${limits.join(' and ')}` : undefined;
	if (schemaPath.includes('/then/') && field === 'webhook_url') return WEBHOOK_URL_NEEDED;
	switch (keyword) {
		case 'required':
			return `The ${name} field is required.`;
		case 'type':
			return `The ${name} must be ${TYPE_WORDS[String([params['type']].flat()[0])]}.`;
		case 'enum':
			return `The selected ${name} is invalid.`;
		case 'minimum':
		case 'maximum':
			return `The ${name} must be ${range ?? `at ${keyword === 'minimum' ? 'least' : 'most'} ${limit}`}.`;
		case 'minLength':
			return limit === '1'
				? `The ${name} field is required.`
				: `The ${name} must be at least ${limit} characters.`;
		case 'maxLength':
			return `The ${name} must not be greater than ${limit} characters.`;
		case 'pattern':
		case 'format': {
			const own: unknown = parentSchema?.['x-message'];
			if (typeof own === 'string') return own;
			const [, formatMessage] = FORMAT_MESSAGES.find(([fields]) => fields.test(field)) ?? [];
			return formatMessage?.(name) ?? `The ${name} format is invalid.`;
		}
		case 'additionalProperties':
		case 'unevaluatedProperties':
			return `The ${name} field does not exist.`;
		default:
			return `The ${name} is invalid.`;
	}
}

/** What the service says when it fails at an operation (contract: Errors; assumptions: sms-errors). */
const FAILURE_MESSAGES: { [operationId: string]: string } = {
	createAssistant: 'Assistant creation failed',
	updateAssistant: 'Assistant update failed',
	deleteAssistant: 'Assistant deletion failed',
	sendSms: 'Failed to send SMS',
};

/** The message of a 500 at an operation. */
export const failureMessage = (operationId: string | null): string =>
	FAILURE_MESSAGES[operationId ?? ''] ?? 'Server Error';
