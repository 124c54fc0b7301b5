import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile';
import { getCountries, getExampleNumber, type PhoneNumber } from 'libphonenumber-js/max';
import { PhoneNumberSet } from '../../../../nodes/VoiceAssistantCalling/fields/phoneNumberSet.ts';
import { forAny } from '../../../support/forAny.mts';
import { sampledRuns } from '../../../support/sample.mts';

const NUMBERS: PhoneNumber[] = getCountries().flatMap((country) => {
	const number = getExampleNumber(country, examples);
	// Fewer digits without a country code may be anything.
	return number && number.nationalNumber.length >= 5 ? [number] : [];
});

const inScript = (zero: string) => (text: string) =>
	text.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));

/** The ways in which people write a number. */
const WAYS: Record<string, (number: PhoneNumber) => string> = {
	'as the service has it': ({ number }) => number,
	'with spaces': (number) => number.formatInternational(),
	'with dashes': (number) => number.formatInternational().replaceAll(' ', '-'),
	'with dots': (number) => number.formatInternational().replaceAll(' ', '.'),
	'with a slash': (number) => number.formatInternational().replace(/ (\S+)$/, '/$1'),
	'with 00': ({ number }) => number.replace('+', '00'),
	'with its code in brackets': ({ countryCallingCode, nationalNumber }) =>
		`(+${countryCallingCode}) ${nationalNumber}`,
	'as people dial it at home': (number) => number.formatNational(),
	'as digits that are dialled at home': (number) => number.formatNational().replace(/\D/g, ''),
	'without anything in front': ({ nationalNumber }) => nationalNumber,
	'as a link': (number) => number.getURI(),
	'behind a word': (number) => `Tel. ${number.formatInternational()}`,
	'with ext.': ({ number }) => `${number} ext. 12`,
	'with x': ({ number }) => `${number}x12`,
	'with ;ext=': ({ number }) => `${number};ext=12`,
	'with #': (number) => `${number.formatNational()} #12`,
	'with pauses': ({ number }) => `${number},,12`,
	'with a line': (number) => `${number.formatInternational()} (line 2)`,
	'in Arabic digits': ({ number }) => inScript('٠')(number),
	'in Devanagari digits': (number) => inScript('०')(number.formatNational()),
	'in wide digits': ({ number }) => inScript('０')(number),
	'with invisible marks': ({ number }) => `\u202a${number}\u202c`,
};

const anyNumber = fc.constantFrom(...NUMBERS);
const anyWay = fc.constantFrom(...Object.keys(WAYS));

describe('a number on a list', () => {
	it('is found, whichever two ways it is written', () =>
		forAny(
			fc.tuple(anyNumber, anyWay, anyWay, fc.boolean()),
			async ([number, listed, sent, hasCode]) => {
				const write = (way: string) => WAYS[way]?.(number) ?? '';
				const code = hasCode ? number.countryCallingCode : '';
				const set = await PhoneNumberSet.of([write(listed)], code);
				expect([write(listed), write(sent), set.find(write(sent))]).toEqual([
					write(listed),
					write(sent),
					write(listed),
				]);
			},
			{ numRuns: sampledRuns(2_000) },
		));

	it('is not found for another subscriber, where both have a country code', () =>
		forAny(
			fc.tuple(anyNumber, anyNumber, fc.integer({ min: 1, max: 9 }), anyWay),
			async ([one, other, last, way]) => {
				const change = (digit: string) => String((Number(digit) + last) % 10);
				const neighbour = one.number.replace(/\d$/, change);
				const set = await PhoneNumberSet.of([one.number], '');
				expect(set.find(neighbour)).toBeUndefined();
				const written = WAYS[way]?.(other) ?? '';
				if (one.number === other.number || !/^(\+|00)/.test(written)) return;
				expect(set.find(written)).toBeUndefined();
			},
		));

	it.each([
		['a short number of a village', '0049-911-2345', '0911 2345', '49', true],
		['the same the other way round', '0911 2346', '+49 911 2346', '49', true],
		['without a code that is set', '0911 2345', '+499112345', '', true],
		['of two, one without a code, with the same end', '0911 2345', '+439112345', '', true],
		['another number of the village', '0911 2345', '+49 911 2346', '', false],
		['a number of five digits', '51234', '+290 51234', '', true],
		['a zero behind the country code', '+49 0151 12345678', '+4915112345678', '', true],
		['the same without spaces', '+4915112345678', '+49015112345678', '', true],
		['a number without its +', '6592345678', '+6592345678', '1', true],
		['a decimal of a spreadsheet', '4915112345678.0', '+4915112345678', '', true],
		['the same with its +', '+4915112345678.0', '+4915112345678', '', true],
		['a year behind a number', '+1 415 555 2671 2024', '+14155552671', '', true],
		['one digit behind a number', '(415) 555-2671 2', '+14155552671', '1', true],
		['a day behind a number', '4155552671 05/01', '+14155552671', '1', true],
		['a time behind a number', '015112345678 12:30', '+4915112345678', '49', true],
		['digits behind a number, another person', '+1 415 555 2671 2024', '+14155552672', '', false],
		['a date', '2026-05-12', '+4920260512', '', false],
		['an Italian mobile number with (0)', '+393471234567', '+39 (0) 347 1234567', '', true],
		[
			'an Italian number with (0) that may be either',
			'+39342123456',
			'+39 (0)342 123456',
			'',
			true,
		],
		['an extension in brackets', '+1 415 555 2671 (12)', '+14155552671', '', true],
		['the first of two numbers', '+4915112345678 / +4917687654321', '+4915112345678', '', true],
		['the second of them', '0151 12345678 oder 0176 87654321', '+4917687654321', '49', true],
		[
			'a number in a row of a table',
			'+4915112345678\t2024-01-02\topt-out',
			'+4915112345678',
			'',
			true,
		],
		['a number beside something else', '+4915112345678; 12; VIP', '+4915112345678', '', true],
		['a number behind an empty cell', '+4917600000001,,+4915112345678', '+4915112345678', '', true],
		['Argentina with and without 9', '+54 9 11 2345 6789', '+54 11 2345 6789', '', true],
		['549 inside a number of another country', '+495491123456789', '+49541123456789', '', false],
		['Mexico with and without 1', '+52 1 55 1234 5678', '+52 55 1234 5678', '', true],
		['the same the other way round', '+52 55 1234 5678', '+52 1 55 1234 5678', '', true],
		['Mexico, another person', '+52 1 55 1234 5678', '+52 55 1234 5679', '', false],
		['521 inside a number of another country', '+495211123456789', '+49521123456789', '', false],
		['fifteen digits', '+491511234567890', '+491511234567890', '', true],
		['sixteen digits', '+4915112345678901', '+4915112345678901', '', false],
		['Brazil with and without 9', '+55 11 98765-4321', '+551187654321', '', true],
		['Brazil, another person', '+55 11 92345-6789', '+551123456789', '', false],
		['a number with letters', '1-800-FLOWERS', '+4915112341800', '', false],
		['a year', '2024', '+4915112342024', '', false],
		['a number that lost its digits', '4.91511E+12', '+4915112491511', '', false],
	])('%s', async (_what, listed, sent, code, isFound) => {
		const set = await PhoneNumberSet.of([listed], code);
		expect(set.find(sent)).toBe(isFound ? listed : undefined);
	});

	it('that is no number stops nobody, and is counted', async () => {
		const set = await PhoneNumberSet.of(['Jane', '12', '+49 151 12345678', 'n/a 7'], '');
		const { unreadable, short } = set.counts;
		expect([unreadable, short, set.find('Jane'), set.find('12')]).toEqual([
			...[3, 0, undefined, undefined],
		]);
	});
});
