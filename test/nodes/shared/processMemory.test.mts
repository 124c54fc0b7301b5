import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ProcessMemory } from '../../../nodes/shared/processMemory.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;

let now = 0;

beforeEach(() => {
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});

describe('what the process remembers', () => {
	it.each([
		['unpublish', 12 * SECOND_MS],
		['creationUnknown', MINUTE_MS],
		['replaced', MONTH_MS],
		['sentItems', 24 * 60 * MINUTE_MS],
	] as const)('is forgotten at the end of its time: %s', (area, lifetimeMs) => {
		const memory = new ProcessMemory<string>(area);
		memory.set('trigger', 'value');
		now += lifetimeMs - 1;
		expect(memory.get('trigger')).toBe('value');
		now += 1;
		expect(memory.get('trigger')).toBeUndefined();
	});

	it('is remembered anew when it happens again', () => {
		const memory = new ProcessMemory<string>('creationUnknown');
		memory.set('trigger', 'first');
		now += MINUTE_MS - SECOND_MS;
		memory.set('trigger', 'second');
		now += MINUTE_MS - SECOND_MS;
		expect(memory.get('trigger')).toBe('second');
	});

	it('does not stay for a trigger that is gone, when another one is remembered', () => {
		const memory = new ProcessMemory<string>('creationUnknown');
		memory.set('gone', 'value');
		now += MINUTE_MS;
		memory.set('another trigger', 'value');
		// Only what is no longer there cannot come back with the time.
		now -= MINUTE_MS;
		expect(memory.get('gone')).toBeUndefined();
	});

	it('is forgotten in time behind an entry from before the clock was set back', () => {
		const memory = new ProcessMemory<string>('unpublish');
		memory.set('before', 'value');
		now -= MINUTE_MS;
		memory.set('after', 'value');
		now += 12 * SECOND_MS;
		expect(memory.get('after')).toBeUndefined();
	});

	it('is forgotten when 20,000 things came later, and in the order of the last changes', () => {
		const memory = new ProcessMemory<number>('deliveredCalls');
		for (let index = 0; index < 20_000; index += 1) memory.set(`key ${index}`, index);
		memory.set('key 0', 0);
		expect(memory.get('key 1')).toBe(1);
		memory.set('one more', 1);
		expect(['key 0', 'key 1', 'key 2'].map((key) => memory.get(key))).toEqual([0, undefined, 2]);
	});

	it('can be forgotten by the beginning of its key', () => {
		const memory = new ProcessMemory<string>('deliveredCalls');
		memory.set('trigger 1 a', 'value');
		memory.set('trigger 2 a', 'value');
		memory.deleteAll('trigger 1 ');
		expect(memory.get('trigger 1 a')).toBeUndefined();
		expect(memory.get('trigger 2 a')).toBe('value');
	});

	it('is its own, and can be forgotten before', () => {
		const first = new ProcessMemory<string>('replaced');
		const second = new ProcessMemory<string>('replaced');
		first.set('trigger', 'value');
		expect(first.get('another trigger')).toBeUndefined();
		expect(second.get('trigger')).toBeUndefined();
		first.delete('trigger');
		expect(first.get('trigger')).toBeUndefined();
	});
});
