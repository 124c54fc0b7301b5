import type { Level } from '../check.mts';
import type { KeyFinding } from '../verify.mts';

/** All that a report tells. Nothing of it is of the account. */
export interface Report {
	/** The host of the service, without path. */
	provider: string;
	/** ISO 8601. */
	at: string;
	/** Of this package. */
	version: string;
	levels: readonly Level[];
	/** How many requests were sent. */
	requests: number;
	findings: readonly KeyFinding[];
	stopped?: string;
}

/** The findings of one outcome. */
export const withOutcome = <Outcome extends KeyFinding['outcome']>(
	{ findings }: Pick<Report, 'findings'>,
	outcome: Outcome,
) =>
	findings.filter(
		(finding): finding is Extract<KeyFinding, { outcome: Outcome }> => finding.outcome === outcome,
	);

/** `31 as assumed, 3 in another form, 2 differ, 2 not checked` */
export const counts = (result: Pick<Report, 'findings'>): string =>
	[
		`${withOutcome(result, 'as assumed').length} as assumed`,
		`${withOutcome(result, 'other form').length} in another form`,
		`${withOutcome(result, 'differs').length} differ`,
		`${withOutcome(result, 'not checked').length} not checked`,
	].join(', ');
