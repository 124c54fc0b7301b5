import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkBaseUrl } from '../../../../nodes/shared/client/credential.ts';
import { InvalidInput } from '../../../../nodes/shared/client/errors.ts';
import { forAny } from '../../../support/forAny.mts';

describe('the check of a Base URL', () => {
	const checked = (text: string) => {
		try {
			return checkBaseUrl(text);
		} catch (error) {
			expect(error).toBeInstanceOf(InvalidInput);
			return undefined;
		}
	};

	const nearlyUrls = fc
		.tuple(
			fc.constantFrom('http://', 'https://', 'HTTPS://', 'http:/', '', 'ftp://'),
			fc.oneof(fc.domain(), fc.constantFrom('127.0.0.1:4010', '[::1]:80', 'a@b', 'ä.example')),
			fc.constantFrom('', '/', '/x', '/x/..', '?q', '#h', '\\y'),
			fc.constantFrom('/api', '/api/', '/api//', '/API', '', '/api?', '/api/x'),
		)
		.map((parts) => parts.join(''));

	it('returns an address on the same host that ends in /api, and is idempotent', () =>
		forAny(
			fc.oneof(nearlyUrls, fc.webUrl(), fc.string()),
			(text) => {
				const url = checked(text);
				if (url === undefined) return;
				expect(url).toMatch(/^https?:\/\/[^/?#@]+(\/[^?#]*)?\/api$/);
				expect(new URL(url).host).toBe(new URL(text.trim()).host);
				expect(checked(url)).toBe(url);
			},
			{ numRuns: 500 },
		));

	it.each([undefined, null, 7, {}, ['https://calls.example.com/api']])('refuses %j', (value) => {
		expect(() => checkBaseUrl(value)).toThrow('The Base URL of the credential is empty');
	});
});
