import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { parse } from 'yaml';
import { OUTCOME_RULES, getOutcome, isOver } from '../../../../nodes/shared/calls/outcome.ts';
import { CALL_STATUSES } from '../../../../sandbox/src/contract/statuses.mts';
import { root } from '../../../support/package.mts';

const readText = (path: string) => readFileSync(join(root, path), 'utf8');

/** The cells of the table of outcomes in docs/calls.md, without the backticks. */
const documentedRows = readText('docs/calls.md')
	.replaceAll('`', '')
	// The name that only guides use is `no-answer` before the outcome is decided.
	.replace('no-answer, unanswered', 'no-answer')
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
		...['human', 'unknown', undefined, null, '', 'Machine', 'voicemail'].map((who) => [
			who,
			'answered',
		]),
		['machine', 'voicemail'],
	])('of a completed call that %j answered is %s, and of no other call', (answeredBy, outcome) => {
		const statuses = CALL_STATUSES.filter(
			(status) => getOutcome({ status, answered_by: answeredBy }) === outcome,
		);
		expect([...statuses].sort()).toEqual([...completedStatuses].sort());
	});

	it.each([undefined, null, '', 'transferred', 'Completed', 1, {}, ['completed']])(
		'is unknown if the status is %j, whatever else the call has, and nobody knows whether it is over',
		(status) => {
			const call = { status, answered_by: 'human', duration: 5 } as IDataObject;
			expect(getOutcome(call)).toBe('unknown');
			expect(isOver(call)).toBeUndefined();
		},
	);
});

it.each(CALL_STATUSES)('a call with the status %s is over if the contract says so', (status) => {
	expect(isOver({ status, duration: 30 })).toBe(finalStatuses.includes(status));
});
