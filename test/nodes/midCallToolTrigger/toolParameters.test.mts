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

	it('is always of its type, or named in a text, whatever was received', () => {
		const types = fc.constantFrom<ToolParameter['type']>('string', 'number', 'boolean');
		fc.assert(
			fc.property(types, fc.anything(), fc.anything(), (type, body, query) => {
				const sources = [body, { given: query }];
				const result = toolParameters([parameter('given', type)], sources);
				if ('values' in result) expect(typeof result.values.given).toBe(type);
				else expect(result.problem).toContain('given');
			}),
		);
	});
});
