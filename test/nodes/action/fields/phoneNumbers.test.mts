import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile';
import type { INodeParameters } from 'n8n-workflow';
import { internationalNumber } from '../../../../nodes/VoiceAssistantCalling/fields/phoneNumbers.ts';
import { operationNamed } from '../../../support/n8n/operations.mts';
import { startTestEnvironment } from '../../../support/n8n/testEnvironment.mts';

const { n8n, sent } = await startTestEnvironment();

describe('a phone number as people have it', () => {
	it.each<[written: unknown, code: string, number: string]>([
		['+4915112345678', '', '+4915112345678'],
		['+49 151 123-45678', '', '+4915112345678'],
		['+49 (0)151/123.45678', '', '+4915112345678'],
		['(+49) 151 [123] 45678', '', '+4915112345678'],
		['+49\u00a0151\u202f123–456−78', '', '+4915112345678'],
		['\u202a+49 151 12345678\u202c', '', '+4915112345678'],
		['  00 49 151 12345678\n', '', '+4915112345678'],
		['tel:+49-151-12345678', '', '+4915112345678'],
		[4915112345678, '', '+4915112345678'],
		[4.915112345678e12, '', '+4915112345678'],
		['49 151 12345678', '', '+4915112345678'],
		['0151 12345678', '49', '+4915112345678'],
		['(0151) 123 456-78', '49', '+4915112345678'],
		['(415) 555-2671', '1', '+14155552671'],
		['1 (415) 555-2671', '1', '+14155552671'],
		[4155552671, '1', '+14155552671'],
		['49 (0)151 12345678', '', '+4915112345678'],
		['+39 (0)35 1234567', '', '+390351234567'],
		[447911123456, '44', '+447911123456'],
		['12 34 56 78', '45', '+4512345678'],
		['06 1234 5678', '39', '+390612345678'],
		['8 (912) 345-67-89', '7', '+79123456789'],
		['06 20 123 4567', '36', '+36201234567'],
		// A number with + or 00 keeps its country.
		['+43 664 1234567', '49', '+436641234567'],
		['0043 664 1234567', '49', '+436641234567'],
		['+45 12 34 56 78', '49', '+4512345678'],
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
		['it has a fraction', 49151.12345, '49'],
		['it has a fraction', '4915112345.67', '49'],
		['it is a number as some exports write it', '493012345678.0', '49'],
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

	it.each(getCountries())(
		'of %s is sent right or as it is written, in each way of writing',
		(country) => {
			const number = getExampleNumber(country, examples);
			if (!number) return;
			const { countryCallingCode: code, nationalNumber } = number;
			const ways = [number.formatNational(), nationalNumber];
			for (const written of ways) {
				expect([number.number, written]).toContain(internationalNumber(written, code));
			}
			for (const written of [
				number.number,
				number.formatInternational(),
				number.number.replace('+', '00'),
			]) {
				expect(internationalNumber(written, '49')).toBe(number.number);
			}
		},
	);

	it('stays as it is when it was converted before', () => {
		const digits = fc.stringMatching(/^[0-9+ ()/.-]{0,20}$/);
		const written = fc.oneof(digits, fc.string());
		fc.assert(
			fc.property(written, fc.constantFrom('', '1', '7', '39', '49'), (text, code) => {
				const once = internationalNumber(text, code);
				expect(internationalNumber(once, code)).toBe(once);
				if (once !== text.trim()) expect(once).toMatch(/^\+[1-9]\d{6,14}$/);
			}),
			{ numRuns: 2_000 },
		);
	});
});

/** Every place for a phone number, and the operation with a number there. */
const PLACES: Array<
	[place: string, path: string, parametersWith: (phone: string) => INodeParameters]
> = [
	[
		'Lead → Create',
		'body.phone_number',
		(phoneNumber) => ({ ...operationNamed('lead: create').parameters, phoneNumber }),
	],
	[
		'Lead → Create, a secondary contact',
		'body.secondary_contacts.0.phone_number',
		(phoneNumber) => ({
			...operationNamed('lead: create').parameters,
			additionalFields: { secondaryContacts: { contact: [{ phoneNumber }] } },
		}),
	],
	[
		'Lead → Update',
		'body.phone_number',
		(phoneNumber) => ({
			resource: 'lead',
			operation: 'update',
			leadId: '1',
			updateFields: { phoneNumber },
		}),
	],
	['SMS → Send', 'body.to', (to) => ({ ...operationNamed('sms: send').parameters, to })],
	[
		'Call → Get Many',
		'query.phone_number',
		(phoneNumber) => ({ resource: 'call', operation: 'getAll', filters: { phoneNumber } }),
	],
	[
		'Call → Get Many, as JSON',
		'query.phone_number',
		(phone) => ({
			resource: 'call',
			operation: 'getAll',
			filtersJson: `={{ { phone_number: ${phone.slice(3, -2)} } }}`,
		}),
	],
];

const valueAt = (value: unknown, path: string) =>
	path
		.split('.')
		.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);

describe.each(PLACES)('the phone number of %s', (_place, path, parametersWith) => {
	const run = async (phone: string | number, defaultCountryCode?: string) =>
		await n8n.runNode({
			parameters: {
				...parametersWith('={{ $json.phone }}'),
				...(defaultCountryCode && { requestOptions: { defaultCountryCode } }),
			},
			items: [{ phone }],
		});
	const arrived = async () => (await sent()).map((request) => valueAt(request, path));

	it('is sent in international form', async () => {
		await run(' 00 49 (151) 123-456/99 ');
		await run(4915112345699);
		expect(await arrived()).toEqual(['+4915112345699', '+4915112345699']);
	});

	it("is completed by the node's Default Country Code, or by the one of the credential", async () => {
		await run('0151 12345699', '49');
		n8n.credential.defaultCountryCode = '+49';
		await run('0151 12345699');
		await run('0151 12345699', '0043');
		expect(await arrived()).toEqual(['+4915112345699', '+4915112345699', '+4315112345699']);
	});

	it('that is unclear is sent as it is written', async () => {
		await run('0151 12345699 ');
		expect(await arrived()).toEqual(['0151 12345699']);
	});

	it('that is no number is refused, and nothing is sent', async () => {
		const { error } = await run('unknown');
		expect(error?.message).toMatch(
			/(Phone Number|phone_number|To)' must be a phone number: use the country code, such as \+4915112345678$/,
		);
		expect(error?.description).toBe('The value is: unknown. Nothing was sent for this item.');
		expect(await sent()).toEqual([]);
	});
});

describe('the Default Country Code', () => {
	const parameters = operationNamed('lead: create').parameters;

	it.each(['DE', '0', '1234', '49 151'])('of %j is refused, and nothing is sent', async (code) => {
		const { error } = await n8n.runNode({
			parameters: { ...parameters, requestOptions: { defaultCountryCode: code } },
		});
		expect(error?.message).toBe("'Default Country Code' must be a country code, such as 49");
		n8n.credential.defaultCountryCode = code;
		const { error: ofCredential } = await n8n.runNode({ parameters });
		expect(ofCredential?.message).toBe(
			'The Default Country Code of the credential must be a country code, such as 49',
		);
		expect(await sent()).toEqual([]);
	});

	it('of the credential matters only for phone numbers', async () => {
		n8n.credential.defaultCountryCode = 'DE';
		const { error } = await n8n.runNode({
			parameters: operationNamed('campaign: start').parameters,
		});
		expect(error).toBeUndefined();
	});
});

describe('a phone number that the service refuses', () => {
	it.each(PLACES.slice(0, 4))(
		'is shown as it was sent: %s',
		async (_place, _path, parametersWith) => {
			const { error } = await n8n.runNode({
				parameters: parametersWith('={{ $json.phone }}'),
				items: [{ phone: '0151 12345699' }],
			});
			expect(error?.message).toMatch(/invalid phone number/i);
			expect(error?.description).toContain(
				"The phone number was sent as 0151 12345699. Add the country code, or set 'Default Country Code'.",
			);
		},
	);

	it('is the only one that is shown', async () => {
		const { error } = await n8n.runNode({
			parameters: {
				...operationNamed('lead: create').parameters,
				additionalFields: { secondaryContacts: { contact: [{ phoneNumber: '+49 1' }] } },
			},
		});
		expect(error?.description).toMatch(/^The phone number was sent as \+49 1\.\n/);
	});
});
