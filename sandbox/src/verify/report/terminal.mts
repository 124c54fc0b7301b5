import { styleText } from 'node:util';

import type { KeyFinding } from '../verify.mts';
import { counts, withOutcome, type Report } from './report.mts';

const STYLES = {
	'as assumed': 'green',
	'other form': 'green',
	differs: 'yellow',
	'not checked': 'dim',
} as const;
const OUTCOME_WIDTH = 11;

/** A line of the table: outcome, assumption, what was seen. It has colours where stdout shows them. */
export function findingLine({ outcome, key, seen }: KeyFinding, keyWidth: number): string {
	const shown = styleText(STYLES[outcome], outcome.padEnd(OUTCOME_WIDTH), {
		stream: process.stdout,
	});
	return `${shown}  ${key.padEnd(keyWidth)}  ${seen}`;
}

/** What follows the table: each difference with its advice, the counts, and why the run ended early. */
export function summary(report: Report): string {
	const differences = withOutcome(report, 'differs').flatMap(({ key, expected, seen, advice }) => [
		'',
		styleText('bold', key, { stream: process.stdout }),
		`  Assumed: ${expected}`,
		`  Seen:    ${seen}`,
		...(advice === undefined ? [] : [`  ${advice}`]),
	]);
	const { stopped } = report;
	return [
		...differences,
		'',
		...(stopped === undefined ? [] : [stopped, '']),
		`${counts(report)}. ${report.requests} requests were sent.`,
	].join('\n');
}
