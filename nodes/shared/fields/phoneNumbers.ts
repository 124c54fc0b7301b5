import { NUMBERING_PLANS } from './numberingPlans';

/** The numbers of a country code. All but the length are patterns. */
interface NumberingPlan {
	/** The national numbers, without what people dial in front of them. */
	national: string;
	/** What people dial in front of a national number. */
	trunk?: string;
	/** Landlines and mobile numbers, where only they tell whether a 0 in front belongs to a number. */
	people?: string;
	/** How many digits the national numbers have, if all have the same. */
	length?: number;
	/** What people dial in front of an international number, where it is not just 00. */
	exit?: string;
}

/** The plans by their country codes. */
export const plans: Record<string, NumberingPlan | undefined> = NUMBERING_PLANS;

/** The end of a number, which no way of writing it changes. Two numbers of one country hardly ever share it. */
export const LAST_DIGITS = 7;

/** Where the length of numbers differs, shorter ones can be local numbers, which have no area code. */
const USUAL_LENGTHS = [9, 10];

/** Longer than any national number that people write without a 0 in front. */
const CERTAINLY_INTERNATIONAL = 13;

/** In Argentina and Gabon, a national number can have digits that the international one does not have. */
export const NEVER_COMPLETED = ['54', '241'];

/** What people put between the digits, and the invisible marks that copied numbers bring along. */
const SEPARATORS = /[\s\p{Cf}\p{Pd}./[\]−~]/gu;
const BRACKETS = /[()]/g;

const DATE =
	/^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4}|(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))$/;

/** Whether a text is a date. In the wrong column, it must not become a phone number. */
export const isDate = (text: string): boolean => DATE.test(text);

/** In +49 (0)151, the 0 is only for calls inside of the country. */
const INNER_TRUNK = /^\(?(?:\+|00)?([1-9]\d{0,2})\)?\((\d{1,2})\)/;

const E164 = /^[1-9]\d{6,14}$/;

/** The patterns of the plans, each compiled once. */
const compiled = new Map<string, RegExp>();

/** Whether a pattern of a plan describes all of the digits. */
export function matchesPattern(digits: string, pattern: string): boolean {
	const whole = compiled.get(pattern) ?? new RegExp(`^(?:${pattern})$`);
	compiled.set(pattern, whole);
	return whole.test(digits);
}

/** The country code that digits begin with. */
export const codeOf = (digits: string): string | undefined =>
	[1, 2, 3].map((length) => digits.slice(0, length)).find((start) => start in plans);

/** Whether digits are a country code and a number that this country can have. */
function isPossible(digits: string): boolean {
	const code = codeOf(digits);
	const plan = code && plans[code];
	return plan
		? E164.test(digits) && matchesPattern(digits.slice(code.length), plan.national)
		: false;
}

/** Whether a text is a number with + and a country code, as {@link internationalNumber} writes it. */
export const hasPossibleNumber = (text: string): boolean =>
	text.startsWith('+') && isPossible(text.slice(1));

/** What follows a prefix. A pattern of prefixes can match several of them. */
export const withoutPrefix = (digits: string, pattern: string): string[] =>
	[...digits].flatMap((_, index) =>
		matchesPattern(digits.slice(0, index + 1), pattern) ? [digits.slice(index + 1)] : [],
	);

/** The international numbers that digits can be in the country of the default code. */
function nationalReadings(digits: string, code: string, plan: NumberingPlan): string[] {
	const { trunk = '', length } = plan;
	const hasCode = digits.startsWith(code);
	const isWhole = length ? digits.length === length : USUAL_LENGTHS.includes(digits.length);
	// A number that has lost its 0 looks like one of another country that has lost its +.
	const isForeign = (hasCode || matchesPattern('0', trunk)) && isPossible(digits);
	const isNational = isWhole ? !isForeign : trunk === '' && digits.startsWith('0');
	const fullLength = length ? code.length + length : CERTAINLY_INTERNATIONAL - 1;
	return [
		...withoutPrefix(digits, trunk).map((number) => code + number),
		...(isNational ? [code + digits] : []),
		...(hasCode && digits.length === fullLength ? [digits] : []),
	];
}

/**
 * The international numbers that digits can be, without the +. Not all of them are possible.
 *
 * @param digits of a number without separators; a + in front is allowed
 */
export function readings(digits: string, code: string): string[] {
	if (digits.startsWith('+')) return [digits.slice(1)];
	const plan = plans[code];
	const international = withoutPrefix(digits, plan?.exit ? `00|${plan.exit}` : '00');
	if (digits.length >= CERTAINLY_INTERNATIONAL) international.push(digits);
	if (!plan || digits.startsWith('00') || NEVER_COMPLETED.includes(code)) return international;
	return [...international, ...nationalReadings(digits, code, plan)];
}

/** A number without what people put between its digits. Brackets stay. */
export const withoutSeparators = (text: string): string =>
	text.replace(/^tel:/i, '').replace(SEPARATORS, '');

/**
 * The ways to read the (0) of +49 (0)151: some countries keep it. In Italy, the 0 of a landline belongs to it and
 * that of a mobile number does not.
 */
function withoutInnerTrunk(written: string): string[] {
	const [, code = '', inner = ''] = INNER_TRUNK.exec(written) ?? [];
	const { trunk = '', people } = plans[code] ?? {};
	if (inner !== '0' && !matchesPattern(inner, trunk)) return [written];
	const without = written.replace(`(${inner})`, '');
	if (trunk !== '') return [without];
	const certain = [written, without].filter((each) => {
		const [digits = ''] = withoutPrefix(each.replace(/\D/g, ''), `(?:00)?${code}`);
		return people !== undefined && matchesPattern(digits, people);
	});
	// Where both are numbers of people, nobody knows which one it is.
	return certain.length === 2 ? [] : certain.length === 1 ? certain : [written, without];
}

/**
 * Writes a phone number as the service wants it (E.164), when it can be read in only one way. The numbers
 * that countries have are those of libphonenumber.
 *
 * | The user has | Sent |
 * |---|---|
 * | `+49 (0)151 123-45678`, `0049 151/12345678`, `tel:+4915112345678` | `+4915112345678` |
 * | `0011 49 151 12345678`, with the country code 61, which dials 0011 abroad | `+4915112345678` |
 * | 13 or more digits that do not begin with 0: `4915112345678`, as a spreadsheet has it | `+4915112345678` |
 * | the country code and a whole number: `447911123456`, with 44 | `+447911123456` |
 * | `0151 12345678`, with the country code 49 | `+4915112345678` |
 * | `(415) 555-2671`, with the country code 1; nine or ten digits where the length differs | `+14155552671` |
 * | anything else | the text itself, without spaces around it: the service says what is wrong |
 *
 * @param value text or number, not empty
 * @param code the default country code in digits; empty for none
 */
export function internationalNumber(value: unknown, code: string): string {
	const text = String(value).trim();
	if (isDate(text)) return text;
	for (const variant of withoutInnerTrunk(withoutSeparators(text))) {
		const possible = readings(variant.replace(BRACKETS, ''), code).filter(isPossible);
		const [number, ...others] = new Set(possible);
		if (number && others.length === 0) return `+${number}`;
	}
	return text;
}
