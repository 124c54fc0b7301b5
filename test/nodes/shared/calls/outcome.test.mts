import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { OUTCOME_RULES, outcomeOf } from '../../../../nodes/shared/calls/outcome.ts';
import { CALL_STATUSES } from '../../../../sandbox/src/contract/statuses.mts';
import { root } from '../../../support/package.mts';

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** The cells of the table of outcomes in docs/calls.md, without the backticks. */
const documentedRows = textOf('docs/calls.md')
	.replaceAll('`', '')
	.split('\n')
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.filter(([, statuses]) => OUTCOME_RULES.some((rule) => rule.statuses.join(', ') === statuses))
	.map((cells) => cells.slice(1, -1));

const assumptions = parse(textOf('contract/assumptions.yaml')) as Record<
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
		const known = CALL_STATUSES.filter((status) => outcomeOf(status, 'human') !== 'unknown');
		expect([...known].sort()).toEqual([...finalStatuses].sort());
	});

	it.each(['human', 'unknown', undefined, null, ''])(
		'is answered exactly if the call is completed and %j answered',
		(answeredBy) => {
			const answered = CALL_STATUSES.filter((each) => outcomeOf(each, answeredBy) === 'answered');
			expect([...answered].sort()).toEqual([...completedStatuses].sort());
		},
	);

	it('is voicemail if a machine answered, and only then', () => {
		const voicemail = CALL_STATUSES.filter((each) => outcomeOf(each, 'machine') === 'voicemail');
		expect([...voicemail].sort()).toEqual([...completedStatuses].sort());
	});

	it.each([undefined, null, '', 'Completed', 'transferred', 1, {}, ['completed']])(
		'is unknown if the status is %j',
		(status) => {
			expect(outcomeOf(status, 'human')).toBe('unknown');
		},
	);
});
