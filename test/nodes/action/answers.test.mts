import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkedBaseUrl } from '../../../nodes/shared/client/baseUrl.ts';
import { connectionProblem } from '../../../nodes/shared/client/connection.ts';
import { isId } from '../../../nodes/shared/client/ids.ts';
import { readAnswer } from '../../../nodes/shared/client/response.ts';
import { ServiceProblem } from '../../../nodes/shared/client/errors.ts';

describe('an answer of any kind', () => {
	const answers = fc.record({
		statusCode: fc.integer({ min: 200, max: 599 }),
		headers: fc.dictionary(
			fc.constantFrom('retry-after', 'location', 'content-type'),
			fc.oneof(
				fc.string(),
				fc.constantFrom('7', '0', '-3', 'soon', 'http://x/'),
				fc.array(fc.string()),
			),
		),
		body: fc.oneof(
			fc.anything(),
			fc.string(),
			fc.record(
				{
					message: fc.oneof(fc.string(), fc.anything()),
					errors: fc.oneof(fc.dictionary(fc.string(), fc.array(fc.string())), fc.anything()),
					success: fc.oneof(fc.boolean(), fc.anything()),
					data: fc.anything(),
					retry_after: fc.oneof(fc.nat(), fc.anything()),
				},
				{ requiredKeys: [] },
			),
		),
	});

	it('is either data or a problem in words, and says rightly what may be sent again', () => {
		fc.assert(
			fc.property(answers, fc.boolean(), (answer, isRead) => {
				const result = readAnswer(answer, isRead);
				if (!(result instanceof ServiceProblem)) {
					expect(answer.statusCode).toBeLessThan(300);
					expect(result).toBe(answer.body);
					return;
				}
				expect(result.message.trim()).not.toBe('');
				expect(result.description.trim()).not.toBe('');
				expect(result.httpCode).toBe(String(answer.statusCode));
				expect(result.passing).toBe(answer.statusCode >= 500 || answer.statusCode === 429);
				if (isRead) expect(result.uncertain).toBe(false);
				else if (answer.statusCode >= 500) expect(result.uncertain).toBe(true);
				else if (answer.statusCode >= 400) expect(result.uncertain).toBe(false);
				if (result.retryAfterMs !== undefined) {
					expect(answer.statusCode).toBe(429);
					expect(result.retryAfterMs).toBeGreaterThanOrEqual(0);
				}
			}),
			{ numRuns: 500 },
		);
	});
});

describe('a failed connection', () => {
	const TOKEN = 'sk-very-secret-0815';
	const REACH = /^The service could not be reached/;

	it.each<[string, RegExp]>([
		['ECONNREFUSED', REACH],
		['ENOTFOUND', REACH],
		['EAI_AGAIN', REACH],
		['CERT_HAS_EXPIRED', REACH],
		['DEPTH_ZERO_SELF_SIGNED_CERT', REACH],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', REACH],
		['ERR_TLS_CERT_ALTNAME_INVALID', REACH],
		['ERR_INVALID_URL', /^The Base URL of the credential is not a valid address$/],
	])('%s happened before anything was sent', (code, words) => {
		for (const error of [{ code }, { httpCode: code }, { cause: { cause: { code } } }]) {
			const problem = connectionProblem(error, false);
			expect(problem.message).toMatch(words);
			expect(problem).toMatchObject({ httpCode: code, uncertain: false, passing: true });
		}
	});

	it.each([
		[{ code: 'EHOSTUNREACH' }, 'The service could not be reached: there is no way to its host'],
		[{ code: 'EPROTO' }, 'The request failed before the service answered (EPROTO)'],
		[{ code: 'ECONNABORTED' }, 'The service did not answer in time'],
		[{ code: 'ETIMEDOUT' }, 'The service did not answer in time'],
		[{ name: 'TimeoutError', code: 23 }, 'The service did not answer in time'],
		[{ code: 'ERR_CANCELED' }, 'The execution was canceled before the service answered'],
		[{ code: 'ECONNRESET' }, 'The connection to the service was closed before it answered'],
		[new Error('socket hang up'), 'The connection to the service was closed before it answered'],
		['nonsense', 'The connection to the service was closed before it answered'],
	])('%j leaves open what became of a write', (error, message) => {
		expect(connectionProblem(error, false)).toMatchObject({ message, uncertain: true });
		expect(connectionProblem(error, true)).toMatchObject({ message, uncertain: false });
	});

	it('keeps nothing of what the HTTP client says', () => {
		fc.assert(
			fc.property(fc.anything(), fc.boolean(), (anything, isRead) => {
				const error = Object.assign(new Error(`Bearer ${TOKEN}`), {
					code: TOKEN,
					config: { headers: { Authorization: `Bearer ${TOKEN}` } },
					cause: anything,
				});
				const problem = connectionProblem(error, isRead);
				expect(inspect(problem, { depth: Infinity, showHidden: true })).not.toContain(TOKEN);
			}),
		);
	});
});

describe('the check of a Base URL', () => {
	const checked = (text: string) => {
		try {
			return checkedBaseUrl(text);
		} catch (error) {
			expect(error).toBeInstanceOf(ServiceProblem);
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

	it('gives an address on the same host that ends in /api, and gives it again for itself', () => {
		fc.assert(
			fc.property(fc.oneof(nearlyUrls, fc.webUrl(), fc.string()), (text) => {
				const url = checked(text);
				if (url === undefined) return;
				expect(url).toMatch(/^https?:\/\/[^/?#@]+(\/[^?#]*)?\/api$/);
				expect(new URL(url).host).toBe(new URL(text.trim()).host);
				expect(checked(url)).toBe(url);
			}),
			{ numRuns: 500 },
		);
	});

	it.each([undefined, null, 7, {}, ['https://calls.example.com/api']])('refuses %j', (value) => {
		expect(() => checkedBaseUrl(value)).toThrow('The Base URL of the credential is empty');
	});
});

describe('the check of an ID', () => {
	it('takes what is a whole number from 1 and is written as JavaScript writes it', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.double().map(String), fc.maxSafeInteger().map(String)),
				(text) => {
					const number = Number(text);
					const isPlain = String(number) === text && Number.isInteger(number) && number > 0;
					expect(isId(text)).toBe(isPlain && number < 1e15);
				},
			),
		);
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (id) => {
				expect(isId(id)).toBe(true);
				expect(isId(String(id))).toBe(true);
				expect(isId(-id)).toBe(false);
				expect(isId(id + 0.5)).toBe(Number.isInteger(id + 0.5));
			}),
		);
	});
});
