import { DescribedError, ServiceError, type FieldErrors } from '../../shared/client/errors';
import { withLabels } from '../fields/fieldLabels';
import type { Field } from '../fields/routing';

/** The texts about an item that failed. */
export interface ErrorTexts {
	/** What happened, in one sentence, with the name of the field on the screen. */
	message: string;
	/** Each wrong field on a line when there are several, then what to do. */
	description: string;
	httpCode: string | null;
	/** Messages by the names of the fields on the screen. */
	errors: FieldErrors;
}

/** These messages say less than the messages of the fields (contract: Errors). */
const GENERIC_MESSAGES = ['Validation failed', 'The given data was invalid.'];

function serviceTexts(error: ServiceError, fields: Field[]): ErrorTexts {
	const { message, nextStep, httpCode = null } = error;
	const errors = withLabels(fields, error.errors);
	const lines = Object.entries(errors).flatMap(([label, messages]) =>
		messages.map((text) => `'${label}': ${text}`),
	);
	const [first, ...others] = lines;
	if (first === undefined) return { message, description: nextStep, httpCode, errors };
	const words = GENERIC_MESSAGES.includes(message) ? [] : [message];
	const listed = others.length > 0 ? lines : [];
	return {
		message: first,
		description: [...words, ...listed, nextStep].join('\n'),
		httpCode,
		errors,
	};
}

/**
 * Puts the failure of an item into words.
 *
 * @param error of the item: a failed request, wrong input, or an error in a user's expression
 * @param fields of the operation
 */
export function errorTexts(error: unknown, fields: Field[]): ErrorTexts {
	if (error instanceof ServiceError) return serviceTexts(error, fields);
	if (error instanceof DescribedError) {
		const { message, nextStep, errors } = error;
		return { message, description: nextStep, httpCode: null, errors };
	}
	return {
		message: error instanceof Error ? error.message : String(error),
		description: 'Nothing was sent for this item.',
		httpCode: null,
		errors: {},
	};
}
