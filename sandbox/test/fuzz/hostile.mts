import fc from 'fast-check';
import { isObject } from '../support/contract.mts';
import { BOB } from '../support/seed.mts';
import { requestText, type FuzzRequest } from './fuzzRequest.mts';
import { PROTOTYPE_NAMES, WRONG_IDS } from './wrongValues.mts';

/** What makes a request hostile. */
type Twist = (request: FuzzRequest) => FuzzRequest;

const HOSTILE_TEXTS = [
	...['', ' ', '\0', '\ud800', '\udc00\ud800', '\u202e\u200b\ufeff', '%00'],
	...['../../etc/passwd', "'; DROP TABLE users; --", '{{7*7}}${7*7}', '<script>alert(1)</script>'],
	...['ﷺ'.repeat(200), 'a'.repeat(70_000), '+'.repeat(300), '0'.repeat(300)],
	...['+1415555267１', '+١٤١٥٥٥٥٢٦٧١', 'tel:+14155552671;ext=5'],
	...['http://', 'http://[::1', 'http://127.0.0.1:99999/', 'http://127.0.0.1:1/\r\nX-A: b'],
	...['http://127.0.0.1:1/ä {}|"<>', 'http://127.0.0.1:1/%zz', 'HTTP:127.0.0.1:1'],
	...['javascript:alert(1)', 'Etc/GMT+25', 'Europe/../Berlin'],
	...['2026-02-30', '0000-01-01', '9999-12-31'],
	...PROTOTYPE_NAMES,
];

/** Numbers as JSON can write them: they are put into the text of the body. */
const HOSTILE_NUMBERS = [
	...['-0', '-0.0', '1e400', '-1e400', '1e-400', '1.0', '10E-1'],
	'9'.repeat(400),
];

/** A text that {@link requestText} writes as a number. */
const numberToken = (token: string): string => `number:${token}`;

const nested = (depth: number): unknown => {
	let value: unknown = 1;
	for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
	return value;
};

const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom(...HOSTILE_TEXTS),
	fc.constantFrom(...HOSTILE_NUMBERS).map(numberToken),
	fc.string({ unit: 'binary' }),
	fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
	fc.constantFrom(60, 64, 65, 100).map(nested),
	fc.constantFrom(...PROTOTYPE_NAMES).map((name) => Object.fromEntries([[name, { admin: true }]])),
	fc.constantFrom<unknown>(
		Array.from({ length: 500 }, () => 1),
		Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index])),
	),
);

const body: fc.Arbitrary<Twist> = hostileValues.map((value) => (request) => ({
	...request,
	body: value,
}));

/** A field of the body that has a hostile value. */
const field: fc.Arbitrary<Twist> = fc
	.tuple(fc.nat({ max: 60 }), fc.constantFrom(...PROTOTYPE_NAMES), hostileValues)
	.map(([index, otherName, value]) => (request) => {
		const fields = isObject(request.body) ? request.body : {};
		const name = request.fields[index % (request.fields.length + 1)] ?? otherName;
		const others = Object.entries(fields).filter(([other]) => other !== name);
		return { ...request, body: Object.fromEntries([...others, [name, value]]) };
	});

const INVALID_UTF8 = [[0x80], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff, 0xfe]];

const bytes: fc.Arbitrary<Twist> = fc
	.oneof<fc.MaybeWeightedArbitrary<(text: string) => string | Buffer>[]>(
		fc.nat({ max: 200 }).map((length) => (text) => text.slice(0, -1 - length)),
		fc.nat({ max: 200 }).map((at) => (text) => `${text.slice(0, at)},${text.slice(at)}`),
		fc.constantFrom('}', '\0', ' {}', '\ufeff').map((end) => (text) => text + end),
		fc.constant((text) => `\ufeff${text}`),
		fc.constant((text) => Buffer.from(text, 'utf16le')),
		fc.constant((text) => text.replace('{', '{"a":1,"a":2,"__proto__":{"admin":true},')),
		fc.constantFrom(...INVALID_UTF8).map((invalid) => (text) => {
			const middle = text.indexOf('"') + 1;
			return Buffer.concat([
				Buffer.from(text.slice(0, middle)),
				Buffer.from(invalid),
				Buffer.from(text.slice(middle)),
			]);
		}),
		fc.uint8Array({ maxLength: 100 }).map((any) => () => Buffer.from(any)),
		fc.constantFrom('', 'null', '[]', '"x"', '1', 'NaN', '<a/>', 'a=b').map((all) => () => all),
		fc.constantFrom('[', '{"a":').map((open) => () => open.repeat(5000)),
		{
			weight: 1,
			arbitrary: fc.constant((text) => text.replace('{', `{"x":"${'x'.repeat(2_000_000)}",`)),
		},
	)
	.map((change) => (request) => ({
		...request,
		bytes: Buffer.from(change(requestText(request) ?? '{}')),
	}));

const pathText = fc.oneof(
	fc.constantFrom(
		...WRONG_IDS,
		...['%31', '1/2', '1%2F2', '..', '.', '', '%zz', '%c0%af', '1'.repeat(5000)],
	),
	fc.string({ unit: 'binary', maxLength: 10 }).map((text) => encodeURIComponent(text)),
);

/** Another id, or another path. */
const path: fc.Arbitrary<Twist> = fc
	.tuple(pathText, fc.nat({ max: 5 }))
	.map(([text, at]) => (request) => {
		if (request.path.includes('{id}')) return { ...request, id: text };
		const parts = request.path.split('/');
		if (at + 1 < parts.length) parts[at + 1] = text;
		return { ...request, path: parts.join('/') };
	});

const method: fc.Arbitrary<Twist> = fc
	.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND')
	.map((name) => (request) => ({ ...request, method: name }));

const query: fc.Arbitrary<Twist> = fc
	.oneof(
		fc.constantFrom(
			...['%', '%zz=1', 'page=%ff', 'page=1&page=2', '=&=&', '?page=1', 'page[]=1', 'page=1%00'],
			...['__proto__=1', 'constructor=1', 'page=9007199254740993', `page=${'9'.repeat(30)}`],
			...['per_page=100&page=9007199254740991', 'status[]=a&status=b', 'type=inbound&type=web'],
			...['assistant_id=99999999999999999999', 'campaign_id=-0', 'date_from=2026-02-30'],
			...['date_from=0000-01-01&date_to=9999-12-31', 'phone_number=%00', `x=${'x'.repeat(8000)}`],
		),
		fc.webQueryParameters(),
		fc
			.tuple(
				fc.constantFrom('status', 'phone_number', 'assistant_id', 'date_from', 'per_page', 'page'),
				fc.string({ unit: 'binary' }),
			)
			.map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
	)
	.map((text) => (request) => ({ ...request, query: text }));

const header = (names: string[], values: fc.Arbitrary<string>): fc.Arbitrary<Twist> =>
	fc.tuple(fc.constantFrom(...names), values).map(([name, value]) => (request) => ({
		...request,
		headers: { ...request.headers, [name]: value },
	}));

const HEADER_CHARACTERS = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f);
const headerText = fc
	.array(HEADER_CHARACTERS, { maxLength: 30 })
	.map((codes) => String.fromCharCode(...codes));

const headers = fc.oneof(
	header(
		['authorization'],
		fc.oneof(
			fc.constantFrom(
				...['', 'Bearer', 'Bearer ', 'Bearer  x', 'bearer alice-token', 'Basic YTpi'],
				...[`Bearer ${BOB}`, 'Bearer __proto__', 'Bearer a b', 'Bearer \u00e4'],
			),
			headerText,
		),
	),
	header(
		['content-type'],
		fc.oneof(
			fc.constantFrom(
				...['', 'json', 'text/plain', 'application/xml', 'application/json; charset=utf-16'],
				...['application/x-www-form-urlencoded', 'multipart/form-data', 'APPLICATION/JSON'],
			),
			headerText,
		),
	),
	header(
		['accept', 'accept-encoding', 'content-encoding', 'x-http-method-override', 'if-none-match'],
		fc.oneof(fc.constantFrom('text/html', 'gzip', 'DELETE', '*', 'identity;q=0'), headerText),
	),
	header(['host', 'origin', 'x-forwarded-host', 'x-forwarded-for', 'cookie', 'range'], headerText),
	header(['expect'], fc.constantFrom('nothing', '100-continue')),
	header(['x-long'], fc.constantFrom('x'.repeat(8_000), 'x'.repeat(20_000))),
);

/** What a caller can do wrong on purpose, in every part of a request. */
export const twists: fc.Arbitrary<Twist> = fc.oneof(
	{ weight: 6, arbitrary: field },
	{ weight: 1, arbitrary: body },
	{ weight: 2, arbitrary: bytes },
	{ weight: 2, arbitrary: path },
	{ weight: 1, arbitrary: method },
	{ weight: 2, arbitrary: query },
	{ weight: 2, arbitrary: headers },
);
