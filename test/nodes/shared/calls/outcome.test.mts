import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { OUTCOME_RULES, getOutcome } from '../../../../nodes/shared/calls/outcome.ts';
import { CALL_STATUSES } from '../../../../sandbox/src/contract/statuses.mts';
import { root } from '../../../support/package.mts';

const readText = (path: string) => readFileSync(join(root, path), 'utf8');

/** The cells of the table of outcomes in docs/calls.md, without the backticks. */
const documentedRows = readText('docs/calls.md')
	.replaceAll('`', '')
	.split('\n')
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.filter(([, statuses]) => OUTCOME_RULES.some((rule) => rule.statuses.join(', ') === statuses))
	.map((cells) => cells.slice(1, -1));

const assumptions = parse(readText('contract/assumptions.yaml')) as Record<
	string,
	{ value: string[] }
>;
const finalStatuses = assumptions['final-call-statuses']?.value ?? [];
const completedStatuses = assumptions['completed-call-statuses']?.value ?? [];

describe('the outcome of a call', () => {
	it('is decided as it is documented', () => {
		const rows = OUTCOME_RULES.map(({ statuses, answeredBy, outcome }) => [
			statuses.join(', '),
			answeredBy ?? (statuses.length > 1 ? 'any other value, or none' : 'any value, or none'),
			outcome,
		]);
		expect(documentedRows).toEqual(rows);
	});

	it('is known exactly if the status is final', () => {
		const known = CALL_STATUSES.filter(
			(status) => getOutcome({ status, answered_by: 'human' }) !== 'unknown',
		);
		expect([...known].sort()).toEqual([...finalStatuses].sort());
	});

	it.each([
		...['human', 'unknown', undefined, null, ''].map((who) => [who, 'answered'] as const),
		...[
			...['machine', 'Machine', 'machine_start', 'MACHINE-END-BEEP'],
			...['voicemail', 'voice_mail', 'answering_machine', 'AnsweringMachine_start'],
		].map((who) => [who, 'voicemail'] as const),
	])('of a completed call that %j answered is %s, and of no other call', (answeredBy, outcome) => {
		const statuses = CALL_STATUSES.filter(
			(status) => getOutcome({ status, answered_by: answeredBy }) === outcome,
		);
		expect([...statuses].sort()).toEqual([...completedStatuses].sort());
	});

	it.each([
		['finished', 'human', 'answered'],
		['customer_hangup', undefined, 'answered'],
		['finished', 'machine', 'voicemail'],
		...[undefined, null, '', 3].map((status) => [status, 'human', 'answered'] as const),
	])('with the unknown status %j and a duration, answered by %j, is %s', (status, who, outcome) => {
		expect(getOutcome({ status, answered_by: who, duration: 5 })).toBe(outcome);
		expect(getOutcome({ status, answered_by: who, duration: 0 })).toBe('unknown');
	});

	it('is known if the status has another spelling', () => {
		expect(getOutcome({ status: 'no_answer' })).toBe('no-answer');
		expect(getOutcome({ status: 'ended-by-customer' })).toBe('answered');
		expect(getOutcome({ status: 'Completed' })).toBe('answered');
		expect(getOutcome({ status: 'NO_ANSWER', duration: 5 })).toBe('no-answer');
		expect(getOutcome({ status: 'In_Progress', duration: 5 })).toBe('unknown');
	});

	it.each([undefined, null, '', 'transferred', 1, {}, ['completed']])(
		'is unknown if the status is %j',
		(status) => {
			expect(getOutcome({ status, answered_by: 'human' })).toBe('unknown');
		},
	);
});
