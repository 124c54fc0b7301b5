import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
	toolParameters,
	type ToolParameter,
} from '../../../nodes/VoiceAssistantCallingMidCallToolTrigger/toolParameters.ts';

const parameter = (name: string, type: ToolParameter['type']): ToolParameter => ({
	name,
	type,
	description: 'Any',
});

const convert = (type: ToolParameter['type'], value: unknown): unknown => {
	const given = toolParameters([parameter('given', type)], [{ given: value }]);
	return 'values' in given ? given.values.given : undefined;
};

describe('the value of a parameter', () => {
	it.each<[ToolParameter['type'], unknown, unknown]>([
		['string', 'Monday', 'Monday'],
		['string', ' Monday ', ' Monday '],
		['string', 7, '7'],
		['string', false, 'false'],
		['string', {}, undefined],
		['number', 7, 7],
		['number', '-7.5', -7.5],
		['number', '9007199254740991', 9007199254740991],
		['number', '9007199254740993', '9007199254740993'],
		['number', ' -12345678901234567890 ', '-12345678901234567890'],
		['number', '1e20', 1e20],
		['number', 'seven', undefined],
		['number', '7 days', undefined],
		['number', 'Infinity', undefined],
		['number', true, undefined],
		['boolean', true, true],
		['boolean', 'False', false],
		['boolean', 1, true],
		['boolean', '0', false],
		['boolean', 'yes', undefined],
		['boolean', 2, undefined],
	])('as %s: %p gives %p', (type, value, expected) => {
		expect(convert(type, value)).toEqual(expected);
	});

	it('is taken from the body before the query', () => {
		const parameters = [parameter('day', 'string'), parameter('hour', 'number')];
		const given = toolParameters(parameters, [{ day: 'Monday' }, { day: 'Friday', hour: '9' }]);
		expect(given).toEqual({ values: { day: 'Monday', hour: 9 } });
	});

	it('is always of its type, or named in a text, or a number too long for JavaScript', () => {
		const types = fc.constantFrom<ToolParameter['type']>('string', 'number', 'boolean');
		const anything = fc.oneof(fc.anything(), fc.bigInt().map(String));
		fc.assert(
			fc.property(types, fc.anything(), anything, (type, body, query) => {
				const sources = [body, { given: query }];
				const result = toolParameters([parameter('given', type)], sources);
				if ('problem' in result) {
					expect(result.problem).toContain('given');
					return;
				}
				const { given } = result.values;
				const isLong = type === 'number' && typeof given === 'string';
				if (isLong) expect(given).toMatch(/^-?\d{16,}$/);
				else expect(typeof given).toBe(type);
			}),
		);
	});
});
