import {
	DescribedError,
	hasUnknownOutcome,
	ServiceError,
	type FieldErrors,
} from '../../shared/client/errors';
import { shortText } from '../../shared/fields/values';
import { flatten, withLabels } from '../fields/fieldLabels';
import type { PhoneNumberProblems } from '../fields/phoneNumberProblem';
import type { Field } from '../fields/routing';
import type { SentPhoneNumbers } from '../fields/sendPhoneNumber';
import type { HeldBack } from './heldBack';

/** What the texts about an item name. */
export interface ItemDetails {
	/** The fields of its operation. */
	fields: Field[];
	/** Undefined until the item is prepared. */
	phoneNumbers?: SentPhoneNumbers;
	/** Why these will probably be refused, by their paths. */
	numberProblems?: PhoneNumberProblems;
	/** Whether a request of the item was sent, or a list was read for it. */
	isSent?: boolean;
	/** What ended it without a request. */
	heldBack?: HeldBack;
}

/** The texts about an item that failed. */
interface ErrorTexts {
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

/** Whether the service refuses a phone number without naming its field (contract: Errors). */
const isAboutNumbers = (message: string): boolean => /invalid phone number/i.test(message);

/** How the refused phone numbers were sent, because they can differ from what the user wrote, and what is wrong. */
function numbersText(
	{ message, errors }: ServiceError,
	{ phoneNumbers: sent = {}, numberProblems = {} }: ItemDetails,
): string[] {
	const isAboutAll = isAboutNumbers(message);
	const refused = Object.keys(sent).filter((path) => isAboutAll || path in errors);
	return refused.map((path) => {
		const found = numberProblems[path];
		const advice = found ? ` It ${found.problem}. ${found.nextStep}` : '';
		return `The phone number was sent as ${shortText(sent[path])}.${advice}`;
	});
}

/** Fields with a record that each account has its own of. Everybody has the same voices and languages. */
const RECORDS_OF_ACCOUNT = ['campaignId', 'phoneNumberId', 'assistantId'];

/** What a refused choice of a record can mean. */
function accountTexts({ errors }: ServiceError, { fields }: ItemDetails): string[] {
	const records = flatten(fields).filter(({ name }) => RECORDS_OF_ACCOUNT.includes(name));
	return records
		.filter(({ routing }) => (routing?.send.property ?? '') in errors)
		.map(({ displayName }) => `Check that '${displayName}' is of the account of the API token.`);
}

/** Fields whose record the service calls otherwise, or as other fields (contract: Errors; public-service: Errors). */
const NOT_FOUND = new Map([
	['campaignId', 'Campaign not found'],
	['phoneNumberId', 'From number not found'],
]);

/** The message with the name of the field on the screen: of a record that is not there, or of the only phone number. */
function withField(message: string, { fields, phoneNumbers = {} }: ItemDetails): string {
	const about = flatten(fields).find(({ name }) => {
		const words = NOT_FOUND.get(name);
		return words !== undefined && message.startsWith(words);
	});
	const [path, ...others] = isAboutNumbers(message) ? Object.keys(phoneNumbers) : [];
	const [number] =
		path !== undefined && others.length === 0
			? Object.keys(withLabels(fields, { [path]: [message] }))
			: [];
	const label = about?.displayName ?? number;
	return label === undefined ? message : `'${label}': ${message}`;
}

function serviceTexts(error: ServiceError, details: ItemDetails): ErrorTexts {
	const { message, nextStep, httpCode = null } = error;
	const errors = withLabels(details.fields, error.errors);
	const lines = Object.entries(errors).flatMap(([label, messages]) =>
		messages.map((text) => `'${label}': ${text}`),
	);
	const [first, ...others] = lines;
	const next = [...numbersText(error, details), ...accountTexts(error, details), nextStep];
	if (first === undefined) {
		const named = withField(message, details);
		return { message: named, description: next.join('\n'), httpCode, errors };
	}
	const words = GENERIC_MESSAGES.includes(message) ? [] : [message];
	const listed = others.length > 0 ? lines : [];
	return {
		message: first,
		description: [...words, ...listed, ...next].join('\n'),
		httpCode,
		errors,
	};
}

/**
 * Puts the failure of an item into words.
 *
 * @param error of the item: a failed request, wrong input, or an error in a user's expression
 * @param details of the item
 */
export function errorTexts(error: unknown, details: ItemDetails): ErrorTexts {
	if (error instanceof ServiceError) return serviceTexts(error, details);
	if (error instanceof DescribedError) {
		const { message, nextStep, errors } = error;
		return { message, description: nextStep, httpCode: null, errors };
	}
	return {
		message: error instanceof Error ? error.message : String(error),
		description: !details.isSent ? 'Nothing was sent for this item.' : '',
		httpCode: null,
		errors: {},
	};
}

/** What became of a failed item. */
export type FailureKind = 'not sent' | 'unknown' | 'refused' | 'failed';

/**
 * Tells what became of a failed item: nothing was sent for it, the service may have carried it out, the
 * service refused it, or it failed without effect.
 */
export function getFailureKind(error: unknown, { isSent = false }: ItemDetails): FailureKind {
	if (hasUnknownOutcome(error)) return 'unknown';
	if (error instanceof ServiceError && error.refused) return 'refused';
	if (!isSent) return 'not sent';
	return error instanceof DescribedError ? 'failed' : 'unknown';
}
