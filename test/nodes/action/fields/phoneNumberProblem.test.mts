import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	isValidPhoneNumber,
} from 'libphonenumber-js/max';
import { internationalNumber } from '../../../../nodes/shared/fields/phoneNumbers.ts';
import { phoneNumberProblem } from '../../../../nodes/VoiceAssistantCalling/fields/phoneNumberProblem.ts';
import { forAny } from '../../../support/forAny.mts';
import { sampledRuns } from '../../../support/sample.mts';

const find = (written: string, code: string) =>
	phoneNumberProblem(internationalNumber(written, code), code);

const COUNTRIES = getCountries().flatMap((country) => {
	const number = getExampleNumber(country, examples)?.number;
	return number ? [{ country, code: getCountryCallingCode(country), number }] : [];
});

const NO_COUNTRY_CODE =
	'Write it with + and the country code, such as +4915112345678. Or set one for all: Settings → Request Options → Default Country Code, or in the credential.';

describe('what the node sees of a phone number', () => {
	it.each([
		// Letters
		['o151 23456782', '49', 'has the letter o, probably for a 0', 'Write 0151 23456782.'],
		['O151 234567I2', '', 'has the letters O and I, probably for 0 and 1', 'Write 0151 23456712.'],
		['+49 l51 23456782', '', 'has the letter l, probably for a 1', 'Write +49 151 23456782.'],
		['0151 x99', '49', 'has letters', 'Write digits only. The letters are: x.'],
		['+49 151 12345678 (Ada)', '', 'has letters', 'Write digits only. The letters are: Ada.'],
		['lo 1', '49', 'has letters', 'Write digits only. The letters are: lo.'],
		// Other things than digits
		['+49 30 123456 ext. 7', '', 'has an extension', 'Leave out ext. 7.'],
		['030 123456 #12', '49', 'has an extension', 'Leave out #12.'],
		['0151 12345678; 030 1234567', '49', 'has several phone numbers', 'Write one of them.'],
		['+49 151*1234567', '', 'has signs that no phone number has', 'Leave out *.'],
		['٠١٥١١٢٣٤٥٦٧٨', '49', 'has digits of another script', 'Write it with the digits 0 to 9.'],
		['31.01.2026', '49', 'is a date', 'Check which column it comes from.'],
		// Digits
		['123', '', 'is too short', 'Check its digits.'],
		['0151 1234567890123456', '49', 'is too long', 'Check its digits.'],
		['+1 555 123 456', '', 'is too short for +1', 'Check its digits.'],
		['0044 20 7946 09', '', 'is too short for +44', 'Check its digits.'],
		['061234567', '33', 'is too short for +33', 'Check its digits.'],
		['555 2671', '1', 'is too short for +1', 'Check its digits.'],
		['+1 555 123 45678', '', 'is too long for +1', 'Check its digits.'],
		['0612345678999', '33', 'is too long for +33', 'Check its digits.'],
		['+48 12345678', '', 'is too short or too long for +48', 'Check its digits.'],
		// The country
		['0151 12345678', '', 'has no country code', NO_COUNTRY_CODE],
		['415 555 2671', '', 'has no country code', NO_COUNTRY_CODE],
		[
			...(['+0151 12345678', '49', 'begins with no country code'] as const),
			'Write it with + and the country code, such as +4915112345678.',
		],
		[
			...([
				'2011234567',
				'49',
				'has no country code, and is not certain to be one of +49',
			] as const),
			'Write it with + and the country code, such as +4915112345678.',
		],
		[
			...(['001 684 733 1234', '61'] as const),
			'has no country code, and is not certain to be one of +61',
			'Write it with + and the country code, such as +4915112345678.',
		],
	])('%j with the country code %j %s', (written, code, problem, nextStep) => {
		expect(find(written, code)).toEqual({ problem, nextStep });
	});

	it.each([
		['+49 151 12345678', ''],
		['0151 12345678', '49'],
		['tel:+49-151-12345678', ''],
		['+٤٩١٥١١٢٣٤٥٦٧٨', ''],
		// Some services accept the 0 behind the country code.
		['+49 0151 12345678', ''],
		// The length is right, and a country may get new numbers.
		['+41 112 345 678', ''],
		// Norfolk Island leaves out the 3 in front.
		['+672 14043', ''],
		// A number of no country
		['+800 12345678', ''],
	])('of %j with the country code %j is nothing', (written, code) => {
		expect(find(written, code)).toBeUndefined();
	});

	it.each(COUNTRIES)('of an example of $country is nothing', ({ number, code }) => {
		expect(find(number, '')).toBeUndefined();
		expect(find(number, code)).toBeUndefined();
	});

	// Germany and Niue have numbers that short. In the others, numbers can have other digits than in the plan.
	const others = ['DE', 'NU', 'AR', 'GA', 'MG', 'SM', 'NF'];
	it.each(COUNTRIES.filter(({ country }) => !others.includes(country)))(
		'of a third of an example of $country is that it is too short',
		({ number, code }) => {
			const end = code.length + 1 + Math.floor((number.length - code.length) / 3);
			expect(find(number.slice(0, end), '')?.problem).toMatch(/^is too short/);
		},
	);

	it('is certain: libphonenumber takes no such number for a valid one', async () => {
		const end = fc.stringMatching(/^[0-9 ()-]{0,14}$/);
		const written = fc.tuple(fc.constantFrom(...COUNTRIES), end, fc.nat(15));
		await forAny(
			written,
			([{ number }, digits, kept]) => {
				const text = number.slice(0, kept) + digits;
				const isTold = /\d/.test(text) && find(text, '') !== undefined;
				expect([text, isTold && isValidPhoneNumber(text)]).toEqual([text, false]);
			},
			{ numRuns: sampledRuns(2_000) },
		);
	});
});
