import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * Brings an international number, as people write it, to E.164; undefined when it is none.
 * A number of possible length is enough: those reserved for examples, such as +15551234567, belong
 * to nobody and are just right for a sandbox.
 * @param defaultCountry ISO country of numbers without country code; null refuses those
 */
export function toE164(text: string, defaultCountry: string | null): string | undefined {
	// libphonenumber takes "(+49) 151" and "0049 151" for local numbers of an unknown country.
	const written = text
		.trim()
		.replace(/^\(\+(\d+)\)/, '+$1')
		.replace(/^00/, '+');
	const country =
		defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : undefined;
	const phone = parsePhoneNumberFromString(written, {
		extract: false,
		...(country && { defaultCountry: country }),
	});
	return phone?.isPossible() && phone.ext === undefined ? phone.number : undefined;
}
