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

/** In Argentina, a national number can have digits inside that the international one does not have. */
const NEVER_COMPLETED = ['', '54'];

/** What people put between the digits, and the invisible marks that copied numbers bring along. */
const SEPARATORS = /[\s\p{Cf}\p{Pd}./()[\]−]/gu;

/** A date in the wrong column must not become a phone number. */
const DATE = /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})$/;

const E164 = /^\+[1-9]\d{6,14}$/;

/** The digits after +, of digits that people wrote without + or 00; undefined when it is not certain. */
function withCode(digits: string, code: string): string | undefined {
	if (/^[1-9]\d{11}/.test(digits)) return digits;
	if (NEVER_COMPLETED.includes(code)) return undefined;
	const trunk = TRUNK_PREFIXES[code] ?? '0';
	if (trunk !== '' && digits.startsWith(trunk)) return code + digits.slice(trunk.length);
	if (digits.startsWith('0')) return trunk === '' ? code + digits : undefined;
	const isNational = digits.length >= 7 && digits.length <= 10 && !digits.startsWith(code);
	return isNational ? code + digits : undefined;
}

/**
 * Writes a phone number as the service wants it (E.164), when its country is certain:
 *
 * | The user has | Sent |
 * |---|---|
 * | `+49 (0)151 123-45678`, `0049 151/12345678`, `tel:+4915112345678` | `+4915112345678` |
 * | 12 or more digits that do not begin with 0: `4915112345678`, as a spreadsheet has it | `+4915112345678` |
 * | `0151 12345678`, with the country code 49 | `+4915112345678` |
 * | `(415) 555-2671`, up to 10 digits, with the country code 1 | `+14155552671` |
 * | `1 415 555 2671`, with the country code 1 | `+14155552671` |
 * | anything else | the text itself, without spaces around it: the service says what is wrong |
 *
 * @param value text or number, not empty
 * @param code the default country code in digits; empty for none
 */
export function internationalNumber(value: unknown, code: string): string {
	const text = String(value).trim();
	const isFraction = typeof value === 'number' && !Number.isInteger(value);
	if (isFraction || DATE.test(text)) return text;
	const written = text.replace(/^tel:/i, '');
	const [, prefix] = /^(\+|00)/.exec(written.replace(SEPARATORS, '')) ?? [];
	// In +49 (0)151, the 0 is only for calls inside of the country.
	const digits = (prefix ? written.replace('(0)', '') : written).replace(SEPARATORS, '');
	const number = prefix ? digits.slice(prefix.length) : withCode(digits, code);
	return E164.test(`+${number}`) ? `+${number}` : text;
}
