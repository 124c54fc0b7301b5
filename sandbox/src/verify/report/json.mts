import type { Report } from './report.mts';

/** The report for programs. */
export const jsonReport = (report: Report): string =>
	`${JSON.stringify(report, undefined, '\t')}\n`;
