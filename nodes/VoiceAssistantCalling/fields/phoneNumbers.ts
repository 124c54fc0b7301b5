/**
 * What people put in front of a national number, by country code, where it is not 0. Where it is empty,
 * a 0 is part of the number. A test compares this with libphonenumber.
 */
const TRUNK_PREFIXES: Record<string, string> = {
	'1': '1',
	'7': '8',
	'36': '06',
	'39': '',
	'225': '',
	'229': '',
	'241': '',
	'242': '',
	'375': '80',
	'378': '',
	'993': '8',
};

/**
 * How many digits a national number has that people write without a 0 in front, where it is not nine or
 * ten: shorter ones can be local numbers, which have no area code.
 */
const NATIONAL_LENGTHS: Record<string, number[]> = {
	'1': [10],
	'45': [8],
	'47': [8],
	'65': [8],
};
const USUAL_LENGTHS = [9, 10];

/** Longer than any national number without a 0 in front. */
const CERTAINLY_INTERNATIONAL = 13;

/** In Argentina, a national number can have digits inside that the international one does not have. */
const NEVER_COMPLETED = ['', '54'];

/** What people put between the digits, and the invisible marks that copied numbers bring along. */
const SEPARATORS = /[\s\p{Cf}\p{Pd}./[\]−]/gu;
const BRACKETS = /[()]/g;

/** A date in the wrong column must not become a phone number. */
const DATE =
	/^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4}|(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))$/;

/** A number of a spreadsheet with decimals. Its point separates no digits of a phone number. */
const DECIMAL = /^(\d{7,}\.\d+|\d+\.\d{1,2})$/;

/** In +49 (0)151, the 0 is only for calls inside of the country. */
const INNER_TRUNK = /^\(?(?:\+|00)?([1-9]\d{0,2})\)?\(0\)/;

const E164 = /^\+[1-9]\d{6,14}$/;

const trunkOf = (code: string): string => TRUNK_PREFIXES[code] ?? '0';

/** The digits after +, of digits that people wrote without + or 00; undefined when it is not certain. */
function withCode(digits: string, code: string): string | undefined {
	const startsWithZero = digits.startsWith('0');
	if (!startsWithZero && digits.length >= CERTAINLY_INTERNATIONAL) return digits;
	if (NEVER_COMPLETED.includes(code)) return undefined;
	const startsWithCode = digits.startsWith(code);
	if (startsWithCode && digits.length === CERTAINLY_INTERNATIONAL - 1) return digits;
	const trunk = trunkOf(code);
	if (trunk !== '' && digits.startsWith(trunk)) return code + digits.slice(trunk.length);
	if (startsWithZero) return trunk === '' ? code + digits : undefined;
	const lengths = NATIONAL_LENGTHS[code] ?? USUAL_LENGTHS;
	return lengths.includes(digits.length) && !startsWithCode ? code + digits : undefined;
}

/**
 * Writes a phone number as the service wants it (E.164), when its country is certain:
 *
 * | The user has | Sent |
 * |---|---|
 * | `+49 (0)151 123-45678`, `0049 151/12345678`, `tel:+4915112345678` | `+4915112345678` |
 * | 13 or more digits that do not begin with 0: `4915112345678`, as a spreadsheet has it | `+4915112345678` |
 * | 12 digits that begin with the country code: `447911123456`, with 44 | `+447911123456` |
 * | `0151 12345678`, with the country code 49 | `+4915112345678` |
 * | `(415) 555-2671`, with the country code 1; nine or ten digits with most others | `+14155552671` |
 * | `1 415 555 2671`, with the country code 1 | `+14155552671` |
 * | anything else | the text itself, without spaces around it: the service says what is wrong |
 *
 * @param value text or number, not empty
 * @param code the default country code in digits; empty for none
 */
export function internationalNumber(value: unknown, code: string): string {
	const text = String(value).trim();
	if (DATE.test(text) || DECIMAL.test(text)) return text;
	const written = text.replace(/^tel:/i, '').replace(SEPARATORS, '');
	const [, countryCode = ''] = INNER_TRUNK.exec(written) ?? [];
	const hasInnerTrunk = countryCode !== '' && trunkOf(countryCode) !== '';
	const digits = (hasInnerTrunk ? written.replace('(0)', '') : written).replace(BRACKETS, '');
	const [prefix] = /^(\+|00)/.exec(digits) ?? [];
	const number = prefix ? digits.slice(prefix.length) : withCode(digits, code);
	return E164.test(`+${number}`) ? `+${number}` : text;
}
