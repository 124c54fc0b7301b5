import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Metadata } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString,
	type CountryCode,
	type PhoneNumber,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PHONE_NUMBER } from '../../../../nodes/shared/fields/textRule.ts';
import { shortText } from '../../../../nodes/shared/fields/values.ts';
import { internationalNumber } from '../../../../nodes/shared/fields/phoneNumbers.ts';
import type { Field } from '../../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import { OPERATION_FIELDS } from '../../../support/n8n/fields.mts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';
import { forAny } from '../../../support/forAny.mts';
import { onlyInFull, sampled, sampledRuns } from '../../../support/sample.mts';

const { n8n, sent } = await startTestEnvironment();

describe('a phone number as people have it', () => {
	it.each<[written: unknown, code: string, number: string]>([
		['+49 (0)151/123.45678', '', '+4915112345678'],
		['(+49) 151 [123] 45678', '', '+4915112345678'],
		['+49\u00a0151\u202f123–456−78', '', '+4915112345678'],
		['\u202a+49 151 12345678\u202c', '', '+4915112345678'],
		['  00 49 151 12345678\n', '', '+4915112345678'],
		[4915112345678, '', '+4915112345678'],
		[4.915112345678e12, '', '+4915112345678'],
		['49 151 12345678', '', '+4915112345678'],
		['0151 12345678', '49', '+4915112345678'],
		['(0151) 123 456-78', '49', '+4915112345678'],
		['(415) 555-2671', '1', '+14155552671'],
		['1 (415) 555-2671', '1', '+14155552671'],
		[4155552671, '1', '+14155552671'],
		['49 (0)151 12345678', '', '+4915112345678'],
		['+39 (0) 347 1234567', '', '+393471234567'],
		['0039 (0)6 12345678', '', '+390612345678'],
		['+39 (0)342 123456', '', '+39 (0)342 123456'],
		['+34 (0)612345678', '', '+34612345678'],
		['+225 (0)712345678', '', '+2250712345678'],
		[447911123456, '44', '+447911123456'],
		['32 12 34 56', '45', '+4532123456'],
		['45 32 12 34 56', '45', '+4532123456'],
		['06 1234 5678', '39', '+390612345678'],
		['8 (912) 345-67-89', '7', '+79123456789'],
		['8 (812) 123-45-67', '7', '+78121234567'],
		['(812) 123-45-67', '7', '+78121234567'],
		['8 800 200-06-00', '7', '+78002000600'],
		['8 029 491-19-11', '375', '+375294911911'],
		['06 20 123 4567', '36', '+36201234567'],
		// What people dial in front of an international number.
		['0011 49 151 12345678', '61', '+4915112345678'],
		['011 49 151 12345678', '1', '+4915112345678'],
		['8~10 49 151 12345678', '7', '+4915112345678'],
		['8 10 49 151 12345678', '375', '+4915112345678'],
		// A number with + keeps its country.
		['+43 664 1234567', '49', '+436641234567'],
	])('%j with the country code %j is sent as %s', (written, code, number) => {
		expect(internationalNumber(written, code)).toBe(number);
	});

	it.each<[why: string, written: unknown, code: string]>([
		['it has no country code', '0151 12345678', ''],
		['it may begin with the country code', '4931 123456', '49'],
		['it may have lost its 0, or be from another country', 15112345678, '49'],
		['it is too short', '110', '49'],
		['it is too long', '+49151123456789012', ''],
		['it begins with no country code', '+0151 12345678', '49'],
		['it has an extension', '+49 30 123456 ext. 7', '49'],
		['it has two plus signs', '++4915112345678', '49'],
		['it has lost digits in a spreadsheet', '4,91511E+12', '49'],
		['it may have lost its 0, or be from Egypt', 2011234567, '49'],
		['0011 49 is no number of America', '0011 49 151 12345678', ''],
		['no number of Germany begins with 0', '+49 0151 12345678', ''],
		['Russian numbers have ten digits', '(12) 123-45-67', '7'],
		['it may be a call to Korea or to America', '001 684 733 1234', '61'],
		['Gabon has digits of its own inside', '03 40 00 56', '241'],
		['it may be local', '8912345', '49'],
		['it may be Indonesian', 817012345678, '62'],
		['it may be local', '555 2671', '1'],
		['it is a day', '20260131', '45'],
		['it is a day', '31.01.2026', '49'],
		['it is a day', '2026-01-31', '49'],
		['its digits are no ASCII', '٠١٥١١٢٣٤٥٦٧٨', '49'],
		['Argentina has digits of its own inside', '011 15-2345-6789', '54'],
		['an American number begins with no 0', '0415 555 2671', '1'],
	])('is sent as it is written when %s: %j', (_why, written, code) => {
		expect(internationalNumber(written, code)).toBe(String(written));
	});

	it('stays as it is when it was converted before', async () => {
		const digits = fc.stringMatching(/^[0-9+ ()/.-]{0,20}$/);
		const written = fc.oneof(digits, fc.string());
		await forAny(
			fc.tuple(written, fc.constantFrom('', '1', '7', '39', '49')),
			([text, code]) => {
				const once = internationalNumber(text, code);
				expect(internationalNumber(once, code)).toBe(once);
				if (once !== text.trim()) expect(once).toMatch(/^\+[1-9]\d{6,14}$/);
			},
			{ numRuns: sampledRuns(2_000) },
		);
	});
});

/** A number, as somebody has written it for a default country code. */
interface Row {
	written: string;
	code: string;
	number: string;
}

/** What libphonenumber knows of a country, by its positions in the metadata. */
function getPlan(country: CountryCode) {
	const plan = (metadata.countries[country] ?? []) as unknown[];
	const [landline] = (plan[11] as Array<[pattern: string] | 0>)[0] || [plan[2] as string];
	return { landline, trunk: (plan[5] || '') as string };
}

/** Texts that match a pattern. */
const samples = (pattern: string, numRuns: number) =>
	fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { seed: 1, numRuns });

/** The example of a mobile number, and two landlines. */
function getPhones(country: CountryCode): PhoneNumber[] {
	const example = getExampleNumber(country, examples);
	if (!example) return [];
	const landlines = samples(getPlan(country).landline, 20)
		.map((text) => parsePhoneNumberFromString(`+${example.countryCallingCode}${text}`))
		.filter((phone) => phone !== undefined)
		.filter((phone) => phone.isValid() && phone.country === country);
	return [example, ...landlines.slice(0, 2)];
}

/** How people of its own country write a number. */
function nationalRows(phone: PhoneNumber, trunk: string): Row[] {
	const { countryCallingCode: code, nationalNumber, number } = phone;
	const national = phone.formatNational();
	return [
		national,
		national.replaceAll(/\D/g, ''),
		national.replaceAll(' ', '/'),
		national.replace(/^(\d+) /, '($1) '),
		nationalNumber,
		trunk + nationalNumber,
		code + nationalNumber,
	].map((written) => ({ written, code, number }));
}

/** How people of any country write a number. The default country code is left open. */
function internationalRows(phone: PhoneNumber, trunk: string): Array<Omit<Row, 'code'>> {
	const { countryCallingCode: code, nationalNumber, number } = phone;
	const international = phone.formatInternational();
	return [
		number,
		international,
		international.replaceAll(' ', '-'),
		international.replace('+', '00'),
		number.replace('+', '00 '),
		phone.getURI(),
		`+${code} ${trunk && `(${trunk})`}${nationalNumber}`,
	].map((written) => ({ written, number }));
}

const NUMBERS = getCountries().map((country) => {
	const { trunk } = getPlan(country);
	const phones = getPhones(country);
	return {
		country,
		national: phones.flatMap((phone) => nationalRows(phone, trunk)),
		international: phones.flatMap((phone) => internationalRows(phone, trunk)),
	};
});

/** What people dial in front of an international number, by country code, where it is not just 00. */
const EXIT_CODES = new Map(
	getCountries().flatMap((country): Array<[code: string, exitCodes: string[]]> => {
		const plan = new Metadata(metadata);
		plan.selectNumberingPlan(country);
		const pattern = plan.numberingPlan?.IDDPrefix() ?? '00';
		return pattern === '00'
			? []
			: [[getCountryCallingCode(country), [...new Set(samples(pattern, 10))]]];
	}),
);

/** Calls to all countries with these exit codes. */
const CALLS_ABROAD: Row[] = NUMBERS.flatMap(({ international: [to] }) =>
	[...EXIT_CODES].flatMap(([code, exitCodes]) =>
		exitCodes.map((exitCode): Row => {
			const { number = '' } = to ?? {};
			return { written: `${exitCode} ${number.slice(1)}`, code, number };
		}),
	),
);

const sentAs = ({ written, code }: Row) => internationalNumber(written, code);

/** The rows that are neither right nor sent as they are written. */
const findWrong = (rows: Row[]) =>
	rows
		.map((row) => ({ ...row, sent: sentAs(row) }))
		.filter(({ written, number, sent }) => sent !== number && sent !== written);

const partRight = (rows: Row[]) =>
	rows.filter((row) => sentAs(row) === row.number).length / rows.length;

describe('the numbers of libphonenumber', () => {
	it.each(sampled(NUMBERS))(
		'of $country are sent right or as they are written, and right with + or 00',
		({ national, international }) => {
			const with00 = (code: string) => international.map((each) => ({ ...each, code }));
			expect(findWrong(national)).toEqual([]);
			for (const code of [national[0]?.code ?? '', '39', '61', '81', '82']) {
				expect(findWrong(with00(code))).toEqual([]);
			}
			for (const code of ['', '1', '7', '49']) {
				expect(with00(code).filter((row) => sentAs(row) !== row.number)).toEqual([]);
			}
		},
	);

	it('are mostly completed where they have no country code', () => {
		const rows = NUMBERS.flatMap(({ national }) => national);
		expect(rows.length).toBeGreaterThan(2_300);
		expect(partRight(rows)).toBeGreaterThan(0.8);
	});

	onlyInFull(it)('are sent right or as they are written behind the exit code of a country', () => {
		expect(CALLS_ABROAD.length).toBeGreaterThan(2_300);
		expect(findWrong(CALLS_ABROAD)).toEqual([]);
		expect(partRight(CALLS_ABROAD)).toBeGreaterThan(0.9);
	});
});

/** Every place for a phone number, and the parameters with one there. */
const PLACES: Array<[place: string, parametersWith: (phone: unknown) => INodeParameters]> = [
	...OPERATION_FIELDS.filter(
		({ field }) => (field as Field).rule?.problem === PHONE_NUMBER.problem,
	).map(({ operation, label, parametersWith }): (typeof PLACES)[number] => [
		`${operation.name}: ${label}`,
		parametersWith,
	]),
	[
		'call: getAll: Options → Filters (JSON)',
		() => ({
			resource: 'call',
			operation: 'getAll',
			options: { filtersJson: '={{ { phone_number: $json.phone } }}' },
		}),
	],
];

/** Values that are certainly no phone numbers. */
const NO_NUMBERS = [
	...['unknown', `0151 1234567${'8'.repeat(89)}`],
	// Below zero.
	...[-4155552671, ' -4155552671', '\u22124155552671', '\u2013 0151 12345678', '\u202a-4155552671'],
	// With decimals.
	...[4155552671.5, 415.5552671, '4155552671.5', '4155552671,5', '493012345678.0'],
	// With an exponent, and one whose last digits are lost.
	...[4.9e21, '4.9e11', '4,91511E+12', Number('49151123456789012345')],
];

const SENT: Array<[value: string | number, number: string]> = [
	['(0151) 123-45678', '+4915112345678'],
	['0151.12345678', '+4915112345678'],
	['0151\u201112345678', '+4915112345678'],
	['+49-151-12345678', '+4915112345678'],
	[' \u202a+49 151 12345678\u202c', '+4915112345678'],
	[4915112345678, '+4915112345678'],
	[0, '0'],
	['0'.repeat(100), '0'.repeat(100)],
];

describe.each(PLACES)('the phone number of %s', (place, parametersWith) => {
	const run = async (phones: unknown[], defaultCountryCode?: string) =>
		await n8n.runNode({
			parameters: {
				...parametersWith('={{ $json.phone }}'),
				requestOptions: {
					maxConcurrentRequests: 1,
					...(defaultCountryCode && { defaultCountryCode }),
				},
			},
			items: phones.map((phone) => ({ phone }) as IDataObject),
			settings: { onError: 'continueErrorOutput' },
		});

	/** The last phone number of each request. A secondary contact comes after the lead. */
	const arrived = async () =>
		(await sent()).map((request) => {
			const numbers = [...JSON.stringify(request).matchAll(/"(phone_number|to)":"(.*?)"/g)];
			return numbers.at(-1)?.[2];
		});

	it("is completed by the node's Default Country Code, or by the one of the credential", async () => {
		await run(
			SENT.map(([value]) => value),
			'49',
		);
		n8n.credential.defaultCountryCode = '+49';
		await run(['0151 12345699']);
		await run(['0151 12345699'], '0043');
		expect(await arrived()).toEqual([
			...SENT.map(([, number]) => number),
			'+4915112345699',
			'+4315112345699',
		]);
	});

	it('is sent as it is written when it is unclear, and shown so when the service refuses it', async () => {
		const { output } = await run(['0151 12345699 ']);
		expect(await arrived()).toEqual(['0151 12345699']);
		if (place.startsWith('call: ')) return;
		const { message, description } = output[1][0]?.json.error as IDataObject;
		expect(message).toMatch(/invalid phone number/i);
		expect(description).toContain(
			'The phone number was sent as 0151 12345699. It has no country code. Write it with + and the country code, such as +4915112345678. Or set one for all: Settings → Request Options → Default Country Code, or in the credential.',
		);
	});

	it('is refused by name when it is certainly none, and nothing is sent', async () => {
		const { output } = await run(NO_NUMBERS, '49');
		const errors = output[1].map(({ json }) => json.error as IDataObject);
		expect(errors.map(({ message, description }) => [message, description])).toEqual(
			NO_NUMBERS.map((value) => [
				expect.stringMatching(
					/(Phone Number|phone_number|To)' must be a phone number: use the country code, such as \+4915112345678$/,
				),
				`The value is: ${shortText(value)}. Nothing was sent for this item.`,
			]),
		);
		expect(await sent()).toEqual([]);
	});
});

describe('the Default Country Code', () => {
	const { parameters } = operationNamed('lead: create');

	it.each(['DE', '0', '1234', '49 151'])('of %j is refused, and nothing is sent', async (code) => {
		const { error } = await n8n.runNode({
			parameters: { ...parameters, requestOptions: { defaultCountryCode: code } },
		});
		expect(error?.message).toBe(
			"'Settings → Request Options → Default Country Code' must be a country code, such as 49",
		);
		n8n.credential.defaultCountryCode = code;
		const { error: ofCredential } = await n8n.runNode({ parameters });
		expect(ofCredential?.message).toBe(
			'The Default Country Code of the credential must be a country code, such as 49',
		);
		expect(await sent()).toEqual([]);
	});

	it('of the credential matters only for phone numbers', async () => {
		n8n.credential.defaultCountryCode = 'DE';
		const { error } = await n8n.runNode(operationNamed('campaign: start'));
		expect(error).toBeUndefined();
	});
});

it('only the phone number that the service refuses is shown', async () => {
	const { error } = await n8n.runNode({
		parameters: {
			...operationNamed('lead: create').parameters,
			additionalFields: { secondaryContacts: { contact: [{ phoneNumber: '+49 1' }] } },
		},
	});
	expect(error?.description).toMatch(
		/^The phone number was sent as \+49 1\. It is too short\. Check its digits\.\n/,
	);
});
