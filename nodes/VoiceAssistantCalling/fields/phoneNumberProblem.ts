import {
	hasPossibleNumber,
	isDate,
	LAST_DIGITS,
	plans,
	readings,
	withoutSeparators,
} from '../../shared/fields/phoneNumbers';
import { shortText } from '../../shared/fields/values';
import { wrongDigits } from '../../shared/fields/wrongDigits';
import {
	digitsOf,
	EXTENSION,
	MAX_DIGITS,
	MIN_DIGITS,
	numbersIn,
	withPlainDigits,
} from './phoneNumberSet';

/** Why the service will probably refuse a phone number. */
export interface PhoneNumberProblem {
	/** To be read after the name of the field. */
	problem: string;
	nextStep: string;
}

/** Problems by the paths of the phone numbers in the request. */
export type PhoneNumberProblems = Record<string, PhoneNumberProblem>;

/** Letters that people type in place of a digit. */
const LOOKS_LIKE = new Map([
	['o', '0'],
	['O', '0'],
	['l', '1'],
	['I', '1'],
]);

const CHECK = 'Check its digits.';

const WITH_COUNTRY_CODE = 'Write it with + and the country code, such as +4915112345678';

/** The different ones, in their order: `o and l`. */
const listed = (texts: string[]): string => [...new Set(texts)].join(' and ');

function letterProblem(text: string): PhoneNumberProblem | undefined {
	const letters = [...new Set(text.match(/\p{L}/gu))];
	if (letters.length === 0) return undefined;
	const digits = letters.flatMap((letter) => LOOKS_LIKE.get(letter) ?? []);
	const corrected = text.replace(/\p{L}/gu, (letter) => LOOKS_LIKE.get(letter) ?? letter);
	if (digits.length === letters.length && digitsOf(corrected).length >= LAST_DIGITS) {
		const [one] = digits;
		const problem =
			letters.length === 1
				? `has the letter ${letters.join()}, probably for a ${one}`
				: `has the letters ${listed(letters)}, probably for ${listed(digits)}`;
		return { problem, nextStep: `Write ${shortText(corrected)}.` };
	}
	const words = text.match(/\p{L}+/gu) ?? [];
	return {
		problem: 'has letters',
		nextStep: `Write digits only. The letters are: ${shortText(words.join(' '))}.`,
	};
}

/** What a text has beside the digits of one number. */
function textProblem(text: string): PhoneNumberProblem {
	if (numbersIn(text).length > 1) {
		return { problem: 'has several phone numbers', nextStep: 'Write one of them.' };
	}
	const [extension] = text.match(EXTENSION) ?? [];
	if (extension && digitsOf(text.replace(EXTENSION, '')).length >= LAST_DIGITS) {
		return { problem: 'has an extension', nextStep: `Leave out ${extension.trim()}.` };
	}
	const withLetters = letterProblem(text);
	if (withLetters) return withLetters;
	const others =
		withoutSeparators(text)
			.replace(/^\+/, '')
			.match(/[^\d()]/gu) ?? [];
	return {
		problem: 'has signs that no phone number has',
		nextStep: `Leave out ${listed(others)}.`,
	};
}

/** A text without what people put between the digits of a number. */
const bare = (text: string): string => withoutSeparators(text).replace(/[()]/g, '');

const isPlain = (text: string): boolean => /^\+?\d+$/.test(text);

function lengthProblem(digits: string): PhoneNumberProblem | undefined {
	const { length } = digits.replace(/^\+?0*/, '');
	if (length < MIN_DIGITS) return { problem: 'is too short', nextStep: CHECK };
	return length > MAX_DIGITS ? { problem: 'is too long', nextStep: CHECK } : undefined;
}

/**
 * Why a number cannot be compared as a telephone: it is no number, or more than one.
 *
 * @returns to be read after *The number*; undefined when it can be compared, with or without a country code
 */
export function incomparableProblem(number: string): string | undefined {
	const text = withPlainDigits(number);
	if (isDate(text.trim())) return 'is a date';
	const digits = bare(text);
	return (isPlain(digits) ? lengthProblem(digits) : textProblem(text))?.problem;
}

/** What is wrong with a number that nothing completes. */
function nationalProblem(digits: string, code: string): PhoneNumberProblem {
	if (code === '') {
		return {
			problem: 'has no country code',
			nextStep: `${WITH_COUNTRY_CODE}. Or set one for all: Settings → Request Options → Default Country Code, or in the credential.`,
		};
	}
	const { length = 0 } = plans[code] ?? {};
	if (digits.length < length) return { problem: `is too short for +${code}`, nextStep: CHECK };
	return {
		problem: `has no country code, and is not certain to be one of +${code}`,
		nextStep: `${WITH_COUNTRY_CODE}.`,
	};
}

/** What is wrong with the digits of a number. */
function digitsProblem(number: string, code: string): PhoneNumberProblem | undefined {
	const hasPlus = number.startsWith('+');
	const digits = digitsOf(number);
	const withWrongLength = lengthProblem(digits);
	if (withWrongLength) return withWrongLength;
	const candidates = readings(number, code).filter((each) => hasPlus || !each.startsWith('0'));
	const wrong = candidates.flatMap((each) => wrongDigits(each) ?? []);
	const [first] = wrong;
	// One of several ways to read it may be right.
	if (first && wrong.length === candidates.length) {
		return first.problem === 'of no country'
			? { problem: 'begins with no country code', nextStep: `${WITH_COUNTRY_CODE}.` }
			: { problem: `is ${first.problem} for +${first.code}`, nextStep: CHECK };
	}
	return hasPlus ? undefined : nationalProblem(digits, code);
}

/**
 * Finds what the node itself can see of a phone number that the service will probably refuse.
 *
 * @param number as it is sent: completed, if it can be
 * @param code the default country code in digits; empty for none
 * @returns undefined when nothing is wrong, and when only the service can know
 */
export function phoneNumberProblem(number: string, code: string): PhoneNumberProblem | undefined {
	if (hasPossibleNumber(number)) return undefined;
	const text = withPlainDigits(number);
	const hasOtherDigits = /(?![0-9])\p{Nd}/u.test(number) && !text.startsWith('+');
	if (hasOtherDigits) {
		return {
			problem: 'has digits of another script',
			nextStep: 'Write it with the digits 0 to 9.',
		};
	}
	if (isDate(text)) return { problem: 'is a date', nextStep: 'Check which column it comes from.' };
	const digits = bare(text);
	return isPlain(digits) ? digitsProblem(digits, code) : textProblem(text);
}
