import type { ErrorObject } from 'ajv/dist/2020.js';

import type { FieldErrors } from '../base/response.mts';

const WEBHOOK_URL_NEEDED = 'The webhook url field is required when is webhook active is true.';

/** Whatever is wrong with these fields of a lead update, the contract quotes what is said. */
const LEAD_UPDATE_SENTENCES: { [field: string]: string } = {
	campaign_id: 'The selected campaign does not exist',
	status: 'This status is assigned automatically and cannot be set manually',
	variables: 'Variables must be an array',
	phone_number: 'Invalid phone number',
};

/** What is said when a text has not the form of its field. The first that fits the field counts. */
const FORM_SENTENCES: Array<[field: RegExp, sentence: (name: string) => string]> = [
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

/**
 * Says what ajv found in a request in the words of the service (contract: Errors; assumptions:
 * field-messages, nested-error-keys).
 * @param errors with paths that begin with /requestBody or /query, made with `verbose`
 */
export function sentences(operationId: string, errors: ErrorObject[]): FieldErrors {
	// A map, because a field may be named like something that every object has.
	const fields = new Map<string, string[]>();
	for (const error of errors) {
		// `if` fails together with its `then`, which says what is wrong.
		if (error.keyword === 'if') continue;
		const field = fieldOf(error);
		// One sentence per field: a value of the wrong type breaks all other rules, too.
		if (fields.has(field)) continue;
		const quoted = operationId === 'updateLead' ? LEAD_UPDATE_SENTENCES[field] : undefined;
		fields.set(field, [quoted ?? sentenceOf(field, error)]);
	}
	return Object.fromEntries(fields);
}

/** The field's path with dots, as in `secondary_contacts.0.phone_number`. */
function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
	const path = instancePath.split('/').slice(2);
	if (keyword === 'required') path.push(String(params['missingProperty']));
	if (keyword === 'additionalProperties') path.push(String(params['additionalProperty']));
	if (keyword === 'unevaluatedProperties') path.push(String(params['unevaluatedProperty']));
	return path.join('.');
}

/** Fields within others are named as they are written, others in words. */
const nameOf = (field: string): string =>
	field.includes('.') ? field : field.replaceAll('_', ' ');

function sentenceOf(
	field: string,
	{ keyword, params, schemaPath, parentSchema }: ErrorObject,
): string {
	const name = nameOf(field);
	const limit = String(params['limit']);
	const both = (low: string, high: string): string | undefined => {
		const limits = [parentSchema?.[low], parentSchema?.[high]];
		return limits.every((value) => typeof value === 'number')
			? `between ${limits.join(' and ')}`
			: undefined;
	};
	if (schemaPath.includes('/then/')) return WEBHOOK_URL_NEEDED;
	switch (keyword) {
		case 'required':
			return `The ${name} field is required.`;
		case 'type':
			return `The ${name} must be ${TYPE_WORDS[String([params['type']].flat()[0])]}.`;
		case 'enum':
			return `The selected ${name} is invalid.`;
		case 'minimum':
			return `The ${name} must be ${both('minimum', 'maximum') ?? `at least ${limit}`}.`;
		case 'maximum':
			return `The ${name} must be ${both('minimum', 'maximum') ?? `at most ${limit}`}.`;
		case 'minLength':
			return limit === '1'
				? `The ${name} field is required.`
				: `The ${name} must be at least ${limit} characters.`;
		case 'maxLength':
			return `The ${name} must not be greater than ${limit} characters.`;
		case 'pattern':
		case 'format': {
			const form = FORM_SENTENCES.find(([fields]) => fields.test(field));
			return form ? form[1](name) : `The ${name} format is invalid.`;
		}
		case 'additionalProperties':
		case 'unevaluatedProperties':
			return `The ${name} field does not exist.`;
		default:
			return `The ${name} is invalid.`;
	}
}
