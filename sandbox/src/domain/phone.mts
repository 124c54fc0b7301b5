import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';

/**
 * Converts a phone number as people write it to E.164. A possible length is enough: numbers that are
 * reserved for examples, such as +15551234567, are valid here.
 *
 * @param defaultCountry ISO country of numbers without a country code; null refuses those
 * @returns undefined when the text is not a phone number
 */
export function toE164(text: string, defaultCountry: CountryCode | null): string | undefined {
	// libphonenumber reads "(+49) 151" and "0049 151" as local numbers of an unknown country.
	const written = text
		.trim()
		.replace(/^\(\+(\d+)\)/, '+$1')
		.replace(/^00/, '+');
	const phone = parsePhoneNumberFromString(written, {
		extract: false,
		...(defaultCountry !== null && { defaultCountry }),
	});
	return phone?.isPossible() && phone.ext === undefined ? phone.number : undefined;
}
