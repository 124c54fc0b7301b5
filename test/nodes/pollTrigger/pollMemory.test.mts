import { expect, it } from '@jest/globals';
import {
	keepCursors,
	recallCursors,
} from '../../../nodes/VoiceAssistantCallingPollTrigger/pollMemory.ts';

const OPEN = { 'any/any': { open: { 1: 0 }, finished: {} } };

it('the cursors that a poll has left count while n8n has stored nothing since', () => {
	keepCursors('trigger', {}, OPEN);
	expect(recallCursors('trigger', {})).toBe(OPEN);
	expect(recallCursors('another trigger', {})).toBeUndefined();
});

it('the cursors that a poll has left do not count when n8n has stored others since', () => {
	keepCursors('trigger', {}, OPEN);
	// Another main has handed out calls.
	expect(recallCursors('trigger', { owner: 'trigger', cursors: {} })).toBeUndefined();
});

it('a poll that hands out calls leaves none, because only n8n knows whether their execution starts', () => {
	keepCursors('trigger', {}, OPEN);
	keepCursors('trigger', {});
	expect(recallCursors('trigger', {})).toBeUndefined();
});
