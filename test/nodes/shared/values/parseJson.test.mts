import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../../../nodes/shared/values/json.ts';
import { forAny } from '../../../support/forAny.mts';

describe('JSON', () => {
	it.each<[string, unknown]>([
		['{"id":9007199254740993}', { id: '9007199254740993' }],
		['{"id":-9007199254740993}', { id: '-9007199254740993' }],
		['[9007199254740991,9007199254740992]', [9007199254740991, '9007199254740992']],
		['{"text":"\\"9007199254740993 \\\\"}', { text: '"9007199254740993 \\' }],
		['{"9007199254740993":1}', { '9007199254740993': 1 }],
		['[0.1234567890123456789, 12345678901234567e2]', [0.12345678901234568, 1.2345678901234568e18]],
		[
			'{"__proto__":{"a":12345678901234567}}',
			JSON.parse('{"__proto__":{"a":"12345678901234567"}}'),
		],
	])('keeps what a number cannot hold exactly as text: %s', (text, value) => {
		expect(parseJson(text)).toStrictEqual(value);
	});

	it('without such integers is parsed as usual', () =>
		forAny(fc.json(), (text) => {
			const usual: unknown = JSON.parse(text);
			fc.pre(!/\d{16}/.test(text));
			expect(parseJson(text)).toStrictEqual(usual);
		}));

	it('keeps every integer exactly, among any texts', () =>
		forAny(fc.tuple(fc.bigInt(), fc.string({ unit: 'binary' })), ([integer, text]) => {
			const json = `{${JSON.stringify(text)}:${integer},"text":${JSON.stringify(text)}}`;
			const parsed = parseJson(json) as Record<string, unknown>;
			if (text !== 'text') expect(String(parsed[text])).toBe(String(integer));
			expect(parsed.text).toBe(text);
		}));

	it('that is none is refused', () => {
		expect(() => parseJson('{"id":9007199254740993')).toThrow(SyntaxError);
		expect(() => parseJson('<html>9007199254740993</html>')).toThrow(SyntaxError);
	});

	it('that breaks off in a text takes about as long as one that does not', () => {
		const begin = `{"id":9007199254740993,"text":"${'\\"x'.repeat(10_000)}`;
		/** The shortest of some times, in milliseconds: the machine may be busy. */
		const timeOf = (text: string) => {
			const times = Array.from({ length: 5 }, () => {
				const start = performance.now();
				expect(() => parseJson(text)).toThrow(SyntaxError);
				return performance.now() - start;
			});
			return Math.min(...times);
		};
		// A search that begins anew at each quote would take a thousand times as long.
		expect(timeOf(begin) / timeOf(`${begin}"`)).toBeLessThan(50);
	});
});
