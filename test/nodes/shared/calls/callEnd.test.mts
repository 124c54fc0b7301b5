import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { isEarly, isOver } from '../../../../nodes/shared/calls/callEnd.ts';
import { CALL_STATUSES } from '../../../../sandbox/src/contract/statuses.mts';

const END = '2026-03-02T09:00:00Z';

const OPEN = ['initiated', 'ringing', 'in-progress'];
const UNKNOWN = ['queued', 'finished', '', undefined, null, 7];

/** What a service can write where there is no end. */
const NO_END = [null, undefined, '', 0, '0000-00-00 00:00:00'];

describe('a call', () => {
	it.each(CALL_STATUSES)(
		'with the status %s of the contract is over if the contract says so',
		(status) => {
			const wanted = !OPEN.includes(status);
			for (const duration of [0, 30]) expect(isOver({ status, duration })).toBe(wanted);
		},
	);

	it.each(UNKNOWN)('with the status %j is over when it has a duration', (status) => {
		expect(isOver({ status, duration: 12 })).toBe(true);
		expect(isOver({ status, duration: 0 })).toBeUndefined();
		expect(isOver({ status })).toBeUndefined();
	});

	it.each([...CALL_STATUSES, ...UNKNOWN])(
		'with the status %j is over when it has the time of its end',
		(status) => {
			expect(isOver({ status, duration: 0, finished_at: END })).toBe(true);
			for (const finishedAt of NO_END) {
				expect(isOver({ status, finished_at: finishedAt })).toBe(isOver({ status }));
			}
		},
	);
});

describe('a delivery', () => {
	it.each(CALL_STATUSES)(
		'with the status %s of the contract is early if the call is not over',
		(status) => {
			const wanted = OPEN.includes(status);
			expect(isEarly({ status, duration: 0, finished_at: null })).toBe(wanted);
			expect(isEarly({ status, duration: 30 })).toBe(wanted);
			expect(isEarly({ status, duration: 30, finished_at: END })).toBe(false);
		},
	);

	it.each(UNKNOWN)('with the status %j is early only if it says that there is no end', (status) => {
		const call: IDataObject = { status };
		expect(isEarly({ ...call, duration: 0, finished_at: null })).toBe(true);
		expect(isEarly({ ...call, duration: 12, finished_at: null })).toBe(false);
		expect(isEarly({ ...call, duration: 0, finished_at: END })).toBe(false);
		expect(isEarly({ ...call, duration: 0 })).toBe(false);
		expect(isEarly(call)).toBe(false);
	});
});
