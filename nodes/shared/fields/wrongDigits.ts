import { codeOf, matchesPattern, NEVER_COMPLETED, plans, withoutPrefix } from './phoneNumbers';

/** What is wrong with the digits of a number. */
export interface WrongDigits {
	problem: 'too short' | 'too long' | 'too short or too long' | 'of no country';
	/** The country code that they begin with; empty for none. */
	code: string;
}

/** Numbers that belong to no country, such as those of satellite phones. The plans do not have them. */
const WITHOUT_COUNTRY = /^(?:8|979)/;

/** In Madagascar, San Marino and on Norfolk Island, people leave out the first digits. */
const UNCERTAIN = [...NEVER_COMPLETED, '261', '378', '672'];

/** No number lacks more digits, or has more that it should not have. */
const MOST_DIGITS = 15;

/** 1, 2, and so on. */
const COUNTS = Array.from({ length: MOST_DIGITS }, (_, index) => index + 1);

/**
 * Compares digits with the numbers of the country whose code they begin with. What people dial in front of a national
 * number may follow the code, because some services accept it.
 *
 * @param digits with the country code, without the +
 * @returns undefined when the number is possible, and when its length is not what certainly makes it impossible
 */
export function wrongDigits(digits: string): WrongDigits | undefined {
	const code = codeOf(digits);
	const plan = code && plans[code];
	if (!plan)
		return WITHOUT_COUNTRY.test(digits) ? undefined : { problem: 'of no country', code: '' };
	if (UNCERTAIN.includes(code)) return undefined;
	const rest = digits.slice(code.length);
	const numbers = [rest, ...withoutPrefix(rest, plan.trunk ?? '')];
	const isNumber = (number: string) => matchesPattern(number, plan.national);
	if (numbers.some(isNumber)) return undefined;
	const isLong = numbers.some((number) =>
		COUNTS.some((count) => count < number.length && isNumber(number.slice(0, -count))),
	);
	const isShort = numbers.some((number) =>
		COUNTS.some((count) => isNumber(number + '1'.repeat(count))),
	);
	if (!isLong && !isShort) return undefined;
	if (isLong && isShort) return { problem: 'too short or too long', code };
	return { problem: isLong ? 'too long' : 'too short', code };
}
