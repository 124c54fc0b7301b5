import { DescribedError, ServiceError, type FieldErrors } from '../../shared/client/errors';
import { withLabels } from '../fields/fieldLabels';
import type { Field } from '../fields/routing';

/** What is told about an item that failed. */
export interface ErrorTexts {
	/** What happened, in one sentence; a field by the name that the user sees. */
	message: string;
	/** Each wrong field on a line where there are several, then what to do. */
	description: string;
	httpCode: string | null;
	/** Messages by the names of the fields on the screen. */
	errors: FieldErrors;
}

/** Messages that say less than the fields below them (contract: Errors). */
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
 * @param error what was thrown for it: a request that did not succeed, wrong input, or whatever an
 * expression of the user's throws
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
