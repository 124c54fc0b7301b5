import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { isEarly, isOver } from '../../../../nodes/shared/calls/callEnd.ts';
import { CALL_STATUSES } from '../../../../sandbox/src/contract/statuses.mts';

const CREATED = '2026-03-02T09:00:00Z';
const MINUTE_MS = 60_000;

const after = (minutes: number) => Date.parse(CREATED) + minutes * MINUTE_MS;

const OPEN = ['initiated', 'ringing', 'in-progress'];
const UNKNOWN = ['queued', 'finished', '', undefined, null, 7];

describe('a call of the list', () => {
	it.each(CALL_STATUSES)(
		'with the status %s of the contract is over if the contract says so',
		(status) => {
			const call = { status, created_at: CREATED };
			const wanted = !OPEN.includes(status);
			expect(isOver({ ...call, duration: 0 }, after(1))).toBe(wanted);
			// Neither a duration nor time makes it another one.
			expect(isOver({ ...call, duration: 30 }, after(600))).toBe(wanted);
		},
	);

	it.each(UNKNOWN)(
		'with the status %j is over when it has a duration, or after an hour',
		(status) => {
			const call: IDataObject = { status, duration: 0, created_at: CREATED };
			expect(isOver(call, after(59))).toBe(false);
			expect(isOver(call, after(61))).toBe(true);
			expect(isOver({ ...call, duration: 12 }, after(1))).toBe(true);
		},
	);
});

describe('a delivery', () => {
	it.each(CALL_STATUSES)(
		'with the status %s of the contract is early if the call is not over',
		(status) => {
			const wanted = OPEN.includes(status);
			expect(isEarly({ status, duration: 0, finished_at: null })).toBe(wanted);
			expect(isEarly({ status, duration: 30, finished_at: CREATED })).toBe(wanted);
		},
	);

	it.each(UNKNOWN)('with the status %j is early only if it says that there is no end', (status) => {
		const call: IDataObject = { status };
		expect(isEarly({ ...call, duration: 0, finished_at: null })).toBe(true);
		expect(isEarly({ ...call, duration: 12, finished_at: null })).toBe(false);
		expect(isEarly({ ...call, duration: 0, finished_at: CREATED })).toBe(false);
		expect(isEarly({ ...call, duration: 0 })).toBe(false);
		expect(isEarly(call)).toBe(false);
	});
});
