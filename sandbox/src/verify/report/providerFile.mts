import { stringify } from 'yaml';

import { withOutcome, type Report } from './report.mts';

/** What differs, as the sandbox takes it: a map of assumptions and their values. */
export function providerFile(report: Report): string {
	const found = [...withOutcome(report, 'differs'), ...withOutcome(report, 'other form')];
	const values = found.flatMap(({ key, value }) =>
		value === undefined ? [] : [[key, value] as const],
	);
	const comment = [
		`# How ${report.provider} differs from contract/assumptions.yaml, measured ${report.at.slice(0, 10)}`,
		`# with version ${report.version}. Start the sandbox like it: --assume-file provider.yaml`,
	];
	return `${comment.join('\n')}\n${stringify(Object.fromEntries(values))}`;
}
