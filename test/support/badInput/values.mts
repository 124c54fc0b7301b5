import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { isIdField } from '../../../nodes/shared/fields/findWrongField.ts';
import type { Field } from '../../../nodes/VoiceAssistantCalling/fields/routing.ts';
import type { Slot } from './template.mts';

/** Objects with a key that changes the prototype when code copies it carelessly. */
const POLLUTION =
	'{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": 1}}}';

const LONG_TEXT = 'x'.repeat(1 << 20);

/** What a spreadsheet or a language model may hand over in place of any value. */
const ODD_VALUES: unknown[][] = [
	['', ' ', '\n', null, undefined, 'undefined', 'null', 'NaN', 'N/A', '-', '#REF!'],
	[0, -1, 1.5, 1e21, 4.915112345678e12, 15112345678, ...['1e3', '1,5', '007', '１２']],
	[true, false, 'yes', 'no', 'TRUE', 'wahr', 'x'],
	[...['31.01.2026', '1/31/2026', '2026-02-30', '2026-01-31T23:59:59+14:00', 'today'], 46053],
	[[], [1], ['a', { b: 1 }], {}, { 'a.b': 1 }, { a: { b: [null] } }, [[]]],
	['{', '[]', '[{"name":"a"}]', '{"a.b": 1}', '{"to": 1, "from": "x"}', POLLUTION],
	[JSON.parse(POLLUTION)],
	['📞☎️👩‍👩‍👧', 'שלום עולם', '\u202e+49 151', 'ﷺ', 'a\u0000b', '\ud800', 'e\u0301'],
	['../calls', '1?x=1', '1/2', 'http://example.com/x', 'file:///etc/passwd', '{{ 1 }}', '={{ 1 }}'],
	['0151 12345678', '(415) 555-2671', '0049 151 12345678', 'tel:+49151', '+', '00'],
];

const shortValue: fc.Arbitrary<unknown> = fc.oneof(
	...ODD_VALUES.map((values) => fc.constantFrom(...values)),
	fc.string({ unit: 'grapheme', maxLength: 400 }),
	fc.jsonValue({ maxDepth: 2 }),
	fc.double(),
);

const wrongValue = fc.oneof(
	{ weight: 60, arbitrary: shortValue },
	{ weight: 1, arbitrary: fc.constant(LONG_TEXT) },
);

const phoneNumber = fc
	.integer({ min: 100_000, max: 999_999 })
	.chain((end) =>
		fc.constantFrom<unknown>(`+4915112${end}`, `0049 (151) 12-${end}`, Number(`4915112${end}`)),
	);

/** A value that the field accepts. */
function rightValue(field: Field): fc.Arbitrary<unknown> {
	const { type, typeOptions = {}, options = [], modes = [], placeholder = 'abc', name } = field;
	const example = modes.find((mode) => mode.name === 'name')?.placeholder ?? placeholder;
	const text = fc.constant(example.replace(/^e\.g\. /, ''));
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const { minValue = 1 } = typeOptions;
	if (example !== placeholder) return text;
	if (isIdField(field) || type === 'resourceLocator')
		return fc.constantFrom<unknown>(1, '1', 2, '999');
	if (choices.length > 0) return fc.constantFrom(...choices);
	if (type === 'number') return fc.constantFrom<unknown>(minValue, String(minValue));
	if (type === 'boolean') return fc.constantFrom<unknown>(true, 'false');
	if (type === 'dateTime') return fc.constantFrom('2026-01-31', '2026-01-31T10:00:00.000+02:00');
	if (type === 'json')
		return fc.constantFrom<unknown>(
			'{}',
			name.includes('ilter') ? '{"status":"busy"}' : { city: 'Bonn' },
		);
	if (/phone|^to$/i.test(name)) return phoneNumber;
	return text;
}

/** An item: most values are right, so that each wrong one is seen by the code behind the first check. */
export function item(slots: Slot[]): fc.Arbitrary<IDataObject> {
	const value = ({ field }: Slot) =>
		fc.oneof(
			{ weight: 2 * slots.length, arbitrary: rightValue(field) },
			{ weight: 3, arbitrary: wrongValue },
		);
	return fc.record(
		Object.fromEntries(slots.map((slot) => [slot.key, value(slot)])),
	) as fc.Arbitrary<IDataObject>;
}
